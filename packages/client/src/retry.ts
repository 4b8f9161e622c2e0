export interface RetryPolicy {
  /** Most attempts of a request, the first one included. */
  readonly maxAttempts: number;
  /** Upper limit of the first wait; it doubles with each attempt. */
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** No wait that would end later than this after the start of the request. */
  readonly maxElapsedMs: number;
}

export const DEFAULT_POLICY: RetryPolicy = {
  maxAttempts: 4,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxElapsedMs: 60_000,
};

/** Half of the wait is random, so that clients which failed together do not return together. */
export function backoffMs(attempt: number, { baseDelayMs, maxDelayMs }: RetryPolicy, random = Math.random): number {
  const limit = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return limit / 2 + (limit / 2) * random();
}

/** `Retry-After` in milliseconds: seconds or a date. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits. @throws the reason of the signal if it aborts */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
