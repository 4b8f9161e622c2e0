import { TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { type StepState, type TargetState, UNCERTAIN } from '../records/notification.record.js';
import type { StepResult } from '../run/transitions.js';
import { checkSize } from './message-size.js';
import type { StepGate } from './step-gate.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';
import type { VariantChooser } from './variant-chooser.js';
import {
  type Addresses,
  type ChannelShape,
  type RenderedContent,
  StepFailure,
  type Target,
} from './provider-channel.js';
import type { DeadTokens } from './dead-tokens.js';
import type { MessageJournal } from './message-journal.js';
import type { TargetResult, TargetSender } from './target-sender.js';

/** What every channel that sends through providers uses. */
export interface ChannelTools {
  readonly gate: StepGate;
  readonly variants: VariantChooser;
  readonly sender: TargetSender;
  readonly journal: MessageJournal;
  readonly deadTokens: DeadTokens;
}

/**
 * The one way of all channels that send through providers: conditions and preferences, content, addresses, then each
 * address with its own outcome. The step is done when one address was reached and none is left to be tried.
 */
export class ChannelStep implements StepHandler {
  readonly type: ChannelShape['channel'];

  constructor(
    private readonly shape: ChannelShape,
    private readonly tools: ChannelTools,
  ) {
    this.type = shape.channel;
  }

  async run(task: StepTask): Promise<StepResult> {
    const { run, state, now } = task;
    const refused = await this.tools.gate.refuse(task);
    if (refused) return refused;
    run.effects.detail(state, DETAIL.startSending, now, state.attempt > 0 ? { isRetry: true } : {});
    try {
      const { template, _id } = await this.tools.variants.choose(task);
      const content = await this.shape.render(task, template);
      const { payload, overrides } = run.event;
      const record = { messageTemplateId: _id, payload, overrides, ...content.record };
      checkSize(record);
      const addresses = await this.shape.address(task, content);
      for (const integration of addresses.targets.flatMap(({ integrations }) => integrations)) {
        const shown = this.shape.shown?.(task, integration);
        if (shown !== undefined) checkSize({ ...record, ...shown });
      }
      return await this.deliver(task, { ...content, record }, addresses);
    } catch (error) {
      return this.failed(task, error);
    }
  }

  private failed({ run, state, now }: StepTask, error: unknown): StepResult {
    if (error instanceof TemplateError) {
      run.effects.detail(state, DETAIL.contentNotGenerated, now, { raw: { error: error.message } });
      return { kind: 'failed', reason: 'content', error: error.message };
    }
    if (!(error instanceof StepFailure)) throw error;
    run.effects.detail(state, error.detail, now, { raw: { error: error.message } });
    return { kind: 'failed', reason: error.reason, error: error.message };
  }

  private async deliver(task: StepTask, content: RenderedContent, addresses: Addresses): Promise<StepResult> {
    const { state, now } = task;
    const known = new Map(state.targets?.map((one) => [one.key, one]));
    const open = addresses.targets.filter(({ key }) => isOpen(known.get(key), now));
    const isMany = addresses.targets.length > 1 || state.targets !== undefined;
    if (state.attempt === 0 && state.targets === undefined) {
      for (const one of addresses.unreachable) this.tools.journal.unreachable(task, content, one);
    }
    const { attempt, tried, uncertainSince, uncertainAt, mayBeSent } = state;
    const before = { attempt, tried, uncertainSince, uncertainAt, mayBeSent };
    const results: [Target, CountedResult][] = [];
    for (const target of open) {
      // Each target counts its own attempts.
      if (isMany) Object.assign(state, before, ownOf(known.get(target.key)));
      const result = await this.tools.sender.send(task, this.shape, content, target);
      if (result.kind === 'busy' && !isMany) return { ...result, hasBegun: state.tried !== before.tried };
      results.push([target, counted(result, state)]);
    }
    if (isMany) Object.assign(state, before);
    const reports = results.map(([, result]) => result);
    await this.tools.deadTokens.remove(task, reports);
    return this.conclude(task, addresses, results);
  }

  /** The step's result from those of its targets. */
  private conclude(task: StepTask, addresses: Addresses, results: readonly [Target, CountedResult][]): StepResult {
    const { state } = task;
    const isSingle = addresses.targets.length <= 1 && state.targets === undefined;
    if (!isSingle) state.targets = mergeTargets(state.targets ?? [], results);
    const waiting = isSingle ? [] : waitingTargets(state.targets ?? [], addresses);
    for (const [, { providerId }] of results) if (providerId !== undefined) state.providerId = providerId;
    if (results.length > 0) state.attempt += 1;
    const retries = isSingle ? results.flatMap(([, result]) => (result.kind === 'retry' ? [result] : [])) : waiting;
    const [first] = retries.sort((a, b) => a.at.getTime() - b.at.getTime());
    if (first !== undefined) {
      return { kind: 'retry', at: first.at, reason: 'provider', error: first.error };
    }
    const wasSent =
      results.some(([, { kind }]) => kind === 'sent') || state.targets?.some(({ status }) => status === 'sent');
    if (wasSent === true) return { kind: 'completed' };
    return this.allFailed(task, addresses, results);
  }

  private allFailed(
    { run, state, now }: StepTask,
    { unreachable }: Addresses,
    results: readonly [Target, CountedResult][],
  ): StepResult {
    if (this.shape.allFailed !== undefined) run.effects.detail(state, this.shape.allFailed, now);
    const ended = (state.targets ?? results.map(([, result]) => toTarget(result))).filter(
      (one) => one.error !== undefined,
    );
    // One that waits for its next attempt and is no longer the subscriber's ends here.
    const failed = ended.find(({ status, uncertainSince }) => status !== 'uncertain' && uncertainSince === undefined);
    if (failed?.error !== undefined)
      return { kind: 'failed', reason: 'provider', error: failed.error, deadLetter: true };
    const uncertain = ended[0]?.error;
    if (uncertain !== undefined) return { kind: 'failed', reason: UNCERTAIN, error: uncertain };
    const [nobody] = unreachable;
    return {
      kind: 'failed',
      reason: nobody?.reason ?? 'no_target',
      error: nobody?.error ?? 'There is nowhere to send to.',
    };
  }
}

/** What a step knows of one of its targets while that is being tried. */
function ownOf(known: TargetState | undefined): Partial<StepState> {
  const { attempt = 0, uncertainSince } = known ?? {};
  return { attempt, uncertainSince, mayBeSent: uncertainSince !== undefined };
}

/** Whether a target is to be tried now: it never was, or its time has come again. */
function isOpen(known: TargetState | undefined, now: Date): boolean {
  if (known === undefined) return true;
  return known.status === 'retry' && (known.dueAt === undefined || known.dueAt <= now);
}

/** Targets that are to be tried again and are still the subscriber's. */
function waitingTargets(known: readonly TargetState[], { targets }: Addresses): { at: Date; error: string }[] {
  const keys = new Set(targets.map(({ key }) => key));
  return known.flatMap(({ key, status, dueAt, error }) =>
    status === 'retry' && dueAt !== undefined && keys.has(key) ? [{ at: dueAt, error: error ?? '' }] : [],
  );
}

type CountedResult =
  | Exclude<TargetResult, { kind: 'retry' | 'busy' }>
  | { kind: 'retry'; at: Date; error: string; providerId?: string; attempt: number; uncertainSince?: Date };

/** What came before at this target. */
function counted(result: TargetResult, { attempt, uncertainSince }: StepState): CountedResult {
  if (result.kind === 'busy') {
    const uncertain = uncertainSince && { uncertainSince };
    return { kind: 'retry', at: result.at, error: 'The integration is busy.', attempt, ...uncertain };
  }
  return result.kind === 'retry' ? { ...result, attempt: attempt + 1 } : result;
}

function toTarget(result: CountedResult): Omit<TargetState, 'key'> {
  const { uncertainSince } = result.kind === 'retry' ? result : {};
  return {
    status: result.kind,
    ...(result.providerId !== undefined && { providerId: result.providerId }),
    ...(result.kind !== 'sent' && { error: result.error }),
    ...(result.kind === 'retry' && { attempt: result.attempt, dueAt: result.at }),
    ...(uncertainSince && { uncertainSince }),
  };
}

function mergeTargets(known: readonly TargetState[], results: readonly [Target, CountedResult][]): TargetState[] {
  const merged = new Map(known.map((one) => [one.key, one]));
  for (const [{ key }, result] of results) {
    merged.set(key, { key, ...toTarget(result) });
  }
  return [...merged.values()];
}
