import { TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { SubscribersService } from '../../../management/subscribers/index.js';
import { type StepState, type TargetState, UNCERTAIN } from '../records/notification.js';
import { tenantOf } from '../run/run.js';
import type { RunTemplate } from '../records/workflow-version.js';
import type { StepHandler, StepPreview, StepTask } from '../run/step-handler.js';
import {
  after,
  combine,
  detailOf,
  interruptionOf,
  type StepEffects,
  StepInterrupted,
  type StepReport,
} from '../run/step-report.js';
import type { StepOutcome, StepProgress } from '../run/transitions.js';
import { checkSize, interruptedEffects, unreachableEffects } from './message-effects.js';
import { type InterruptedCall, InterruptedCalls, type InterruptedCallsOfStep } from './interrupted-calls.js';
import {
  type Addresses,
  type ProviderChannel,
  type RenderedContent,
  StepFailure,
  type Target,
} from './provider-channel.js';
import type { SendProgress } from './retry-rules.js';
import { StepGate } from './step-gate.js';
import { resultOf, type SentTarget, type TargetResult, TargetSender } from './target-sender.js';

type KeptResult = Exclude<TargetResult, { kind: 'busy' | 'interrupted' }>;

/**
 * The step of every channel that sends through providers: conditions and preferences, content, addresses, then each
 * address with its own outcome. It is complete when one address was reached and none is left to try.
 */
export class ProviderStep implements StepHandler {
  readonly type: ProviderChannel['channel'];

  constructor(
    private readonly channel: ProviderChannel,
    private readonly gate: StepGate,
    private readonly sender: TargetSender,
    private readonly subscribers: SubscribersService,
    private readonly interrupted: InterruptedCalls,
  ) {
    this.type = channel.channel;
  }

  async run(task: StepTask): Promise<StepReport> {
    const calls = await this.interrupted.of(task);
    // What has begun was let through before.
    const refused = calls.size === 0 && (await this.gate.refuse(task));
    if (refused) return refused;
    const { state, now } = task;
    const start = detailOf(state, DETAIL.startSending, now, state.attempt > 0 ? { isRetry: true } : {});
    return after({ details: [start] }, async () => {
      try {
        return await this.prepare(task, calls);
      } catch (error) {
        const report = failed(task, error);
        return calls.size === 0 ? report : this.unprepared(task, report, calls);
      }
    });
  }

  async endInterrupted(task: StepTask): Promise<StepReport> {
    return this.unprepared(task, combine(), await this.interrupted.of(task));
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    const rendered = await this.channel.render(task, template);
    return { content: this.channel.contentOf(rendered), details: rendered.details };
  }

  private async prepare(task: StepTask, calls: InterruptedCallsOfStep): Promise<StepReport> {
    const { template, _id, details } = await this.gate.chooseTemplate(task);
    return after({ details }, async () => {
      const rendered = await this.channel.render(task, template);
      return after({ details: rendered.details }, async () => {
        const { payload, overrides } = task.run.event;
        const record = { _messageTemplateId: _id, payload, overrides, ...rendered.record };
        checkSize(record);
        const addresses = await this.channel.address(task, rendered);
        for (const integration of addresses.targets.flatMap(({ integrations }) => integrations)) {
          const shown = this.channel.shown?.(task, integration);
          if (shown !== undefined) checkSize({ ...record, ...shown });
        }
        return this.deliver(task, { ...rendered, record }, addresses, calls);
      });
    });
  }

  private async deliver(
    task: StepTask,
    content: RenderedContent,
    addresses: Addresses,
    calls: InterruptedCallsOfStep,
  ): Promise<StepReport> {
    const { state } = task;
    const isFirst = state.attempt === 0 && state.targets === undefined;
    const unreachable = isFirst
      ? addresses.unreachable.map((one) => unreachableEffects(task, content, progressOf(state), one))
      : [];
    const { targets } = addresses;
    const isOne = targets.length <= 1 && [...calls.keys()].every((key) => key === targets[0]?.key);
    return after(combine(...unreachable), () =>
      isOne && state.targets === undefined
        ? this.sendToOne(task, content, addresses, calls)
        : this.sendToAll(task, content, addresses, calls),
    );
  }

  private async sendToOne(
    task: StepTask,
    content: RenderedContent,
    addresses: Addresses,
    calls: InterruptedCallsOfStep,
  ): Promise<StepReport> {
    const { state } = task;
    const [target] = addresses.targets;
    if (target === undefined) return this.nothingSent(task, addresses, [], {});
    const before = progressOf(state);
    const sent = await this.sender.send(task, this.channel, content, target, before, calls.get(target.key));
    const { result, effects } = uninterrupted(sent, combine());
    const progress = { ...NO_PROGRESS, ...sent.progress };
    if (result.kind === 'busy') {
      const hasBegun = sent.progress.tried !== state.tried;
      return { outcome: { ...result, hasBegun }, progress, ...effects };
    }
    return after(effects, async () => {
      await this.removeDeadTokens(task, [result]);
      const counted: StepProgress = { ...progress, attempt: progress.attempt + 1, ...providerOf([result]) };
      if (result.kind === 'sent') return { outcome: { kind: 'completed' }, progress: counted, ...combine() };
      if (result.kind === 'retry') {
        const { at, error } = result;
        return { outcome: { kind: 'retry', at, reason: 'provider', error }, progress: counted, ...combine() };
      }
      return this.nothingSent(task, addresses, [{ status: result.kind, error: result.error }], counted);
    });
  }

  private async sendToAll(
    task: StepTask,
    content: RenderedContent,
    addresses: Addresses,
    calls: InterruptedCallsOfStep,
  ): Promise<StepReport> {
    const { state, now } = task;
    const targets = new Map(state.targets?.map((one) => [one.key, one]));
    const open = addresses.targets.filter(({ key }) => calls.has(key) || isOpen(targets.get(key), now));
    const results: KeptResult[] = [];
    const gone = [...calls.values()].filter((call) => !addresses.targets.some(({ key }) => key === call.target));
    let effects = this.withoutTargets(task, gone, content, targets);
    for (const target of open) {
      const { key } = target;
      const before = ownProgress(state, targets.get(key));
      const sent = await this.sender.send(task, this.channel, content, target, before, calls.get(key));
      const next = uninterrupted(sent, effects);
      effects = next.effects;
      targets.set(target.key, targetState(target, next.result, sent.progress));
      if (next.result.kind !== 'busy') results.push(next.result);
    }
    return after(effects, async () => {
      await this.removeDeadTokens(task, results);
      const progress: StepProgress = {
        targets: [...targets.values()],
        calls: undefined,
        attempt: state.attempt + (open.length > 0 ? 1 : 0),
        ...providerOf(results),
      };
      const [first] = waitingTargets([...targets.values()], addresses);
      const outcome: StepOutcome | undefined = first
        ? { kind: 'retry', at: first.at, reason: 'provider', error: first.error }
        : [...targets.values()].some(({ status }) => status === 'sent')
          ? { kind: 'completed' }
          : undefined;
      if (outcome) return { outcome, progress, ...combine() };
      return this.nothingSent(task, addresses, [...targets.values()], progress);
    });
  }

  private nothingSent(
    { state, now }: StepTask,
    { unreachable }: Addresses,
    targets: readonly Omit<TargetState, 'key'>[],
    progress: StepProgress,
  ): StepReport {
    const { allFailed } = this.channel;
    const detail = allFailed && detailOf({ ...state, ...progress }, allFailed, now);
    const effects = combine({ details: detail ? [detail] : [] });
    return { outcome: failureOf(targets, unreachable), progress, ...effects };
  }

  /** Records calls that were begun to addresses which are no longer there. */
  private withoutTargets(
    task: StepTask,
    calls: readonly InterruptedCall[],
    { record }: Pick<RenderedContent, 'record'>,
    targets: Map<string, TargetState>,
  ): StepEffects {
    const parts = calls.map((call) => {
      const { effects, errorText } = interruptedEffects(task, this.channel, call, record);
      const { kind: status, providerId } = resultOf(call, errorText);
      targets.set(call.target, { key: call.target, status, providerId, ...(!call.isSent && { error: errorText }) });
      return effects;
    });
    return combine(...parts);
  }

  /** A step whose calls were interrupted, and which cannot be prepared any more, or is not carried on. */
  private unprepared(task: StepTask, before: StepEffects, calls: InterruptedCallsOfStep): StepReport {
    const targets = new Map(task.state.targets?.map((one) => [one.key, one]));
    const effects = this.withoutTargets(task, [...calls.values()], { record: {} }, targets);
    const states = [...targets.values()];
    const isSent = states.some(({ status }) => status === 'sent');
    return {
      outcome: isSent ? { kind: 'completed' } : failureOf(states, []),
      progress: { targets: states, calls: undefined },
      ...combine(before, effects),
    };
  }

  private async removeDeadTokens({ run }: StepTask, results: readonly KeptResult[]): Promise<void> {
    for (const result of results) {
      const { providerId, invalidTokens } = { invalidTokens: undefined, ...result };
      if (!invalidTokens?.length || providerId === undefined) continue;
      const { subscriberId } = run.record;
      await this.subscribers.removeDeviceTokens(tenantOf(run.event), subscriberId, providerId, invalidTokens);
    }
  }
}

function failed({ state, now }: StepTask, error: unknown): StepReport {
  const { reason, effects } = interruptionOf(error);
  const known =
    reason instanceof TemplateError
      ? { detail: DETAIL.contentNotGenerated, reason: 'content', message: reason.message }
      : reason instanceof StepFailure
        ? reason
        : undefined;
  if (known === undefined) throw error;
  const detail = detailOf(state, known.detail, now, { raw: { error: known.message } });
  return {
    outcome: { kind: 'failed', reason: known.reason, error: known.message },
    progress: {},
    ...combine(effects, { details: [detail] }),
  };
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
  if (uncertain !== undefined) return { kind: 'failed', reason: UNCERTAIN, error: uncertain };
  const [first] = unreachable;
  return {
    kind: 'failed',
    reason: first?.reason ?? 'no_target',
    error: first?.error ?? 'The subscriber has no address for this channel.',
  };
}

/** @throws {StepInterrupted} with everything that was done for this target and those before it */
function uninterrupted(
  { result, effects }: SentTarget,
  before: StepEffects,
): { readonly result: Exclude<TargetResult, { kind: 'interrupted' }>; readonly effects: StepEffects } {
  const all = combine(before, effects);
  if (result.kind === 'interrupted') throw new StepInterrupted(result.reason, all);
  return { result, effects: all };
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

function ownProgress(state: StepState, known: TargetState | undefined): SendProgress {
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

function targetState(
  { key }: Target,
  result: Exclude<TargetResult, { kind: 'interrupted' }>,
  { attempt, uncertainSince }: SendProgress,
): TargetState {
  const uncertain = uncertainSince && { uncertainSince };
  if (result.kind === 'busy') {
    return { key, status: 'retry', error: 'The integration is busy.', attempt, dueAt: result.at, ...uncertain };
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

function providerOf(results: readonly KeptResult[]): StepProgress {
  const providerId = results.flatMap((result) => result.providerId ?? []).at(-1);
  return providerId === undefined ? {} : { providerId };
}
