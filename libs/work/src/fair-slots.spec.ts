import { type Capacity, ClaimSlots, FairSlots, pickFair } from './fair-slots.js';

describe('FairSlots', () => {
  it('should refuse more than its size', () => {
    const slots = new FairSlots(2, 2);
    expect([slots.tryTake('a'), slots.tryTake('b'), slots.tryTake('c')]).toEqual([true, true, false]);
    slots.release('a');
    expect(slots.tryTake('c')).toBe(true);
  });

  it('should keep slots for other groups', () => {
    const slots = new FairSlots(4, 2);
    expect([slots.tryTake('a'), slots.tryTake('a'), slots.tryTake('a')]).toEqual([true, true, false]);
    expect(slots.freeFor('a')).toBe(0);
    expect(slots.freeFor('b')).toBe(2);
    slots.release('a');
    expect(slots.freeFor('a')).toBe(1);
    expect(slots.busy).toBe(1);
  });

  it('should say on release whether work may have been waiting', () => {
    const slots = new FairSlots(3, 2);
    slots.take('a');
    slots.take('a');
    expect(slots.release('a')).toBe(true);
    expect(slots.release('a')).toBe(false);
    expect(slots.free).toBe(3);
  });
});

describe('ClaimSlots', () => {
  const taken = (...groups: string[]): ClaimSlots => {
    const slots = new ClaimSlots({ size: 6, sizePerGroup: 3, worthClaiming: 2 });
    for (const group of groups) slots.take(group);
    return slots;
  };

  it('should count no slot as free before a claim is worth its cost', () => {
    expect(taken('a').freeFor('a')).toBe(2);
    expect(taken('a', 'a').freeFor('a')).toBe(0);
    const slots = taken('a', 'a', 'a', 'b', 'b');
    expect([slots.free, slots.freeFor('c')]).toEqual([0, 0]);
    expect([slots.hasRoomFor(1), slots.hasRoomFor(2)]).toEqual([true, false]);
  });

  it('should say once when a claim for a group is worth its cost again, though others have room all the time', () => {
    const slots = taken('a', 'a', 'a');
    expect(slots.freeFor('b')).toBe(3);
    expect([slots.release('a'), slots.release('a'), slots.release('a')]).toEqual([false, true, false]);
  });

  it('should say once when a claim for all is worth its cost again', () => {
    const slots = taken('a', 'a', 'a', 'a', 'b', 'b');
    expect([slots.release('b'), slots.release('b'), slots.release('a')]).toEqual([false, true, false]);
    expect(slots.freeFor('b')).toBe(3);
  });
});

interface Item {
  readonly name: string;
  readonly lane?: string;
}

const item = (name: string, lane = 'email'): Item => ({ name, lane });
const room = (free: number, most = free): Capacity => ({ free, freeFor: () => most });
const groupOf = ({ name }: Item): string => name.charAt(0);
const names = (items: readonly Item[]): string[] => items.map(({ name }) => name);

describe('pickFair', () => {
  it('should take everything where there is room', () => {
    const due = [item('a1'), item('b1'), item('a2')];
    expect(names(pickFair(due, new Map([['email', room(10)]]), groupOf)).sort()).toEqual(['a1', 'a2', 'b1']);
  });

  it('should let groups take turns where there is not', () => {
    const due = [item('a1'), item('a2'), item('a3'), item('a4'), item('b1'), item('c1')];
    expect(names(pickFair(due, new Map([['email', room(4)]]), groupOf))).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('should give no group more than its share even where no other one waits', () => {
    const due = [item('a1'), item('a2'), item('a3')];
    expect(names(pickFair(due, new Map([['email', room(10, 2)]]), groupOf))).toEqual(['a1', 'a2']);
  });

  it('should keep lanes apart', () => {
    const due = [item('a1', 'email'), item('a2', 'sms'), item('a3', 'email')];
    const capacity = new Map([
      ['email', room(0)],
      ['sms', room(5)],
    ]);
    expect(names(pickFair(due, capacity, groupOf))).toEqual(['a2']);
  });

  it('should leave lanes that are not asked for', () => {
    expect(pickFair([item('a1', 'push')], new Map([['sms', room(5)]]), groupOf)).toEqual([]);
  });
});

describe('pickFair without lanes', () => {
  const pick = (due: string[], slots: FairSlots): string[] =>
    names(
      pickFair(
        due.map((name) => ({ name })),
        new Map([[undefined, slots]]),
        groupOf,
      ),
    );

  it('should let groups take turns', () => {
    expect(pick(['a1', 'a2', 'a3', 'b1', 'c1'], new FairSlots(4, 4))).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('should not give one group more than its share, however much waits for it', () => {
    expect(pick(['a1', 'a2', 'a3', 'b1'], new FairSlots(10, 2))).toEqual(['a1', 'b1', 'a2']);
  });

  it('should pass over a group whose slots are all taken', () => {
    const slots = new FairSlots(10, 2);
    slots.take('a');
    slots.take('a');
    expect(pick(['a1', 'b1'], slots)).toEqual(['b1']);
    expect(pick(['a1'], slots)).toEqual([]);
  });

  it('should pick nothing where all slots are taken', () => {
    const slots = new FairSlots(1, 1);
    slots.take('a');
    expect(pick(['b1'], slots)).toEqual([]);
  });
});
