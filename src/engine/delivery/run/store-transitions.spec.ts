import { Types } from 'mongoose';
import type { StepState } from '../records/notification.js';
import { promote, queueReplay } from './store-transitions.js';

const dueAt = new Date('2026-01-02T00:00:00Z');
const finishedAt = new Date('2026-01-01T00:00:00Z');
const step = (status: StepState['status']): StepState => ({
  _id: new Types.ObjectId(),
  stepId: new Types.ObjectId(),
  type: 'digest',
  status,
  attempt: 1,
  finishedAt,
});

describe('promote', () => {
  const steps = [step('completed'), step('merged'), step('merged')];

  it('should wait at the first merged step and open the later ones', () => {
    const { $set } = promote({ steps }, { slot: 'slot', dueAt, isJoinable: true });
    expect($set).toMatchObject({
      status: 'active',
      current: 1,
      wakeAt: dueAt,
      lane: 'store',
      digestSlot: 'slot',
      digestLastSlot: 'slot',
      steps: [{ status: 'completed', finishedAt }, { status: 'delayed', dueAt }, { status: 'pending' }],
    });
    const [, delayed, pending] = ($set as { steps: StepState[] }).steps;
    expect(delayed).not.toHaveProperty('finishedAt');
    expect(pending).not.toHaveProperty('finishedAt');
  });

  it('should leave the slot to another digest that has it', () => {
    const { $set } = promote({ steps }, { slot: 'slot', dueAt, isJoinable: false });
    expect($set).not.toHaveProperty('digestSlot');
    expect($set).toMatchObject({ digestLastSlot: 'slot' });
  });
});

describe('queueReplay', () => {
  it('should be due when the record says so, and count no earlier claims', () => {
    const record = { status: 'active', current: 0, steps: [], wakeAt: dueAt, updatedAt: finishedAt } as never;
    expect(queueReplay(record, 'email')).toEqual({
      $set: {
        status: 'active',
        current: 0,
        steps: [],
        wakeAt: dueAt,
        dueSince: dueAt,
        updatedAt: finishedAt,
        lane: 'email',
      },
      $unset: { expireAt: 1, takenUp: 1, suspectGroup: 1, setAsideAt: 1 },
    });
  });
});
