import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { isChannel } from '#libs/channels';
import {
  ConditionBudgetError,
  type ConditionGroup,
  type ConditionResult,
  ConditionTemplateError,
  ConditionWebhookError,
  evaluateConditions,
  type PreviousStepState,
} from '#libs/conditions';
import { AppConfig } from '#libs/config';
import { retryDelayMs } from '#libs/schedule';
import { Rendering } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { messageIdFor, type MessageState, MessageStore } from '../../messages/store/index.js';
import { channelDecision } from '../../../content/preferences/index.js';
import type { RunTemplate, RunVariant } from '../records/workflow-version.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import { StepEnded, type StepTask, type StepWitness } from '../run/step-handler.js';
import type { StepOutcome } from '../run/transitions.js';
import { isInTakenArm } from './arms.js';
import { ConditionWebhook } from './condition-webhook.js';
import { bySendingTimes } from './sending-times.js';
import { conditionVariables } from './template-variables.js';

const MAX_WEBHOOK_ATTEMPTS = 3;
const NOTHING_SENT: PreviousStepState = { exists: false, seen: false, read: false, opened: false };

export interface ChosenTemplate {
  readonly _id: Types.ObjectId;
  readonly template: RunTemplate;
}

export type ConsideredVariant = StepWitness['variants'][number];

export interface ConsideredVariants {
  readonly chosen?: RunVariant;
  readonly considered: readonly ConsideredVariant[];
}

@Injectable()
export class StepGate {
  constructor(
    private readonly rendering: Rendering,
    private readonly messages: MessageStore,
    private readonly webhook: ConditionWebhook,
    private readonly config: AppConfig,
  ) {}

  /** @returns the outcome of a step that does not run now, or undefined when it runs @throws {StepEnded} */
  refuse(task: StepTask): StepOutcome | undefined | Promise<StepOutcome | undefined> {
    // A step that passed and is being tried again is not asked again, and a test asks for the message itself.
    if (task.state.attempt > 0 || task.run.event.test !== undefined) return undefined;
    if (!isInTakenArm(task.run, task.step)) {
      task.recorder.note(DETAIL.otherArm, { raw: { branch: task.step.branch } });
      return { kind: 'skipped', reason: 'other_arm' };
    }
    return task.step.filters.length > 0 ? this.byConditions(task) : byPreferences(task);
  }

  /** The first active variant whose conditions pass, else the step's own content. @throws {StepEnded} */
  chooseTemplate(task: StepTask): ChosenTemplate | Promise<ChosenTemplate> {
    const { _id, template, variants } = task.step;
    const { test } = task.run.event;
    if (test !== undefined) {
      const variant = variants.find(({ id }) => id === test.variantId);
      return variant ? chosen(variant) : { _id, template };
    }
    return variants.length > 0 ? this.chooseVariant(task) : { _id, template };
  }

  /** The first active variant whose conditions pass, and those that were asked, this one as the last. @throws {StepEnded} */
  async considerVariants(task: StepTask): Promise<ConsideredVariants> {
    const considered: ConsideredVariant[] = [];
    for (const variant of task.step.variants) {
      if (!variant.active || variant.filters.length === 0) continue;
      const conditions = await this.check(variant.filters, task);
      const { id, name } = variant;
      const one = { id, ...(name !== undefined && { name }), conditions };
      considered.push(one);
      task.witness?.variants.push(one);
      if (conditions.passed) return { chosen: variant, considered };
    }
    return { considered };
  }

  private async chooseVariant(task: StepTask): Promise<ChosenTemplate> {
    const { step, recorder } = task;
    const { chosen: variant, considered } = await this.considerVariants(task);
    if (variant === undefined) return { _id: step._id, template: step.template };
    recorder.note(DETAIL.variantChosen, { raw: { variant: variant.name, ...considered.at(-1)?.conditions } });
    return chosen(variant);
  }

  private async byConditions(task: StepTask): Promise<StepOutcome | undefined> {
    const { step, recorder } = task;
    const result = await this.check(step.filters, task);
    if (task.witness) task.witness.conditions = result;
    if (result.passed) return byPreferences(task);
    recorder.note(DETAIL.filterSteps, { raw: { filter: result } });
    return { kind: 'skipped', reason: 'conditions' };
  }

  /** @returns the outcome of a step whose conditions could not be evaluated; undefined for any other fault */
  private conditionsFailed(task: StepTask, error: unknown): StepOutcome | undefined {
    if (error instanceof ConditionWebhookError) return this.webhookFailed(task, error);
    if (!(error instanceof ConditionTemplateError || error instanceof ConditionBudgetError)) return undefined;
    task.recorder.note(DETAIL.processingFilterFailed, { raw: { error: error.message } });
    return { kind: 'failed', reason: 'conditions_failed', error: error.message };
  }

  private webhookFailed({ state, now, recorder }: StepTask, { message }: Error): StepOutcome {
    const attempt = (state.conditionTries ?? 0) + 1;
    const isLast = attempt >= MAX_WEBHOOK_ATTEMPTS;
    recorder.note(isLast ? DETAIL.webhookFilterFailedLastRetry : DETAIL.webhookFilterFailedRetry, {
      source: 'Webhook',
      status: isLast ? 'Failed' : 'Pending',
      isRetry: true,
      raw: { message, attempt },
    });
    const failure = { reason: 'condition_webhook', error: message, progress: { conditionTries: attempt } };
    if (isLast) return { kind: 'failed', ...failure, deadLetter: true };
    const waitMs = retryDelayMs(attempt, {
      baseMs: this.config.get('DELIVERY_RETRY_BASE_MS'),
      capMs: this.config.get('DELIVERY_RETRY_MAX_MS'),
    });
    return { kind: 'retry', at: new Date(now.getTime() + waitMs), ...failure };
  }

  /** @throws {StepEnded} if they cannot be evaluated */
  private async check(groups: readonly ConditionGroup[], task: StepTask): Promise<ConditionResult> {
    try {
      return await this.evaluate(groups, task);
    } catch (error) {
      const outcome = this.conditionsFailed(task, error);
      throw outcome === undefined ? error : new StepEnded(outcome);
    }
  }

  private evaluate(groups: readonly ConditionGroup[], { run, step, now, witness }: StepTask): Promise<ConditionResult> {
    const variables = conditionVariables(run);
    return evaluateConditions(groups, {
      variables,
      now,
      renderValue: (template) =>
        this.rendering.text(template, variables, environmentOf(run), run.workflow.templateLanguage),
      ...(witness?.asked.asksWebhooks !== false && { webhook: (condition) => this.webhook.ask(condition, run, step) }),
      previousStep: (uuid) => this.previousStep(run, uuid),
    });
  }

  private async previousStep(run: Run, uuid: string): Promise<PreviousStepState> {
    const state = run.record.steps[run.workflow.steps.findIndex((step) => step.uuid === uuid)];
    if (state === undefined) return NOTHING_SENT;
    // A step with several targets has several messages, whose ids name the target.
    const targets = state.targets?.map(({ key }) => key) ?? [''];
    const ids = targets.map((target) => messageIdFor({ notificationId: run.record._id, jobId: state._id, target }));
    const names = ids.map((id) => id.toHexString());
    const stored = await this.messages.statesOf(tenantOf(run.event), names);
    const fresh = unwritten(run);
    const found = names.flatMap((name) => stored.get(name) ?? fresh.get(name) ?? []);
    return {
      exists: found.length > 0,
      seen: found.some(({ seen }) => seen),
      read: found.some(({ read }) => read),
      opened: found.some(({ status }) => status === 'opened' || status === 'clicked'),
    };
  }
}

function chosen({ id, template }: RunVariant): ChosenTemplate {
  return { _id: new Types.ObjectId(id), template };
}

/** Messages of this pass, which are stored together with what comes after them: no subscriber has seen them yet. */
function unwritten({ effects }: Run): Map<string, MessageState> {
  return new Map(
    effects.messages.map((message) => [
      message._id.toHexString(),
      { seen: false, read: false, status: message.status },
    ]),
  );
}

const DISABLED_BY = {
  template: DETAIL.filteredByWorkflowSettings,
  workflowOverride: DETAIL.filteredByWorkflowOverride,
  subscriber: DETAIL.filteredByWorkflowPreference,
  subscriberGlobal: DETAIL.filteredByGlobalPreference,
} as const;

function byPreferences(task: StepTask): StepOutcome | undefined {
  const { run, state, recorder } = task;
  if (!isChannel(state.type)) return undefined;
  const { workflow, facts } = run;
  const decision = channelDecision(state.type, {
    critical: workflow.critical,
    workflowChannels: run.record.channels,
    workflow: workflow.preferenceSettings,
    override: facts.override?.channels,
    subscriber: facts.workflowPreference,
    global: facts.globalPreference,
  });
  if (task.witness) task.witness.preference = decision;
  if (decision.allowed) return bySendingTimes(task, state.type);
  recorder.note(DISABLED_BY[decision.source], { raw: { source: decision.source, ...preferencesOf(run) } });
  return { kind: 'skipped', reason: 'preferences' };
}

function preferencesOf({ workflow, facts }: StepTask['run']): Record<string, unknown> {
  const { override, tenant, globalPreference, workflowPreference } = facts;
  return {
    preferenceSettings: workflow.preferenceSettings,
    ...(override && {
      override: {
        _id: override.id,
        tenant: { _id: tenant?._id, identifier: tenant?.identifier },
        preferenceSettings: override.channels,
      },
    }),
    ...(globalPreference && { global: globalPreference }),
    ...(workflowPreference && { workflow: workflowPreference }),
  };
}
