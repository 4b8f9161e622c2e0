import { findProvider, ProviderError } from '#libs/channels';
import { retryDelayMs } from '#libs/schedule';
import type { ActiveIntegration } from '../../integrations/index.js';
import type { StepState } from '../records/notification.record.js';

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

/** How long a provider surely remembers an idempotency key: the shortest time that one of them documents is 15 minutes. */
const KEY_REMEMBERED_MS = 10 * 60_000;

/** What may be done with a message that the provider may have taken. */
export type RepeatRule =
  /** The integration allows it to be repeated, and to go to the next one. */
  | 'anywhere'
  /** The provider drops what comes with the same key twice. */
  | 'same_provider'
  | 'never';

/** Where an attempt that failed stands. */
export interface FailedAttempt {
  /** Its number, from 1. */
  readonly attempt: number;
  readonly hasNext: boolean;
  /** When the integration may first have taken the message; absent while it surely has not. */
  readonly uncertainSince?: Date | undefined;
  readonly repeat: RepeatRule;
}

/**
 * A failure that can pass is tried again at the same integration, later and later; when its attempts are used up, or
 * the failure cannot pass, the next integration has its turn. A message that may have been taken is not sent again: not
 * to another integration, and to the same one only while that drops repeats, unless the integration allows both.
 */
export function afterFailure(
  error: ProviderError,
  { attempt, hasNext, uncertainSince, repeat }: FailedAttempt,
  policy: RetryPolicy,
  now: Date,
): AfterFailure {
  if (OF_THE_MESSAGE.has(error.code)) return { kind: 'give_up' };
  const isFree = uncertainSince === undefined || repeat === 'anywhere';
  if (error.retryable && attempt < policy.maxAttempts) {
    const asked = Math.min(error.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
    const at = new Date(now.getTime() + Math.max(asked, retryDelayMs(attempt, policy)));
    const isRemembered =
      repeat === 'same_provider' && at.getTime() - (uncertainSince ?? now).getTime() < KEY_REMEMBERED_MS;
    if (isFree || isRemembered) return { kind: 'retry', at };
  }
  return hasNext && isFree ? { kind: 'next_integration' } : { kind: 'give_up' };
}

/** What may be done with a message that an integration's provider may have taken. */
export function repeatRuleOf({ providerId, channel, retryUncertain }: ActiveIntegration): RepeatRule {
  if (retryUncertain) return 'anywhere';
  return findProvider(providerId, channel)?.supports.idempotency === true ? 'same_provider' : 'never';
}

/** The integrations that are left: those that were not given up for this step. */
export function notTried(integrations: readonly ActiveIntegration[], { tried }: StepState): ActiveIntegration[] {
  return integrations.filter(({ id }) => tried?.includes(id) !== true);
}
