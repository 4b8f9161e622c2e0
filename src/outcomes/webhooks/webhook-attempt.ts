import { type OutboundResponse, ProviderError, retryAfterMs } from '#libs/channels';
import { retryDelayMs } from '#libs/schedule';

export interface AttemptPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly random?: () => number;
}

export type AttemptResult =
  | { readonly kind: 'delivered'; readonly statusCode: number }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly error: string; readonly statusCode?: number }
  | { readonly kind: 'given up'; readonly error: string; readonly statusCode?: number }
  /** The receiver refuses all further events. */
  | { readonly kind: 'gone'; readonly error: string; readonly statusCode: number };

const GONE = 410;

/**
 * 2xx is a delivery, 410 refuses all further events, everything else is retried.
 * @param attempt its number, from 1
 */
export function judgeAnswer(
  { status, headers }: Pick<OutboundResponse, 'status' | 'headers'>,
  attempt: number,
  policy: AttemptPolicy,
  now: Date,
): AttemptResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', statusCode: status };
  const error = `The endpoint answered with status ${status}.`;
  if (status === GONE) return { kind: 'gone', error, statusCode: status };
  if (attempt >= policy.maxAttempts) return { kind: 'given up', error, statusCode: status };
  const asked = retryAfterMs(headers['retry-after'], now) ?? 0;
  const afterMs = Math.min(Math.max(retryDelayMs(attempt, policy), asked), policy.capMs);
  return { kind: 'retry', afterMs, error, statusCode: status };
}

/** A refused address stays refused; a name may resolve differently later. */
export function judgeFailure(failure: unknown, attempt: number, policy: AttemptPolicy): AttemptResult {
  const error = failure instanceof Error ? failure.message : String(failure);
  const isRefused = failure instanceof ProviderError && failure.code === 'url_not_allowed' && !failure.retryable;
  if (isRefused || attempt >= policy.maxAttempts) return { kind: 'given up', error };
  return { kind: 'retry', afterMs: retryDelayMs(attempt, policy), error };
}
