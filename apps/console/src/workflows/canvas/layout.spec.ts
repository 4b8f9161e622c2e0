import type { DraftStep } from '../../drafts/draft.js';
import { movedTo } from '../../drafts/places.js';
import { CARD_WIDTH, layoutOf } from './layout.js';

const HEIGHT = 80;
const HEIGHTS = { card: HEIGHT, gap: 56 };
const ARMS = { arms: [{ name: 'A', share: 50 }, { name: 'B', share: 50 }] }; // prettier-ignore

const step = (uuid: string, branch?: string): DraftStep => {
  const [of = '', arm = ''] = branch?.split('.') ?? [];
  return {
    uuid,
    name: '',
    active: true,
    shouldStopOnFail: false,
    branch: branch === undefined ? undefined : { step: of, arm },
    template: { type: uuid.startsWith('split') ? 'split' : 'sms' },
    filters: [],
    metadata: uuid.startsWith('split') ? ARMS : {},
    replyCallback: {},
    variants: [],
  };
};
const middles = (steps: readonly DraftStep[]): number[] =>
  layoutOf(steps, HEIGHTS).cards.map(({ x }) => x + CARD_WIDTH / 2);
const tops = (steps: readonly DraftStep[]): number[] => layoutOf(steps, HEIGHTS).cards.map(({ y }) => y);

describe('layoutOf', () => {
  it('should put steps below each other, with a place around each', () => {
    const steps = [step('a'), step('b'), step('c')];
    const [first = 0, second = 0, third = 0] = tops(steps);
    expect(second - first).toBe(third - second);
    expect(second - first).toBeGreaterThan(HEIGHT);
    const { places, width, cards, start } = layoutOf(steps, HEIGHTS);
    expect(places.map(({ at, branch }) => [at, branch])).toEqual([0, 1, 2, 3].map((at) => [at, undefined]));
    expect([width, cards[0]?.x, start.x]).toEqual([CARD_WIDTH, 0, CARD_WIDTH / 2]);
  });

  it('should put arms side by side below their split, and what follows below both', () => {
    const steps = [step('split'), step('a', 'split.A'), step('b', 'split.B'), step('b2', 'split.B'), step('end')];
    const [split = 0, a = 0, b = 0, b2 = 0, end = 0] = middles(steps);
    expect([split, end]).toEqual([(a + b) / 2, split]);
    expect(b - a).toBeGreaterThan(CARD_WIDTH);
    expect(b2).toBe(b);
    const y = tops(steps);
    expect(y[1]).toBe(y[2]);
    expect(y[4]).toBeGreaterThan((y[3] ?? 0) + HEIGHT);
  });

  it('should show the arms of a split in which nothing stands, with a place in each', () => {
    const { arms, places } = layoutOf([step('a'), step('split')], HEIGHTS);
    expect(arms.map(({ arm, decider, isAgain }) => [arm, decider, isAgain])).toEqual([
      ['A', 1, false],
      ['B', 1, false],
    ]);
    expect(places.map(({ at, branch }) => [at, branch?.arm])).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 'A'],
      [2, 'B'],
      [2, undefined],
    ]);
  });

  it('should show arms once more where another step comes between, as steps run in their order', () => {
    const steps = [step('split'), step('a', 'split.A'), step('between'), step('a2', 'split.A')];
    const { arms, cards } = layoutOf(steps, HEIGHTS);
    expect(arms.map(({ arm, isAgain }) => [arm, isAgain])).toEqual([
      ['A', false],
      ['B', false],
      ['A', true],
      ['B', true],
    ]);
    const y = cards.map((card) => card.y);
    expect(y).toEqual(y.toSorted((one, other) => one - other));
    expect(cards[3]?.x).toBe(cards[1]?.x);
  });

  it('should keep cards apart, in whatever order arms in arms stand', () => {
    const steps = [
      step('split'),
      step('b', 'split.B'),
      step('split-in', 'split.A'),
      step('b2', 'split.B'),
      step('in-b', 'split-in.B'),
      step('in-a', 'split-in.A'),
      step('gone', 'no-step.A'),
      step('in-a2', 'split-in.A'),
      step('unknown', 'split.C'),
    ];
    const { cards, width, height } = layoutOf(steps, HEIGHTS);
    for (const [at, one] of cards.entries()) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + CARD_WIDTH).toBeLessThanOrEqual(width);
      expect(one.y + HEIGHT).toBeLessThan(height);
      for (const other of cards.slice(at + 1))
        expect(Math.abs(one.x - other.x) >= CARD_WIDTH || Math.abs(one.y - other.y) >= HEIGHT).toBe(true);
    }
  });

  it('should name places to which steps can be moved so that they are drawn there', () => {
    const steps = [step('split'), step('a', 'split.A'), step('b', 'split.B'), step('end')];
    for (const place of layoutOf(steps, HEIGHTS).places) {
      const next = movedTo(steps, 3, place);
      const at = next.findIndex(({ uuid }) => uuid === 'end');
      const middle = (layoutOf(next, HEIGHTS).cards[at]?.x ?? 0) + CARD_WIDTH / 2;
      expect([place.at, place.branch?.arm, middle]).toEqual([place.at, place.branch?.arm, place.x]);
    }
  });
});
