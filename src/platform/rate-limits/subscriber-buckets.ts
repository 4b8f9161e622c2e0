import { LRUCache } from 'lru-cache';
import type { BucketRules, BucketState } from './bucket-rules.js';

const MAX_SUBSCRIBERS = 100_000;

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

/** In memory: calls are many and small, and a write for each would cost more than most of them. */
export class SubscriberBuckets {
  /** Limited by size: a limit of entries would reserve 3 MB at once. */
  private readonly buckets = new LRUCache<string, Bucket>({ maxSize: MAX_SUBSCRIBERS, sizeCalculation: () => 1 });

  constructor(readonly rules: BucketRules) {}

  /** @param subscriberId record id */
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
