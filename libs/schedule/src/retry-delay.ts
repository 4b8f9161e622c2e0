export interface RetryOptions {
  /** Longest wait after the first failure, in milliseconds. */
  baseMs: number;
  /** Longest wait, in milliseconds. */
  capMs: number;
  /** From 0 up to 1; tests inject their own. */
  random?: () => number;
}

/**
 * Milliseconds after failure number `attempt` (from 1), doubling up to the cap. The upper half is random, so that
 * coinciding failures do not retry together.
 */
export function retryDelayMs(attempt: number, { baseMs, capMs, random = Math.random }: RetryOptions): number {
  const failures = Math.max(1, Math.floor(attempt));
  // The cap is reached long before 2^30; the limit keeps the power finite.
  const longest = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(longest / 2 + (longest / 2) * random());
}
