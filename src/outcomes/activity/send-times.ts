/** Upper bounds of the classes: each is double the previous one, from 5 ms to about 6 hours. */
const ENDS_MS = Array.from({ length: 23 }, (_, place) => 5 * 2 ** place);
const LONGEST_MS = ENDS_MS.at(-1) ?? 0;

/** The last class has no upper bound. */
export type TimeCounts = readonly number[];

export function noTimes(): number[] {
  return new Array<number>(ENDS_MS.length + 1).fill(0);
}

export function countTime(counts: number[], ms: number): void {
  const found = ENDS_MS.findIndex((end) => ms <= end);
  const place = found < 0 ? ENDS_MS.length : found;
  counts[place] = (counts[place] ?? 0) + 1;
}

export function addTimes(to: number[], counts: TimeCounts): void {
  counts.forEach((count, place) => {
    to[place] = (to[place] ?? 0) + count;
  });
}

/**
 * Interpolates within the class.
 * @param share from 0 to 1
 * @returns undefined if nothing was counted; the lower bound of the last class
 */
export function percentileMs(counts: TimeCounts, share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = Math.max(1, Math.ceil(share * total));
  let before = 0;
  for (const [place, count] of counts.entries()) {
    if (before + count >= wanted) {
      const start = ENDS_MS[place - 1] ?? 0;
      const end = ENDS_MS[place] ?? LONGEST_MS;
      return Math.round(start + ((end - start) * (wanted - before)) / count);
    }
    before += count;
  }
  return LONGEST_MS;
}
