import { Types } from 'mongoose';
import { DETAIL } from '../../execution-details/index.js';
import { after, combine, detailOf, interruptionOf, keeping, reportOf, StepInterrupted } from './step-report.js';

const now = new Date('2026-01-01T00:00:00Z');
const state = { _id: new Types.ObjectId(), type: 'push', providerId: 'fcm' } as const;
const queued = detailOf(state, DETAIL.stepQueued, now);
const started = detailOf(state, DETAIL.startSending, now);

describe('the report of a step', () => {
  it('should hold the effects of its parts in their order', async () => {
    const report = await after({ details: [queued] }, () =>
      Promise.resolve(reportOf({ kind: 'completed' }, [started])),
    );
    expect(report).toEqual({
      outcome: { kind: 'completed' },
      progress: {},
      messages: [],
      updates: [],
      details: [queued, started],
      events: [],
    });
  });

  it('should keep what was done before a fault, through all parts around it', async () => {
    const event = {};
    const broken = (): Promise<never> => keeping({ events: [event] }, () => Promise.reject(new Error('broken')));
    const fault: unknown = await after({ details: [queued] }, () => after({ details: [started] }, broken)).catch(
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(StepInterrupted);
    const { reason, effects } = interruptionOf(fault);
    expect(reason).toEqual(new Error('broken'));
    expect(effects).toEqual(combine({ details: [queued, started], events: [event] }));
  });

  it('should show nothing done for a fault of its first part', () => {
    const error = new Error('broken');
    expect(interruptionOf(error)).toEqual({ reason: error, effects: combine() });
  });

  it('should name the provider of a push step, and a replay, in each detail', () => {
    expect(detailOf({ ...state, replays: 1 }, DETAIL.stepQueued, now)).toMatchObject({
      jobId: state._id,
      channel: 'push',
      providerId: 'fcm',
      isRetry: true,
    });
    expect(detailOf({ ...state, type: 'email' }, DETAIL.stepQueued, now)).not.toHaveProperty('providerId');
  });
});
