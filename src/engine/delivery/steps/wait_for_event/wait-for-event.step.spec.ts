import { Types } from 'mongoose';
import type { AwaitingEnvironments } from '../../records/awaiting-environments.js';
import type { WaitState } from '../../records/step-state.js';
import type { StepTask } from '../../run/step-handler.js';
import { StepRecorder } from '../../run/step-recorder.js';
import type { StepGate } from '../step-gate.js';
import type { WaitAnswers } from './wait-answers.js';
import { WaitForEventStep } from './wait-for-event.step.js';

const now = new Date('2026-01-01T00:00:00Z');
const metadata = { event: 'go', amount: 1, unit: 'minutes', onMatch: 'continue', onTimeout: 'continue' };

/** It can ask nobody. */
function recall(wait: Partial<WaitState> | undefined): Promise<object> {
  const step = new WaitForEventStep({} as StepGate, {} as WaitAnswers, {} as AwaitingEnvironments);
  const state = {
    _id: new Types.ObjectId(),
    type: 'wait_for_event',
    wait: wait && { since: now, until: now, ...wait },
  };
  const recorder = new StepRecorder(state, now);
  return step.recall({ run: {}, step: { metadata }, state, now, recorder } as unknown as StepTask);
}

describe('WaitForEventStep', () => {
  it.each<[string, Partial<WaitState>, object]>([
    ['an event', { outcome: 'matched', at: now, payload: { n: 1 } }, { matched: true, payload: { n: 1 } }],
    ['the end of its time', { outcome: 'timed_out' }, { matched: false }],
  ])('should recall the output of a wait that ended with %s', async (_case, wait, output) => {
    expect(await recall(wait)).toEqual({ output: expect.objectContaining({ event: 'go', ...output }) });
  });

  it.each([undefined, {}])('should recall nothing of a wait without a decision', async (wait) => {
    expect(await recall(wait)).toEqual({});
  });
});
