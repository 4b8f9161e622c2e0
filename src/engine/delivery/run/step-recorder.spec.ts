import '../../../../test/support/declared-steps.js';
import { Types } from 'mongoose';
import { DETAIL } from '../../execution-details/index.js';
import { detailOf, Effects, StepRecorder } from './step-recorder.js';

const now = new Date('2026-01-01T00:00:00Z');
const state = { _id: new Types.ObjectId(), type: 'push', providerId: 'fcm' } as const;

describe('StepRecorder', () => {
  it('should keep everything in the order in which it was done, with the time of the step', () => {
    const recorder = new StepRecorder(state, now);
    const events = [{}, {}];
    recorder.note(DETAIL.stepQueued);
    recorder.add({ events: events.slice(0, 1) });
    recorder.note(DETAIL.startSending, { isRetry: true });
    recorder.add({ events: events.slice(1) });
    expect(recorder.details).toEqual([
      detailOf(state, DETAIL.stepQueued, now),
      detailOf(state, DETAIL.startSending, now, { isRetry: true }),
    ]);
    expect(recorder.events).toEqual(events);
  });

  it('should not change the effects of a run after they were read', () => {
    const recorder = new StepRecorder(state, now);
    recorder.note(DETAIL.startSending);
    const effects = new Effects();
    effects.add(recorder);
    recorder.note(DETAIL.messageSent);
    expect(effects.details).toEqual([detailOf(state, DETAIL.startSending, now)]);
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
