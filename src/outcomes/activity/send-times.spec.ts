import { addTimes, countTime, noTimes, percentileMs } from './send-times.js';

const counted = (...times: number[]): number[] => {
  const counts = noTimes();
  for (const ms of times) countTime(counts, ms);
  return counts;
};

describe('times to send', () => {
  it('should have no percentile without any', () => {
    expect(percentileMs(noTimes(), 0.5)).toBeUndefined();
  });

  it('should give percentiles to within the class of the time', () => {
    const times = Array.from({ length: 1_000 }, (_, n) => n + 1);
    const counts = counted(...times);
    for (const share of [0.01, 0.5, 0.95, 1]) {
      const exact = share * 1_000;
      const found = percentileMs(counts, share) ?? 0;
      expect(found).toBeGreaterThanOrEqual(exact / 2);
      expect(found).toBeLessThanOrEqual(exact * 2);
    }
  });

  it('should tell slow ones from fast ones', () => {
    const counts = counted(...new Array<number>(94).fill(1), ...new Array<number>(6).fill(60_000));
    expect(percentileMs(counts, 0.5)).toBeLessThanOrEqual(5);
    expect(percentileMs(counts, 0.95)).toBeGreaterThan(40_000);
  });

  it('should take times beyond the last class as its end', () => {
    expect(percentileMs(counted(86_400_000), 0.5)).toBe(5 * 2 ** 22);
  });

  it('should be the same whether counted together or apart', () => {
    const apart = counted(1, 50, 5_000);
    addTimes(apart, counted(7, 800));
    expect(apart).toEqual(counted(1, 50, 5_000, 7, 800));
  });
});
