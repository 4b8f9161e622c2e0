import { Types } from 'mongoose';
import { DETAIL } from '../../execution-details/index.js';
import type { StepState } from '../records/notification.js';
import type { StepTask } from '../run/step-handler.js';
import { StepRecorder } from '../run/step-recorder.js';
import type { StepOutcome } from '../run/transitions.js';
import { InterruptedCalls } from '../run/begun-calls.js';
import type { DeadTargets } from './dead-targets.js';
import type { ProviderChannel, Target } from './provider-channel.js';
import type { BudgetGate } from './budget-gate.js';
import { ProviderStep, ProviderStepTools } from './provider.step.js';
import type { SendProgress } from './retry-rules.js';
import type { StepGate } from './step-gate.js';
import type { SentTarget, TargetResult, TargetSender } from './target-sender.js';

const now = new Date('2026-01-01T00:00:00Z');
const inMinutes = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const targetOf = (key: string): Target => ({ key, integrations: [], record: {}, compose: () => ({}) as never });

class ChannelStep extends ProviderStep {}

/** A step whose targets get these results, in their order. */
function stepWith(
  keys: readonly string[],
  ...sent: (Partial<SentTarget> | Error)[]
): { step: ProviderStep; seen: SendProgress[] } {
  const seen: SendProgress[] = [];
  const channel: ProviderChannel = {
    channel: 'chat',
    errorId: 'x',
    namesProvider: false,
    render: () => Promise.resolve({ record: {} }),
    contentOf: () => ({ content: '' }),
    address: () => Promise.resolve({ targets: keys.map(targetOf), unreachable: [] }),
  };
  const gate = {
    refuse: () => Promise.resolve(undefined),
    chooseTemplate: () => Promise.resolve({ _id: new Types.ObjectId(), template: {} }),
  } as unknown as StepGate;
  const sender = {
    send: (...[task, , , target, before]: Parameters<TargetSender['send']>) => {
      seen.push(before);
      const next = sent.shift();
      task.recorder.add({ events: [target.key] as unknown as object[] });
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({ result: { kind: 'sent', providerId: 'p' }, progress: before, ...next });
    },
  } as unknown as TargetSender;
  const noneDead = { remove: () => Promise.resolve() } as unknown as DeadTargets;
  const noBudgets = { refuse: () => Promise.resolve(undefined) } as unknown as BudgetGate;
  return {
    step: new ChannelStep(
      channel,
      new ProviderStepTools(gate, sender, noneDead, new InterruptedCalls({} as never), noBudgets),
    ),
    seen,
  };
}

function taskOf(state: Partial<StepState> = {}): StepTask {
  const own = { _id: new Types.ObjectId(), type: 'chat', status: 'running', attempt: 0, ...state } as StepState;
  const recorder = new StepRecorder(own, now);
  return {
    run: { event: { payload: {}, overrides: {} }, record: {} },
    state: own,
    now,
    recorder,
  } as unknown as StepTask;
}

function run({ step }: { step: ProviderStep }, state: Partial<StepState> = {}): Promise<StepOutcome> {
  return step.run(taskOf(state));
}

const retry = (minutes: number): TargetResult => ({
  kind: 'retry',
  at: inMinutes(minutes),
  error: 'unavailable',
  providerId: 'p',
});

describe('ProviderStep with one target', () => {
  it('should count attempts in the state of the step', async () => {
    const { progress, ...outcome } = await run(
      stepWith(['a'], { result: retry(1), progress: { attempt: 2, tried: ['i'] } }),
    );
    expect(outcome).toEqual({ kind: 'retry', at: inMinutes(1), reason: 'provider', error: 'unavailable' });
    expect(progress).toMatchObject({ attempt: 3, tried: ['i'], providerId: 'p' });
    expect(progress?.targets).toBeUndefined();
  });

  it.each([
    ['not have begun while it waits for its turn', { attempt: 1 }, false],
    ['have begun when an integration was given up before', { attempt: 0, tried: ['i'] }, true],
  ])('should %s', async (_what, progress, hasBegun) => {
    const busy = { kind: 'busy', at: inMinutes(1) } as const;
    const outcome = await run(stepWith(['a'], { result: busy, progress }), { attempt: 1 });
    expect(outcome).toEqual({ ...busy, hasBegun, progress: expect.objectContaining(progress) as unknown });
  });

  it('should fail with what the last integration says', async () => {
    const { progress: _progress, ...outcome } = await run(
      stepWith(['a'], { result: { kind: 'failed', error: 'refused' } }),
    );
    expect(outcome).toEqual({ kind: 'failed', reason: 'provider', error: 'refused', deadLetter: true });
    const uncertain = await run(stepWith(['a'], { result: { kind: 'uncertain', error: 'no answer' } }));
    expect(uncertain).toMatchObject({ kind: 'failed', reason: 'uncertain', error: 'no answer' });
  });
});

describe('ProviderStep without a target', () => {
  it('should fail and leave its progress as it is', async () => {
    expect(await run(stepWith([]))).toEqual({
      kind: 'failed',
      reason: 'no_target',
      error: 'The subscriber has no address for this channel.',
      progress: {},
    });
  });
});

describe('ProviderStep with several targets', () => {
  it('should keep the states of all targets where only one is left', async () => {
    const targets: StepState['targets'] = [{ key: 'gone', status: 'sent', providerId: 'p' }];
    const step = stepWith(['a'], { result: retry(1), progress: { attempt: 0 } });
    const { progress, ...outcome } = await run(step, { attempt: 1, targets });
    expect(outcome).toEqual({ kind: 'retry', at: inMinutes(1), reason: 'provider', error: 'unavailable' });
    expect(progress?.targets).toEqual([
      targets[0],
      { key: 'a', status: 'retry', providerId: 'p', error: 'unavailable', attempt: 1, dueAt: inMinutes(1) },
    ]);
    expect(progress).toMatchObject({ attempt: 2, calls: undefined, providerId: 'p' });
  });

  it('should come again for a target whose integration is busy, and count no attempt of it', async () => {
    const step = stepWith(['a', 'b'], { result: { kind: 'busy', at: inMinutes(2) }, progress: { attempt: 0 } });
    const { progress, ...outcome } = await run(step);
    expect(outcome).toMatchObject({ kind: 'retry', at: inMinutes(2), error: 'The integration is busy.' });
    expect(progress?.targets).toMatchObject([
      { key: 'a', attempt: 0, dueAt: inMinutes(2) },
      { key: 'b', status: 'sent' },
    ]);
  });

  it('should count the attempts of each target, and come again for the earliest', async () => {
    const targets: StepState['targets'] = [
      { key: 'a', status: 'retry', attempt: 2, dueAt: now },
      { key: 'b', status: 'retry', attempt: 1, dueAt: inMinutes(5) },
    ];
    const step = stepWith(['a', 'b'], { result: retry(9), progress: { attempt: 2 } });
    const { progress, ...outcome } = await run(step, { attempt: 4, targets });
    expect(step.seen).toEqual([{ attempt: 2, mayBeSent: false }]);
    expect(outcome).toMatchObject({ kind: 'retry', at: inMinutes(5) });
    expect(progress).toMatchObject({
      attempt: 5,
      targets: [{ key: 'a', attempt: 3, dueAt: inMinutes(9) }, targets[1]],
    });
  });

  it('should be complete when one was reached and none is left to try', async () => {
    const { progress, ...outcome } = await run(stepWith(['a', 'b'], { result: { kind: 'failed', error: 'refused' } }));
    expect(outcome).toEqual({ kind: 'completed' });
    expect(progress?.targets).toMatchObject([{ status: 'failed' }, { status: 'sent' }]);
  });

  it('should keep what was done when a later target is interrupted', async () => {
    const lost = new Error('the lease is lost');
    const task = taskOf();
    await expect(stepWith(['a', 'b', 'c'], {}, lost).step.run(task)).rejects.toBe(lost);
    expect(task.recorder.events).toEqual(['a', 'b']);
    expect(task.recorder.details).toMatchObject([{ detail: DETAIL.startSending }]);
  });
});
