export interface RetryOptions {
  /** The longest wait after the first failure, in milliseconds. */
  baseMs: number;
  /** No wait is longer than this. */
  capMs: number;
  /** A number from 0 up to 1; injected so that tests know the outcome. */
  random?: () => number;
}

/**
 * Milliseconds to wait before trying again after failure number `attempt` (from 1). The wait doubles with each failure
 * up to the cap; its upper half is random, so that many failures at once do not return at once.
 */
export function retryDelayMs(attempt: number, { baseMs, capMs, random = Math.random }: RetryOptions): number {
  const failures = Math.max(1, Math.floor(attempt));
  // Past 2^30 the cap has long been reached; the limit keeps the power finite.
  const longest = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(longest / 2 + (longest / 2) * random());
}
