import { Injectable } from '@nestjs/common';
import { CHANNELS, type Channel } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { ConditionBudgetError, ConditionTemplateError, ConditionWebhookError } from '#libs/conditions';
import { retryDelayMs } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import { channelDecision } from '../../preferences/index.js';
import type { StepResult } from '../run/transitions.js';
import { ConditionChecker } from './condition-checker.js';
import type { StepTask } from '../run/step-handler.js';

const WEBHOOK_TRIES = 3;

/** Decides whether a step runs at all: its conditions, then for channels the preferences. */
@Injectable()
export class StepGate {
  constructor(
    private readonly conditions: ConditionChecker,
    private readonly config: AppConfig,
  ) {}

  /** @returns what becomes of the step, or undefined when it may run */
  async refuse(task: StepTask): Promise<StepResult | undefined> {
    // A step that was let through and is being tried again is not asked again.
    if (task.state.attempt > 0) return undefined;
    return (await this.byConditions(task)) ?? this.byPreferences(task);
  }

  private async byConditions(task: StepTask): Promise<StepResult | undefined> {
    const { run, step, state, now } = task;
    if (step.filters.length === 0) return undefined;
    try {
      const result = await this.conditions.check(step.filters, task);
      if (result.passed) return undefined;
      run.effects.detail(state, DETAIL.filterSteps, now, { raw: { filter: result } });
      return { kind: 'skipped', reason: 'conditions' };
    } catch (error) {
      if (error instanceof ConditionWebhookError) return this.webhookFailed(task, error);
      if (!(error instanceof ConditionTemplateError || error instanceof ConditionBudgetError)) throw error;
      run.effects.detail(state, DETAIL.processingFilterFailed, now, { raw: { error: error.message } });
      return { kind: 'failed', reason: 'conditions_failed', error: error.message };
    }
  }

  private webhookFailed({ run, state, now }: StepTask, { message }: Error): StepResult {
    const attempt = (state.conditionTries ?? 0) + 1;
    state.conditionTries = attempt;
    const isLast = attempt >= WEBHOOK_TRIES;
    run.effects.detail(state, isLast ? DETAIL.webhookFilterFailedLastRetry : DETAIL.webhookFilterFailedRetry, now, {
      source: 'Webhook',
      status: isLast ? 'Failed' : 'Pending',
      isRetry: true,
      raw: { message, attempt },
    });
    if (isLast) return { kind: 'failed', reason: 'condition_webhook', error: message, deadLetter: true };
    const wait = retryDelayMs(attempt, {
      baseMs: this.config.get('DELIVERY_RETRY_BASE_MS'),
      capMs: this.config.get('DELIVERY_RETRY_MAX_MS'),
    });
    return { kind: 'retry', at: new Date(now.getTime() + wait), reason: 'condition_webhook', error: message };
  }

  private byPreferences({ run, state, now }: StepTask): StepResult | undefined {
    if (!isChannel(state.type)) return undefined;
    const { workflow, facts, effects } = run;
    const decision = channelDecision(state.type, {
      critical: workflow.critical,
      workflowChannels: run.record.channels,
      workflow: workflow.preferenceSettings,
      override: facts.override?.channels,
      subscriber: facts.workflowPreference,
      global: facts.globalPreference,
    });
    if (decision.allowed) return undefined;
    effects.detail(state, decision.detail, now, { raw: { source: decision.source, ...said(run) } });
    effects.detail(state, DETAIL.filterSteps, now, { raw: { preferences: false } });
    return { kind: 'skipped', reason: 'preferences' };
  }
}

function isChannel(type: string): type is Channel {
  return (CHANNELS as readonly string[]).includes(type);
}

/** What everybody who may decide about a channel has said; who has said nothing is left out. */
function said({ workflow, facts }: StepTask['run']): Record<string, unknown> {
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
