import { Types } from 'mongoose';
import { percentileMs } from './send-times.js';
import { type CountedRun, TallySum } from './tally.js';

const workflow = new Types.ObjectId();
const begin = new Date('2026-03-01T10:00:00Z');
const after = (ms: number): Date => new Date(begin.getTime() + ms);
const run = (...steps: CountedRun['steps'][number][]): CountedRun => ({
  _templateId: workflow,
  channels: steps.map(({ type }) => type),
  status: 'completed',
  createdAt: begin,
  steps,
});
const p95 = (sum: TallySum): number | undefined => percentileMs(sum.result.workflows[0]?.times ?? [], 0.95);

describe('TallySum', () => {
  it('should measure from the beginning of the run, or the step before', () => {
    const sum = new TallySum();
    sum.addRun(
      run(
        { type: 'delay', status: 'completed', finishedAt: after(3_600_000) },
        { type: 'email', status: 'completed', finishedAt: after(3_600_900) },
      ),
    );
    expect(p95(sum)).toBeGreaterThan(640);
    expect(p95(sum)).toBeLessThanOrEqual(1_280);
  });

  it('should measure neither steps that were held, or replayed, or failed, nor those without a message', () => {
    const sum = new TallySum();
    const held = { since: begin, by: ['schedule'], times: 1 } as const;
    sum.addRun(run({ type: 'email', status: 'completed', finishedAt: after(9_000), held }));
    sum.addRun(run({ type: 'email', status: 'completed', finishedAt: after(9_000), replays: 1 }));
    sum.addRun(run({ type: 'email', status: 'failed', finishedAt: after(9_000) }));
    sum.addRun(run({ type: 'http_request', status: 'completed', finishedAt: after(9_000) }));
    expect(p95(sum)).toBeUndefined();
    expect(sum.result.channels).toMatchObject([{ channel: 'email', failed: 1, sent: 0 }]);
  });

  it('should count messages by what is known of them', () => {
    const sum = new TallySum();
    const message = { _templateId: workflow, channel: 'email', read: false } as const;
    for (const status of [
      'sent',
      'delivered',
      'opened',
      'bounced',
      'complained',
      'error',
      'warning',
      'pending',
    ] as const)
      sum.addMessage({ ...message, status });
    sum.addMessage({ ...message, channel: 'in_app', status: 'sent', read: true });
    expect(sum.result.channels).toEqual([
      { _templateId: workflow, channel: 'email', sent: 5, delivered: 3, read: 1, bounced: 1, failed: 0, skipped: 0 },
      { _templateId: workflow, channel: 'in_app', sent: 1, delivered: 1, read: 1, bounced: 0, failed: 0, skipped: 0 },
    ]);
  });

  it('should count runs by the kinds of their steps, also where a tally of an earlier version has none', () => {
    const sum = new TallySum();
    sum.addRun(run({ type: 'delay', status: 'completed' }, { type: 'email', status: 'completed' }));
    sum.addRun(run({ type: 'email', status: 'completed' }));
    const [whole] = sum.result.workflows;
    expect(whole?.kinds).toEqual({ delay: 1, email: 2 });
    const { kinds: _, ...earlier } = whole as NonNullable<typeof whole>;
    sum.add({ channels: [], workflows: [earlier] });
    expect(sum.result.workflows).toMatchObject([{ runs: 4, kinds: { delay: 1, email: 2 } }]);
  });

  it('should add up to the same by intervals as by records', () => {
    const step = (ms: number) => ({ type: 'sms', status: 'completed', finishedAt: after(ms) }) as const;
    const [first, second, all, total] = [new TallySum(), new TallySum(), new TallySum(), new TallySum()];
    for (const sum of [first, all]) sum.addRun({ ...run(step(20)), status: 'failed' });
    for (const sum of [second, all]) sum.addRun(run(step(70_000), { type: 'push', status: 'skipped' }));
    total.add(first.result);
    total.add(second.result);
    expect(total.result).toEqual(all.result);
  });
});
