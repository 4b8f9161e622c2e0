import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { onDuplicateKey, type TenantModel, toObjectId } from '#libs/persistence';
import { type BucketRules, bucketRules, type BucketState, takeTokens } from './bucket-rules.js';
import type { RateCategory } from './call-cost.js';
import { RateBucket } from './rate-bucket.schema.js';

/** Environments are counted in the store, shared by all processes; subscribers in this process. */
@Injectable()
export class RateLimitsService {
  readonly enabled: boolean;
  private readonly rules: Record<RateCategory, BucketRules>;
  private readonly ofSubscribers: SubscriberBuckets;

  constructor(
    @InjectModel(RateBucket.name) private readonly buckets: TenantModel<RateBucket>,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.enabled = config.get('RATE_LIMIT');
    this.rules = {
      trigger: bucketRules(config.get('RATE_LIMIT_TRIGGER')),
      configuration: bucketRules(config.get('RATE_LIMIT_CONFIGURATION')),
      global: bucketRules(config.get('RATE_LIMIT_GLOBAL')),
    };
    this.ofSubscribers = new SubscriberBuckets(bucketRules(config.get('RATE_LIMIT_SUBSCRIBER')));
  }

  takeOfSubscriber(subscriberId: string): { readonly rules: BucketRules; readonly state: BucketState } {
    const state = this.ofSubscribers.take(subscriberId, this.clock.now().getTime());
    return { rules: this.ofSubscribers.rules, state };
  }

  rulesOf(category: RateCategory): BucketRules {
    return this.rules[category];
  }

  /** @param cost capped at the size of the bucket */
  take(tenant: TenantContext, category: RateCategory, cost: number, now = this.clock.now()): Promise<BucketState> {
    return this.takeFrom(tenant, { category, rules: this.rules[category] }, cost, now);
  }

  /** Whatever the settings: the key has its limit. */
  async takeOfAgent(
    tenant: TenantContext,
    callsPerMinute: number,
  ): Promise<{ readonly rules: BucketRules; readonly state: BucketState }> {
    const rules = { perSecond: callsPerMinute / 60, limit: callsPerMinute, burst: callsPerMinute };
    const state = await this.takeFrom(tenant, { category: `mcp ${tenant.apiKeyId}`, rules }, 1, this.clock.now());
    return { rules, state };
  }

  private async takeFrom(
    tenant: TenantContext,
    { category, rules }: { readonly category: string; readonly rules: BucketRules },
    cost: number,
    now: Date,
  ): Promise<BucketState> {
    const update = takeTokens(rules, Math.min(cost, rules.burst), now);
    const filter = { _environmentId: toObjectId(tenant.environmentId), category };
    const ids = { _organizationId: toObjectId(tenant.organizationId), deleted: false };
    const pipeline = [{ $set: ids }, ...update];
    const take = async (): Promise<BucketState> => {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const bucket = await this.buckets.collection.findOneAndUpdate(filter, pipeline, options);
      return bucket as unknown as RateBucket;
    };
    // If two first calls meet, the later one finds the bucket on its second attempt.
    return take().catch(onDuplicateKey(take));
  }
}

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
    this.buckets.set(subscriberId, { tokens: left, refilledAtMs: nowMs });
    return { tokens: left, allowed };
  }
}
