import { Injectable } from '@nestjs/common';
import { STEP_TYPES } from '#libs/plugins';
import { DETAIL } from '../../execution-details/index.js';
import { composerOf } from '../../../channels/integrations/index.js';
import { type StepState, type TargetState, UNCERTAIN } from '../records/notification.js';
import type { RunTemplate } from '../records/workflow-version.js';
import type { StepHandler, StepPreview, StepTask } from '../run/step-handler.js';
import type { StepOutcome, StepProgress } from '../run/transitions.js';
import { holdReasonOf, HOLDS, isHoldReason } from '../queues/held-back.js';
import { BudgetGate, isHeldByBudget } from './budget-gate.js';
import { DeadTargets } from './dead-targets.js';
import { checkSize, recordInterrupted, recordUnreachable } from './message-effects.js';
import { type InterruptedCall, InterruptedCalls, type InterruptedCallsOfStep } from '../run/begun-calls.js';
import {
  type Addresses,
  contentFailure,
  type ProviderChannel,
  type RenderedContent,
  type Target,
} from './provider-channel.js';
import type { SendProgress } from './retry-rules.js';
import { StepGate } from './step-gate.js';
import { resultOf, type SentTarget, TargetSender } from './target-sender.js';

/** What the steps of these channels share. */
@Injectable()
export class ProviderStepTools {
  constructor(
    readonly gate: StepGate,
    readonly sender: TargetSender,
    readonly dead: DeadTargets,
    readonly interrupted: InterruptedCalls,
    readonly budgets: BudgetGate,
  ) {}
}

/**
 * The step of every channel that sends through providers: conditions and preferences, content, addresses, then each
 * address with its own outcome. It is complete when one address was reached and none is left to try.
 */
export abstract class ProviderStep implements StepHandler {
  constructor(
    private readonly channel: ProviderChannel,
    private readonly tools: ProviderStepTools,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const calls = await this.tools.interrupted.of(task);
    // What has begun was let through before.
    const refused = calls.size === 0 && (await this.tools.gate.refuse(task));
    if (refused) return refused;
    const { state, recorder } = task;
    if (!isHeldByBudget(state) && !isHoldReason(state.reason))
      recorder.note(DETAIL.startSending, state.attempt > 0 ? { isRetry: true } : {});
    try {
      const { content, addresses } = await this.prepare(task);
      const isBegun = calls.size > 0 || state.targets !== undefined || addresses.targets.length === 0;
      const over = isBegun ? undefined : await this.tools.budgets.refuse(task, content.record);
      if (over) return over;
      return await this.deliver(task, content, addresses, calls);
    } catch (error) {
      const outcome = contentFailure(task, error);
      if (outcome === undefined) throw error;
      return calls.size === 0 ? outcome : this.unprepared(task, calls);
    }
  }

  async endInterrupted(task: StepTask): Promise<StepOutcome> {
    return this.unprepared(task, await this.tools.interrupted.of(task));
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    return { content: this.channel.contentOf(await this.channel.render(task, template)) };
  }

  private async prepare(task: StepTask): Promise<{ readonly content: RenderedContent; readonly addresses: Addresses }> {
    const { template, _id } = await this.tools.gate.chooseTemplate(task);
    const rendered = await this.channel.render(task, template);
    const { payload, overrides } = task.run.event;
    const record = { _messageTemplateId: _id, payload, overrides, ...rendered.record };
    checkSize(record);
    const addresses = await this.channel.address(task, rendered);
    for (const integration of addresses.targets.flatMap(({ integrations }) => integrations)) {
      const shown = this.channel.shown?.(task, composerOf(integration));
      if (shown !== undefined) checkSize({ ...record, ...shown });
    }
    return { content: { ...rendered, record }, addresses };
  }

  /** Sends to the targets that are left to try. */
  private async deliver(
    task: StepTask,
    content: RenderedContent,
    addresses: Addresses,
    calls: InterruptedCallsOfStep,
  ): Promise<StepOutcome> {
    const { state, now } = task;
    if (state.attempt === 0 && state.targets === undefined) {
      for (const one of addresses.unreachable) recordUnreachable(task, content, progressOf(state), one);
    }
    const isSingle = hasOneTarget(state, addresses, calls);
    const targets = new Map(state.targets?.map((one) => [one.key, one]));
    const gone = [...calls.values()].filter((call) => !addresses.targets.some(({ key }) => key === call.target));
    this.endWithoutTarget(task, gone, content, targets);
    const sent: SentTarget[] = [];
    for (const target of addresses.targets) {
      const { key } = target;
      const known = targets.get(key);
      if (!calls.has(key) && !isOpen(known, now)) continue;
      const before = isSingle ? progressOf(state) : progressOfTarget(state, known);
      const one = await this.tools.sender.send(task, this.channel, content, target, before, calls.get(key));
      targets.set(key, targetState(target, one));
      sent.push(one);
      await this.tools.dead.remove(task, target, one);
    }
    if (!isSingle) return this.stepOutcome(task, addresses, targets, progressAfterAll(state, targets, sent));
    const [only] = sent;
    const progress = only === undefined ? {} : progressAfterOne(only);
    if (only?.result.kind !== 'busy') return this.stepOutcome(task, addresses, targets, progress);
    const { at, reason } = only.result;
    const isNewlyHeld = reason !== undefined && reason !== state.reason;
    const hasBegun = only.progress.tried !== state.tried || isNewlyHeld;
    return { kind: 'busy', at, hasBegun, progress, ...(reason && { heldBy: { reason, error: HOLDS[reason] } }) };
  }

  private stepOutcome(
    task: StepTask,
    addresses: Addresses,
    byKey: ReadonlyMap<string, TargetState>,
    progress: StepProgress,
  ): StepOutcome {
    const targets = [...byKey.values()];
    const [first] = waitingTargets(targets, addresses);
    if (first) {
      const reason = holdReasonOf(first.error) ?? 'provider';
      return { kind: 'retry', at: first.at, reason, error: first.error, progress };
    }
    if (targets.some(({ status }) => status === 'sent')) return { kind: 'completed', progress };
    const { allFailed, channel } = this.channel;
    const { providerId } = progress;
    if (allFailed)
      task.recorder.note(
        allFailed,
        STEP_TYPES.get(channel)?.namesProvider === true && providerId !== undefined ? { providerId } : {},
      );
    const missing = targets.length === 0 && missingAddress(task, addresses.unreachable);
    return { ...(missing || failureOf(targets, addresses.unreachable)), progress };
  }

  /** Records calls that were begun to addresses which are no longer there. */
  private endWithoutTarget(
    task: StepTask,
    calls: readonly InterruptedCall[],
    { record }: Pick<RenderedContent, 'record'>,
    targets: Map<string, TargetState>,
  ): void {
    for (const call of calls) {
      const errorText = recordInterrupted(task, this.channel, call, record);
      const { kind: status, providerId } = resultOf(call, errorText);
      targets.set(call.target, { key: call.target, status, providerId, ...(!call.isSent && { error: errorText }) });
    }
  }

  /** A step whose calls were interrupted, and which cannot be prepared any more, or is not carried on. */
  private unprepared(task: StepTask, calls: InterruptedCallsOfStep): StepOutcome {
    const targets = new Map(task.state.targets?.map((one) => [one.key, one]));
    this.endWithoutTarget(task, [...calls.values()], { record: {} }, targets);
    const states = [...targets.values()];
    const isSent = states.some(({ status }) => status === 'sent');
    return {
      ...(isSent ? { kind: 'completed' } : failureOf(states, [])),
      progress: { targets: states, calls: undefined },
    };
  }
}

/** Whether the step has, and has had, no more than one target. */
function hasOneTarget(state: Readonly<StepState>, { targets }: Addresses, calls: InterruptedCallsOfStep): boolean {
  const [first, second] = targets;
  return state.targets === undefined && second === undefined && [...calls.keys()].every((key) => key === first?.key);
}

/** @returns the outcome of a step whose subscriber has no address for its channel, unless its workflow fails then */
function missingAddress(
  { run }: StepTask,
  unreachable: Addresses['unreachable'],
): Extract<StepOutcome, { kind: 'skipped' }> | undefined {
  const [first] = unreachable;
  if (first === undefined || !unreachable.every(({ isMissing }) => isMissing)) return undefined;
  return run.workflow.missingAddress === 'fail' ? undefined : { kind: 'skipped', reason: first.reason };
}

function failureOf(
  targets: readonly Omit<TargetState, 'key'>[],
  unreachable: Addresses['unreachable'],
): Extract<StepOutcome, { kind: 'failed' }> {
  const ended = targets.filter(({ error }) => error !== undefined);
  // A target that waits for its next attempt and is no longer the subscriber's ends here.
  const known = ended.find(({ status, uncertainSince }) => status !== 'uncertain' && uncertainSince === undefined);
  if (known?.error !== undefined) return { kind: 'failed', reason: 'provider', error: known.error, deadLetter: true };
  const uncertain = ended[0]?.error;
  if (uncertain !== undefined) return { kind: 'failed', reason: UNCERTAIN, error: uncertain, deadLetter: true };
  const [first] = unreachable;
  return {
    kind: 'failed',
    reason: first?.reason ?? 'no_target',
    error: first?.error ?? 'The subscriber has no address for this channel.',
  };
}

/** Removes from the step's state what a target's progress does not have any more. */
const NO_PROGRESS = {
  tried: undefined,
  uncertainSince: undefined,
  uncertainAt: undefined,
  mayBeSent: undefined,
  calls: undefined,
};

function progressOf({ attempt, tried, uncertainSince, uncertainAt, mayBeSent }: StepState): SendProgress {
  return {
    attempt,
    ...(tried && { tried }),
    ...(uncertainSince && { uncertainSince }),
    ...(uncertainAt !== undefined && { uncertainAt }),
    ...(mayBeSent !== undefined && { mayBeSent }),
  };
}

function progressOfTarget(state: StepState, known: TargetState | undefined): SendProgress {
  const { attempt = 0, uncertainSince } = known ?? {};
  const { tried, uncertainAt } = state;
  return {
    attempt,
    mayBeSent: uncertainSince !== undefined,
    ...(tried && { tried }),
    ...(uncertainAt !== undefined && { uncertainAt }),
    ...(uncertainSince && { uncertainSince }),
  };
}

function isOpen(known: TargetState | undefined, now: Date): boolean {
  if (known === undefined) return true;
  return known.status === 'retry' && (known.dueAt === undefined || known.dueAt <= now);
}

function waitingTargets(known: readonly TargetState[], { targets }: Addresses): { at: Date; error: string }[] {
  const keys = new Set(targets.map(({ key }) => key));
  return known
    .flatMap(({ key, status, dueAt, error }) =>
      status === 'retry' && dueAt !== undefined && keys.has(key) ? [{ at: dueAt, error: error ?? '' }] : [],
    )
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

function targetState({ key }: Target, { result, progress: { attempt, uncertainSince } }: SentTarget): TargetState {
  const uncertain = uncertainSince && { uncertainSince };
  if (result.kind === 'busy') {
    const error = result.reason === undefined ? 'The integration is busy.' : HOLDS[result.reason];
    return { key, status: 'retry', error, attempt, dueAt: result.at, ...uncertain };
  }
  const { providerId } = result;
  return {
    key,
    status: result.kind,
    ...(providerId !== undefined && { providerId }),
    ...(result.kind !== 'sent' && { error: result.error }),
    ...(result.kind === 'retry' && { attempt: attempt + 1, dueAt: result.at, ...uncertain }),
  };
}

/** The progress of a single target is that of its step. */
function progressAfterOne(sent: SentTarget): StepProgress {
  const progress = { ...NO_PROGRESS, ...sent.progress };
  if (sent.result.kind === 'busy') return progress;
  return { ...progress, attempt: sent.progress.attempt + 1, ...providerOf([sent]) };
}

function progressAfterAll(
  { attempt }: StepState,
  targets: ReadonlyMap<string, TargetState>,
  sent: readonly SentTarget[],
): StepProgress {
  return {
    targets: [...targets.values()],
    calls: undefined,
    attempt: attempt + (sent.length > 0 ? 1 : 0),
    ...providerOf(sent),
  };
}

function providerOf(sent: readonly SentTarget[]): StepProgress {
  const providerId = sent.flatMap(({ result }) => ('providerId' in result ? (result.providerId ?? []) : [])).at(-1);
  return providerId === undefined ? {} : { providerId };
}
