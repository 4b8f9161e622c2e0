import { CLOCK_SKEW_MS } from '#libs/common';

/** Seconds over which a limit is averaged. */
export const WINDOW_SECONDS = 5;
const BURST_FACTOR = 1.1;

/** Holds `burst` tokens and regains `perSecond` each second. */
export interface BucketRules {
  readonly perSecond: number;
  readonly limit: number;
  readonly burst: number;
}

export function bucketRules(perSecond: number): BucketRules {
  const limit = perSecond * WINDOW_SECONDS;
  return { perSecond, limit, burst: Math.floor(limit * BURST_FACTOR) };
}

export interface BucketState {
  readonly tokens: number;
  readonly allowed: boolean;
}

export function resetSeconds({ burst, perSecond }: BucketRules, { tokens }: BucketState): number {
  return Math.ceil(Math.max(0, burst - tokens) / perSecond);
}

/** At least one. */
export function retryAfterSeconds({ perSecond }: BucketRules, { tokens }: BucketState, cost: number): number {
  return Math.max(1, Math.ceil((cost - tokens) / perSecond));
}

/** Refills and takes in one pipeline, so that concurrent calls cannot take the same token. */
export function takeTokens({ perSecond, burst }: BucketRules, cost: number, now: Date): Record<string, unknown>[] {
  const known = { $ifNull: ['$refilledAt', now] };
  // A clock behind another process's clock must not remove tokens. What is further ahead is of a clock that was set back since.
  const latest = new Date(now.getTime() + CLOCK_SKEW_MS);
  const refilledAt = { $cond: [{ $gt: [known, latest] }, now, { $max: [known, now] }] };
  const elapsedMs = { $max: [0, { $subtract: [now, known] }] };
  const refilled = { $add: [{ $ifNull: ['$tokens', burst] }, { $multiply: [elapsedMs, perSecond / 1000] }] };
  return [
    {
      $set: {
        tokens: { $min: [burst, refilled] },
        refilledAt,
      },
    },
    { $set: { allowed: { $gte: ['$tokens', cost] } } },
    { $set: { tokens: { $cond: ['$allowed', { $subtract: ['$tokens', cost] }, '$tokens'] } } },
  ];
}
