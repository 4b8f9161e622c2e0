import { LRUCache } from 'lru-cache';
import type { BucketRules, BucketState } from './bucket-rules.js';

const MAX_SUBSCRIBERS = 100_000;

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

/**
 * Buckets of subscribers in the memory of this process: their calls are many and small, so a write to the store for each
 * would cost more than most of them.
 */
export class SubscriberBuckets {
  /** Limited by size: a limit of entries would reserve 3 MB at once. */
  private readonly buckets = new LRUCache<string, Bucket>({ maxSize: MAX_SUBSCRIBERS, sizeCalculation: () => 1 });

  constructor(readonly rules: BucketRules) {}

  /** Takes one token of a subscriber, by record id, if there is one. */
  take(subscriberId: string, nowMs: number): BucketState {
    const { burst, perSecond } = this.rules;
    const known = this.buckets.get(subscriberId);
    const refill = known === undefined ? burst : (Math.max(0, nowMs - known.refilledAtMs) * perSecond) / 1_000;
    const tokens = Math.min(burst, (known?.tokens ?? 0) + refill);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.buckets.set(subscriberId, { tokens: left, refilledAtMs: Math.max(nowMs, known?.refilledAtMs ?? 0) });
    return { tokens: left, allowed };
  }
}
