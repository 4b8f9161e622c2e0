import { LaneSlots } from './lane-slots.js';

describe('LaneSlots', () => {
  it('should refuse more than its size', () => {
    const slots = new LaneSlots(2, 2);
    expect([slots.tryTake('a'), slots.tryTake('b'), slots.tryTake('c')]).toEqual([true, true, false]);
    slots.release('a');
    expect(slots.tryTake('c')).toBe(true);
  });

  it('should keep places for other environments', () => {
    const slots = new LaneSlots(4, 2);
    expect([slots.tryTake('a'), slots.tryTake('a'), slots.tryTake('a')]).toEqual([true, true, false]);
    expect(slots.freeFor('a')).toBe(0);
    expect(slots.freeFor('b')).toBe(2);
    slots.release('a');
    expect(slots.freeFor('a')).toBe(1);
    expect(slots.busy).toBe(1);
  });
});
