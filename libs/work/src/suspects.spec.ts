import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { Suspects } from './suspects.js';
import type { Claimable } from './work-queue.js';

const BLOCK_MS = 6_000;

describe('Suspects', () => {
  const clock = new ManualClock();
  const newSuspects = (suspectClaims = 2): Suspects =>
    new Suspects({ suspectClaims, maxClaims: 5, maxBlockMs: BLOCK_MS }, clock);
  const taken = (takenUp: number, count = 1): Claimable[] =>
    Array.from({ length: count }, () => ({ _id: new Types.ObjectId(), takenUp }));

  it('should let through what was never left behind, or once', () => {
    const records = [...taken(0), ...taken(1, 3)];
    expect(newSuspects().admit(records)).toEqual({ clean: records, alone: [], later: [], hopeless: [] });
  });

  it('should take a few at a time, then one at a time, and give the rest back for later', () => {
    const suspects = newSuspects();
    const twice = suspects.admit([...taken(2, 60), ...taken(3, 2)]);
    expect(twice.alone).toHaveLength(25);
    expect(twice.later.map(({ records, at }) => [records.length, at.getTime() - clock.now().getTime()])).toEqual([
      [25, 250],
      [12, 500],
    ]);
    suspects.done();
    expect(suspects.admit(taken(3, 2)).alone).toHaveLength(1);
  });

  it('should have one suspect in flight at once, but not wait for ever for one that does not come back', () => {
    const suspects = newSuspects();
    expect(suspects.admit(taken(4)).alone).toHaveLength(1);
    expect(suspects.admit(taken(4)).alone).toHaveLength(0);
    clock.advance(BLOCK_MS);
    expect(suspects.admit(taken(4)).alone).toHaveLength(1);
  });

  it('should give up what was taken up too often', () => {
    const [last, hopeless] = [taken(5), taken(6)];
    expect(newSuspects().admit([...last, ...hopeless])).toMatchObject({ alone: last, hopeless });
  });

  it('should only give up where there are no suspects', () => {
    const [last, hopeless] = [taken(5), taken(6)];
    const suspects = newSuspects(Infinity);
    expect(suspects.admit([...last, ...hopeless])).toEqual({ clean: last, alone: [], later: [], hopeless });
  });
});
