import { Types } from 'mongoose';
import type { StepState } from '../records/notification.js';
import type { StepTask } from '../run/step-handler.js';
import { combine, StepInterrupted, type StepReport } from '../run/step-report.js';
import { InterruptedCalls } from './interrupted-calls.js';
import type { ProviderChannel, Target } from './provider-channel.js';
import { ProviderStep } from './provider.step.js';
import type { SendProgress } from './retry-rules.js';
import type { StepGate } from './step-gate.js';
import type { SentTarget, TargetResult, TargetSender } from './target-sender.js';

const now = new Date('2026-01-01T00:00:00Z');
const inMinutes = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const targetOf = (key: string): Target => ({ key, integrations: [], record: {}, compose: () => ({}) as never });

/** A step whose targets get these results, in their order. */
function stepWith(
  keys: readonly string[],
  ...sent: Partial<SentTarget>[]
): { step: ProviderStep; seen: SendProgress[] } {
  const seen: SendProgress[] = [];
  const channel: ProviderChannel = {
    channel: 'chat',
    errorId: 'x',
    namesProvider: false,
    render: () => Promise.resolve({ record: {}, details: [] }),
    contentOf: () => ({ content: '' }),
    address: () => Promise.resolve({ targets: keys.map(targetOf), unreachable: [] }),
  };
  const gate = {
    refuse: () => Promise.resolve(undefined),
    chooseTemplate: () => Promise.resolve({ _id: new Types.ObjectId(), template: {}, details: [] }),
  } as unknown as StepGate;
  const sender = {
    send: (...[, , , , before]: Parameters<TargetSender['send']>) => {
      seen.push(before);
      const next = sent.shift();
      return Promise.resolve({
        result: { kind: 'sent', providerId: 'p' },
        progress: before,
        effects: combine(),
        ...next,
      });
    },
  } as unknown as TargetSender;
  return { step: new ProviderStep(channel, gate, sender, {} as never, new InterruptedCalls({} as never)), seen };
}

function run({ step }: { step: ProviderStep }, state: Partial<StepState> = {}): Promise<StepReport> {
  const own = { _id: new Types.ObjectId(), type: 'chat', status: 'running', attempt: 0, ...state };
  return step.run({
    run: { event: { payload: {}, overrides: {} }, record: {} },
    state: own,
    now,
  } as unknown as StepTask);
}

const retry = (minutes: number): TargetResult => ({
  kind: 'retry',
  at: inMinutes(minutes),
  error: 'unavailable',
  providerId: 'p',
});

describe('ProviderStep with one target', () => {
  it('should count attempts in the state of the step', async () => {
    const { outcome, progress } = await run(
      stepWith(['a'], { result: retry(1), progress: { attempt: 2, tried: ['i'] } }),
    );
    expect(outcome).toEqual({ kind: 'retry', at: inMinutes(1), reason: 'provider', error: 'unavailable' });
    expect(progress).toMatchObject({ attempt: 3, tried: ['i'], providerId: 'p' });
    expect(progress.targets).toBeUndefined();
  });

  it.each([
    ['not have begun while it waits for its turn', { attempt: 1 }, false],
    ['have begun when an integration was given up before', { attempt: 0, tried: ['i'] }, true],
  ])('should %s', async (_what, progress, hasBegun) => {
    const busy = { kind: 'busy', at: inMinutes(1) } as const;
    const report = await run(stepWith(['a'], { result: busy, progress }), { attempt: 1 });
    expect(report.outcome).toEqual({ ...busy, hasBegun });
    expect(report.progress).toMatchObject(progress);
  });

  it('should fail with what the last integration says', async () => {
    const { outcome } = await run(stepWith(['a'], { result: { kind: 'failed', error: 'refused' } }));
    expect(outcome).toEqual({ kind: 'failed', reason: 'provider', error: 'refused', deadLetter: true });
    const uncertain = await run(stepWith(['a'], { result: { kind: 'uncertain', error: 'no answer' } }));
    expect(uncertain.outcome).toEqual({ kind: 'failed', reason: 'uncertain', error: 'no answer' });
  });
});

describe('ProviderStep with several targets', () => {
  it('should count the attempts of each target, and come again for the earliest', async () => {
    const targets: StepState['targets'] = [
      { key: 'a', status: 'retry', attempt: 2, dueAt: now },
      { key: 'b', status: 'retry', attempt: 1, dueAt: inMinutes(5) },
    ];
    const step = stepWith(['a', 'b'], { result: retry(9), progress: { attempt: 2 } });
    const { outcome, progress } = await run(step, { attempt: 4, targets });
    expect(step.seen).toEqual([{ attempt: 2, mayBeSent: false }]);
    expect(outcome).toMatchObject({ kind: 'retry', at: inMinutes(5) });
    expect(progress).toMatchObject({
      attempt: 5,
      targets: [{ key: 'a', attempt: 3, dueAt: inMinutes(9) }, targets[1]],
    });
  });

  it('should be complete when one was reached and none is left to try', async () => {
    const { outcome, progress } = await run(stepWith(['a', 'b'], { result: { kind: 'failed', error: 'refused' } }));
    expect(outcome).toEqual({ kind: 'completed' });
    expect(progress.targets).toMatchObject([{ status: 'failed' }, { status: 'sent' }]);
  });

  it('should keep what was sent when a later target is interrupted', async () => {
    const event = {};
    const lost = new Error('the lease is lost');
    const step = stepWith(
      ['a', 'b'],
      { effects: combine({ events: [event] }) },
      { result: { kind: 'interrupted', reason: lost } },
    );
    const fault: unknown = await run(step).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StepInterrupted);
    expect(fault).toMatchObject({ reason: lost, effects: { events: [event] } });
  });
});
