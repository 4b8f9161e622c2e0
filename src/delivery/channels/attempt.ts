import { ProviderError } from '#libs/channels';
import { retryDelayMs } from '#libs/schedule';
import type { ActiveIntegration } from '../../integrations/index.js';
import type { StepState } from '../../notifications/index.js';

/** What follows from an attempt that failed. */
export type AfterFailure =
  { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'next_integration' } | { readonly kind: 'give_up' };

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** However long a provider asks us to wait. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Faults of the message or its address: another integration would meet the same. */
const OF_THE_MESSAGE: ReadonlySet<string> = new Set(['invalid_target', 'message_incomplete']);

/**
 * A failure that can pass is tried again at the same integration, later and later; when its attempts are used up, or
 * the failure cannot pass, the next integration has its turn (decisions 6.5).
 * @param attempt number of the attempt that failed, from 1
 */
export function afterFailure(
  error: ProviderError,
  { attempt, hasNext }: { readonly attempt: number; readonly hasNext: boolean },
  policy: RetryPolicy,
  now: Date,
): AfterFailure {
  if (OF_THE_MESSAGE.has(error.code)) return { kind: 'give_up' };
  if (error.retryable && attempt < policy.maxAttempts) {
    const asked = Math.min(error.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
    return { kind: 'retry', at: new Date(now.getTime() + Math.max(asked, retryDelayMs(attempt, policy))) };
  }
  return hasNext ? { kind: 'next_integration' } : { kind: 'give_up' };
}

/** The integrations that are left: those that were not given up for this step. */
export function notTried(integrations: readonly ActiveIntegration[], { tried }: StepState): ActiveIntegration[] {
  return integrations.filter(({ id }) => tried?.includes(id) !== true);
}
