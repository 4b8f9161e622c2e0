import { Injectable } from '@nestjs/common';
import {
  type ConditionGroup,
  type ConditionResult,
  evaluateConditions,
  type PreviousStepState,
} from '#libs/conditions';
import { Rendering } from '#libs/templates';
import { messageIdFor, type MessageState, MessagesService } from '../../messages/index.js';
import { conditionVariables } from './variables.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import { ConditionWebhook } from './condition-webhook.js';
import type { StepTask } from '../run/step-handler.js';

const NOTHING_SENT: PreviousStepState = { exists: false, seen: false, read: false, opened: false };

/** Evaluates condition groups for a step: gives them their roots and carries out what they ask of the outside. */
@Injectable()
export class ConditionChecker {
  constructor(
    private readonly rendering: Rendering,
    private readonly messages: MessagesService,
    private readonly webhook: ConditionWebhook,
  ) {}

  /** @throws {ConditionWebhookError} that can pass @throws {ConditionTemplateError} that cannot */
  check(groups: readonly ConditionGroup[], { run, step, now }: StepTask): Promise<ConditionResult> {
    const variables = conditionVariables(run);
    return evaluateConditions(groups, {
      variables,
      now,
      renderValue: (template) => this.rendering.text(template, variables, environmentOf(run), false),
      webhook: (condition) => this.webhook.ask(condition, run, step),
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

/** What steps of this pass have sent and nobody can have seen yet: it is stored together with what comes after it. */
function unwritten({ effects }: Run): Map<string, MessageState> {
  return new Map(
    effects.messages.map((message) => [
      messageIdFor(message).toHexString(),
      { seen: false, read: false, status: message.status },
    ]),
  );
}
