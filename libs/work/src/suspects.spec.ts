import { ManualClock } from '#libs/common';
import { SuspectRules, Suspects } from './suspects.js';

const BLOCK_MS = 6_000;
const rules = new SuspectRules(5);

interface Head {
  readonly suspectGroup: number;
  readonly takenUp?: number;
}
const heads = (count: number, suspectGroup: number, takenUp = 0): Head[] =>
  Array.from({ length: count }, () => ({ suspectGroup, takenUp }));

describe('SuspectRules', () => {
  it('should try what was left behind in smaller and smaller groups, and then alone', () => {
    const groups: number[] = [];
    let record: { takenUp?: number; suspectGroup?: number } = {};
    while (!rules.isHopeless(record)) {
      record = rules.after(record);
      groups.push(record.suspectGroup ?? 0);
    }
    expect(groups).toEqual([500, 125, 31, 7, 1, 1, 1, 1]);
  });

  it('should set nothing aside for losses in company', () => {
    let record: { takenUp?: number; suspectGroup?: number } = {};
    for (let loss = 0; loss < 100; loss += 1) record = { ...rules.after(record), suspectGroup: 2 };
    expect(rules.isHopeless(record)).toBe(false);
    expect(rules.hasToBeAlone(record)).toBe(false);
  });

  it('should set aside what is lost as often as the limit says where it is the only suspect', () => {
    let record: { takenUp?: number; suspectGroup?: number } = {};
    for (let loss = 1; loss <= 5; loss += 1) {
      expect(rules.isHopeless(record)).toBe(false);
      record = { ...rules.after(record), suspectGroup: 1 };
    }
    expect(rules.isHopeless(record)).toBe(true);
  });

  it('should keep its verdict', () => {
    expect(rules.isHopeless(rules.after({ takenUp: 7, suspectGroup: 25 }))).toBe(true);
  });
});

describe('Suspects', () => {
  const clock = new ManualClock();
  const [events, runs] = [{}, {}];
  const newSuspects = (random = 0): Suspects => new Suspects({ clock, maxBlockMs: BLOCK_MS, random: () => random });

  describe('a group', () => {
    it('should be as large as each of its records allows', () => {
      expect(newSuspects().pick([...heads(3, 500), ...heads(10, 4), ...heads(5, 1)], rules)).toEqual([
        ...heads(3, 500),
        ...heads(1, 4),
      ]);
      expect(newSuspects().pick(heads(5, 1), rules)).toHaveLength(1);
    });

    it('should double when some have ended well, and begin anew after one that did not', () => {
      const suspects = newSuspects();
      const sizes: number[] = [];
      const well = Array.from({ length: 4 }, () => 'well' as const);
      for (const how of [...well, ...well, 'unknown', 'badly', ...well, 'well'] as const) {
        const group = suspects.pick(heads(2_000, 2), rules);
        sizes.push(group.length);
        suspects.begin(runs, group.length)?.end(how);
      }
      expect(sizes).toEqual([2, 2, 2, 2, 4, 4, 4, 4, 8, 8, 2, 2, 2, 2, 4]);
    });

    it('should have an end to its growth', () => {
      const suspects = newSuspects();
      for (let turn = 0; turn < 60; turn += 1) suspects.begin(runs, 2)?.end('well');
      expect(suspects.pick(heads(2_000, 500), rules)).toHaveLength(1_000);
      expect(suspects.pick(heads(2_000, 500), rules, 50)).toHaveLength(50);
    });

    it('should be another one than those of other workers', () => {
      const all = heads(100, 10).map((head, place) => ({ ...head, place }));
      const first = newSuspects(0).pick(all, rules);
      const other = newSuspects(0.5).pick(all, rules);
      expect(first.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(other.map(({ place }) => place)).toEqual([50, 51, 52, 53, 54, 55, 56, 57, 58, 59]);
    });

    it('should not include what killed its worker alone, which comes last', () => {
      const alone = heads(2, 1, 3);
      expect(newSuspects().pick([...heads(2, 4), ...alone], rules)).toEqual(heads(2, 4));
      expect(newSuspects().pick(alone, rules)).toEqual(heads(1, 1, 3));
    });
  });

  describe('trials', () => {
    it('should be one at a time of each kind, and of several kinds beside each other', () => {
      const suspects = newSuspects();
      const first = suspects.begin(events, 5);
      expect(suspects.isOpenTo(events)).toBe(false);
      expect(suspects.begin(events, 5)).toBeUndefined();
      expect(suspects.begin(runs, 5)).toMatchObject({ size: 5 });
      first?.end('well');
      expect(suspects.begin(events, 5)).toMatchObject({ size: 5 });
    });

    it('should be without any other for one that is alone, which does not wait for ever', () => {
      const suspects = newSuspects();
      const group = suspects.begin(events, 5);
      expect(suspects.begin(runs, 1)).toBeUndefined();
      group?.end('well');
      expect(suspects.begin(events, 5)).toBeUndefined();
      const alone = suspects.begin(runs, 1);
      expect(alone).toMatchObject({ size: 1 });
      expect(suspects.isOpenTo(events)).toBe(false);
      alone?.end('well');
      expect(suspects.begin(events, 5)).toMatchObject({ size: 5 });
    });

    it('should go on beside one that does not end, which is company then', () => {
      const suspects = newSuspects();
      suspects.begin(runs, 1);
      clock.advance(BLOCK_MS);
      expect(suspects.begin(runs, 1)).toMatchObject({ size: 2 });
    });

    it('should tell that one has ended', () => {
      const suspects = newSuspects();
      let ended = 0;
      suspects.whenEnded(() => (ended += 1));
      suspects.begin(runs, 3)?.end('badly');
      expect(ended).toBe(1);
    });
  });
});
