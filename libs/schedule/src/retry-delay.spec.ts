import fc from 'fast-check';
import { retryDelayMs } from './retry-delay.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

describe('retryDelayMs', () => {
  describe('when failures follow each other', () => {
    it.each([
      [1, 0, 500],
      [1, 0.5, 750],
      [2, 0, 1000],
      [3, 0, 2000],
      [6, 0, 15_000],
      [1000, 0, 15_000],
      [0, 0, 500],
    ])('should wait after failure %p with random %p for %p ms', (attempt, random, delay) => {
      expect(retryDelayMs(attempt, { baseMs: 1000, capMs: 30_000, random: () => random })).toBe(delay);
    });

    it('should stay within half and the whole of the longest wait', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
          const delay = retryDelayMs(attempt, { baseMs: 1000, capMs: 60_000, random: () => random });
          return delay >= 500 && delay <= 60_000;
        }),
      );
    });
  });
});
