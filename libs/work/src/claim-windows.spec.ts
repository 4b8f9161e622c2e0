import { ClaimWindows } from './claim-windows.js';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const ofOneKind = (): string => 'all';

describe('ClaimWindows', () => {
  let chance: number;
  let windows: ClaimWindows;

  beforeEach(() => {
    chance = 0;
    windows = new ClaimWindows(() => chance);
  });

  it('should begin with the oldest records and take all of them while a worker is alone', () => {
    chance = 0.99;
    for (let claim = 0; claim < 20; claim += 1) {
      expect(windows.next()).toBe(0);
      expect(windows.partOf(numbers(1_000), ofOneKind)).toHaveLength(1_000);
      expect(windows.ended(1_000, 1_000)).toBe(false);
    }
  });

  it('should divide what is due when others were first, and only so far', () => {
    chance = 0.99;
    expect([1, 2, 3, 4, 5].map(() => windows.ended(100, 0))).toEqual([true, true, true, true, false]);
    expect(windows.next()).toBe(15);
  });

  it('should not mind a few records that were lost, or that nothing was due', () => {
    chance = 0.99;
    expect(windows.ended(100, 75)).toBe(false);
    expect(windows.ended(0, 0)).toBe(false);
    expect(windows.next()).toBe(0);
  });

  it('should put the windows together again when claims lose nothing', () => {
    chance = 0.99;
    windows.ended(100, 0);
    windows.ended(100, 0);
    for (let claim = 0; claim < 8; claim += 1) windows.ended(100, 100);
    expect(windows.next()).toBe(1);
    for (let claim = 0; claim < 8; claim += 1) windows.ended(100, 100);
    expect(windows.next()).toBe(0);
  });

  it('should divide what is due so that each record is in one window, and all windows have old ones', () => {
    for (let loss = 0; loss < 2; loss += 1) windows.ended(100, 0);
    const parts = [0, 0.25, 0.5, 0.75].map((at) => {
      chance = at;
      return windows.partOf(numbers(200), ofOneKind);
    });
    expect(parts.flat().sort((a, b) => a - b)).toEqual(numbers(200));
    expect(parts.map(([first]) => first)).toEqual([0, 1, 2, 3]);
  });

  it('should not divide a few records of a kind, so that they get their turn in each claim', () => {
    for (let loss = 0; loss < 4; loss += 1) windows.ended(100, 0);
    chance = 0.99;
    const isFew = (n: number): boolean => n >= 900;
    const part = windows.partOf(numbers(999), (n) => (isFew(n) ? 'few' : 'many'));
    expect(part.filter(isFew)).toHaveLength(99);
    expect(part).toHaveLength(99 + 56);
  });
});
