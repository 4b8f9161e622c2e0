import type { DraftStep } from './draft.js';
import { armsAround, insertedAt, movedOver, movedTo, neighbourOf } from './places.js';

const step = (uuid: string, type: string, branch?: DraftStep['branch']): DraftStep => ({
  uuid,
  name: uuid,
  active: true,
  shouldStopOnFail: false,
  branch,
  template: { type },
  filters: [],
  metadata: type === 'split' ? { arms: [{ name: 'A', share: 50 }, { name: 'B', share: 50 }] } : {}, // prettier-ignore
  replyCallback: {},
  variants: [],
});
const inArm = (arm: string, of = 'test'): DraftStep['branch'] => ({ step: of, arm });
const names = (steps: readonly DraftStep[]): string[] =>
  steps.map(({ uuid, branch }) => (branch ? `${uuid} in ${branch.arm}` : uuid));

/** A split with an arm each, and a step after them. */
const STEPS = [
  step('first', 'sms'),
  step('test', 'split'),
  step('a', 'sms', inArm('A')),
  step('b', 'email', inArm('B')),
  step('last', 'push'),
];

describe('armsAround', () => {
  it('should name the arms around a step from the outside, however they are named', () => {
    const steps = [
      { uuid: 'a', stepId: 'plan' },
      { uuid: 'b', stepId: 'test', branch: { step: 'plan', arm: 'free' } },
      { uuid: 'c', branch: { step: 'b', arm: 'B' } },
      { uuid: 'd', branch: { step: 'gone', arm: 'x' } },
    ];
    expect(steps.map((_, at) => armsAround(steps, at))).toEqual([
      [],
      [{ decider: 0, arm: 'free' }],
      [
        { decider: 0, arm: 'free' },
        { decider: 1, arm: 'B' },
      ],
      [],
    ]);
  });

  it('should end where branches name each other', () => {
    const circle = [
      { uuid: 'a', branch: { step: 'b', arm: 'x' } },
      { uuid: 'b', branch: { step: 'a', arm: 'x' } },
    ];
    expect(circle.map((_, at) => armsAround(circle, at).length)).toEqual([0, 1]);
  });
});

describe('movedTo', () => {
  it.each<[string, number, number, DraftStep['branch'], string[]]>([
    ['up', 4, 0, undefined, ['last', 'first', 'test', 'a in A', 'b in B']],
    ['into an arm', 0, 3, inArm('A'), ['test', 'a in A', 'first in A', 'b in B', 'last']],
    ['to another arm', 2, 4, inArm('B'), ['first', 'test', 'b in B', 'a in B', 'last']],
    ['to the other arm without another order', 3, 3, inArm('A'), ['first', 'test', 'a in A', 'b in A', 'last']],
    ['out of its arm', 2, 5, undefined, ['first', 'test', 'b in B', 'last', 'a']],
    ['with what stands in its arms', 1, 5, undefined, ['first', 'last', 'test', 'a in A', 'b in B']],
  ])('should move a step %s', (_, from, at, branch, moved) => {
    expect(names(movedTo(STEPS, from, { at, branch }))).toEqual(moved);
  });

  it('should change nothing at the place where a step is, and in its own arms', () => {
    expect(movedTo(STEPS, 2, { at: 2, branch: inArm('A') })).toBe(STEPS);
    expect(movedTo(STEPS, 2, { at: 3, branch: inArm('A') })).toBe(STEPS);
    expect(movedTo(STEPS, 1, { at: 4, branch: inArm('B') })).toBe(STEPS);
  });
});

describe('moves in the list', () => {
  const pressed = (from: number, direction: 'up' | 'down', steps: readonly DraftStep[] = STEPS): string[] => {
    const over = neighbourOf(steps, from, direction);
    return over === undefined ? [] : names(movedOver(steps, from, over));
  };

  it('should take a block with them, and go past one at once', () => {
    const after = ['first', 'last', 'test', 'a in A', 'b in B'];
    expect(pressed(1, 'down')).toEqual(after);
    expect(pressed(4, 'up')).toEqual(after);
    expect(pressed(1, 'up')).toEqual(['test', 'a in A', 'b in B', 'first', 'last']);
    expect(pressed(0, 'down')).toEqual(['test', 'a in A', 'b in B', 'first', 'last']);
    expect([pressed(0, 'up'), pressed(4, 'down')]).toEqual([[], []]);
  });

  it('should move between steps of an arm, and out of the row of arms', () => {
    expect(pressed(3, 'up')).toEqual(['first', 'test', 'b in B', 'a in A', 'last']);
    expect(pressed(3, 'down')).toEqual(['first', 'test', 'a in A', 'last', 'b in B']);
  });

  it('should change nothing where a step would come before what it depends on, or into its own arms', () => {
    expect(movedOver(STEPS, 2, 1)).toBe(STEPS);
    expect(movedOver(STEPS, 2, 0)).toBe(STEPS);
    expect(movedOver(STEPS, 1, 3)).toBe(STEPS);
    const reads: DraftStep['filters'] = [{ value: 'AND', children: [{ on: 'previousStep', step: 'first', stepType: 'read' }] }]; // prettier-ignore
    const reader = [...STEPS.slice(0, 4), { ...step('last', 'push'), filters: reads }];
    expect(movedOver(reader, 4, 0)).toBe(reader);
    expect(movedOver(reader, 0, 4)).toBe(reader);
    expect(names(movedOver(reader, 4, 1))).toEqual(['first', 'last', 'test', 'a in A', 'b in B']);
    const waits = [step('first', 'sms'), { ...step('wait', 'wait_for_event'), metadata: { step: 'first' } }];
    expect(movedOver(waits, 1, 0)).toBe(waits);
  });
});

describe('insertedAt', () => {
  it('should put a step into the arm of the place', () => {
    const next = insertedAt(STEPS, step('new', 'chat'), { at: 3, branch: inArm('A') });
    expect(names(next)).toEqual(['first', 'test', 'a in A', 'new in A', 'b in B', 'last']);
  });
});
