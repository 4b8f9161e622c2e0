import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { Claimable } from '../records/notification.record.js';
import { Suspects } from './suspects.js';
import type { WorkQueues } from './work-queues.js';

const LEASE_MS = 1_000;

describe('Suspects', () => {
  const clock = new ManualClock();
  const queues = {
    maxClaims: 5,
    notifications: { leaseMs: LEASE_MS },
    now: () => clock.now(),
  } as unknown as WorkQueues;
  const taken = (takenUp: number, count = 1): Claimable[] =>
    Array.from({ length: count }, () => ({ _id: new Types.ObjectId(), _environmentId: new Types.ObjectId(), takenUp }));

  it('should let through what nobody has died over, and what was left behind once', () => {
    const records = [...taken(0), ...taken(1, 3)];
    expect(new Suspects(queues).admit(records)).toEqual({ clean: records, alone: [], later: [], hopeless: [] });
  });

  it('should take a few at a time, then one at a time, and give the rest back for later', () => {
    const suspects = new Suspects(queues);
    const twice = suspects.admit([...taken(2, 60), ...taken(3, 2)]);
    expect(twice.alone).toHaveLength(25);
    expect(twice.later.map(({ records, at }) => [records.length, at.getTime() - clock.now().getTime()])).toEqual([
      [25, 250],
      [12, 500],
    ]);
    suspects.done();
    expect(suspects.admit(taken(3, 2)).alone).toHaveLength(1);
  });

  it('should have one suspect at work at once, but not wait for ever for one that does not come back', () => {
    const suspects = new Suspects(queues);
    expect(suspects.admit(taken(4)).alone).toHaveLength(1);
    expect(suspects.admit(taken(4)).alone).toHaveLength(0);
    clock.advance(10 * LEASE_MS);
    expect(suspects.admit(taken(4)).alone).toHaveLength(1);
  });

  it('should give up what was taken up too often', () => {
    const [last, hopeless] = [taken(5), taken(6)];
    expect(new Suspects(queues).admit([...last, ...hopeless])).toMatchObject({ alone: last, hopeless });
  });
});
