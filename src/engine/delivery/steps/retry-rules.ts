import { findProvider, ProviderError } from '#libs/channels';
import { retryDelayMs } from '#libs/schedule';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import type { StepState } from '../records/notification.js';

export type AfterFailure =
  { readonly kind: 'retry'; readonly at: Date } | { readonly kind: 'next_integration' } | { readonly kind: 'give_up' };

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

const MAX_RETRY_AFTER_MS = 3_600_000;

/** Faults of the message or its address: another integration would refuse it as well. */
const OF_THE_MESSAGE: ReadonlySet<string> = new Set(['invalid_target', 'message_incomplete']);

/** How long every provider remembers an idempotency key: the shortest documented time is 15 minutes. */
const KEY_REMEMBERED_MS = 10 * 60_000;

/** Where a message that a provider may have accepted may be sent again. */
export type RepeatRule =
  | 'anywhere'
  /** The provider drops a second message with the same key. */
  | 'same_provider'
  | 'never';

export interface FailedAttempt {
  readonly attempt: number;
  readonly hasNext: boolean;
  /** When the integration may first have accepted the message; absent when it certainly has not. */
  readonly uncertainSince?: Date | undefined;
  readonly repeat: RepeatRule;
}

/**
 * A temporary failure is retried at the same integration with growing waits; when its attempts are used up, or the failure
 * is permanent, the next integration is tried. A message that may have been accepted is not sent again: not through another
 * integration, and through the same one only while it drops repetitions, unless the integration allows both.
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
    const asked = Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const at = new Date(now.getTime() + Math.max(asked, retryDelayMs(attempt, policy)));
    const isRemembered =
      repeat === 'same_provider' && at.getTime() - (uncertainSince ?? now).getTime() < KEY_REMEMBERED_MS;
    if (isFree || isRemembered) return { kind: 'retry', at };
  }
  return hasNext && isFree ? { kind: 'next_integration' } : { kind: 'give_up' };
}

export function repeatRuleOf({ providerId, channel, retryUncertain }: ActiveIntegration): RepeatRule {
  if (retryUncertain) return 'anywhere';
  return findProvider(providerId, channel)?.supports.idempotency === true ? 'same_provider' : 'never';
}

/** Whether a message that may have been accepted has waited so long that its provider could accept it once more. */
export function isForgotten({ uncertainSince }: SendProgress, repeat: RepeatRule, now: Date): boolean {
  if (repeat !== 'same_provider' || uncertainSince === undefined) return false;
  return now.getTime() - uncertainSince.getTime() >= KEY_REMEMBERED_MS;
}

/** How far sending to one target has come: the fields of the step's state, for one target. */
export type SendProgress = Readonly<
  Pick<StepState, 'attempt' | 'tried' | 'uncertainSince' | 'uncertainAt' | 'mayBeSent'>
>;

export function notTried(
  integrations: readonly ActiveIntegration[],
  { tried }: Pick<SendProgress, 'tried'>,
): ActiveIntegration[] {
  return integrations.filter(({ id }) => tried?.includes(id) !== true);
}
