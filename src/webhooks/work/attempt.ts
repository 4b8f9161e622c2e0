import { type OutboundResponse, ProviderError } from '#libs/channels';
import { retryDelayMs } from '#libs/schedule';

/** How often and how patiently a delivery is tried. */
export interface AttemptPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly random?: () => number;
}

/** What became of one attempt. */
export type AttemptResult =
  | { readonly kind: 'delivered'; readonly statusCode: number }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly error: string; readonly statusCode?: number }
  | { readonly kind: 'given up'; readonly error: string; readonly statusCode?: number }
  /** The receiver wants nothing any more. */
  | { readonly kind: 'gone'; readonly error: string; readonly statusCode: number };

const GONE = 410;

/**
 * Judges an answer: anything from 200 to 299 counts as taken, 410 as the receiver's wish to be left alone, and
 * everything else may be mended by the receiver and is tried again.
 * @param attempt its number, from 1
 */
export function judgeAnswer(
  { status, headers }: Pick<OutboundResponse, 'status' | 'headers'>,
  attempt: number,
  policy: AttemptPolicy,
): AttemptResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', statusCode: status };
  const error = `The endpoint answered with status ${status}.`;
  if (status === GONE) return { kind: 'gone', error, statusCode: status };
  if (attempt >= policy.maxAttempts) return { kind: 'given up', error, statusCode: status };
  const asked = retryAfterMs(headers['retry-after']);
  const afterMs = Math.min(Math.max(retryDelayMs(attempt, policy), asked), policy.capMs);
  return { kind: 'retry', afterMs, error, statusCode: status };
}

/** Judges an attempt that got no answer. An address that may not be called will not be allowed later either. */
export function judgeFailure(failure: unknown, attempt: number, policy: AttemptPolicy): AttemptResult {
  const error = failure instanceof Error ? failure.message : String(failure);
  const isRefused = failure instanceof ProviderError && failure.code === 'url_not_allowed';
  if (isRefused || attempt >= policy.maxAttempts) return { kind: 'given up', error };
  return { kind: 'retry', afterMs: retryDelayMs(attempt, policy), error };
}

/** Seconds only; a date would be one by the receiver's clock. */
function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0;
}
