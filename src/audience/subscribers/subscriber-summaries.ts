import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { ReadCache, RecordLoader, type TenantModel } from '#libs/persistence';
import { Subscriber } from './subscriber.schema.js';
import { SubscriberNotFound } from './subscribers.errors.js';

type Environment = Pick<TenantContext, 'environmentId'>;

const FIELDS = [
  '_id',
  '_organizationId',
  '_environmentId',
  'subscriberId',
  'deleted',
  'createdAt',
  'updatedAt',
  'firstName',
  'lastName',
  'avatar',
  'email',
  'phone',
  'sessionEpoch',
] as const satisfies readonly (keyof Subscriber)[];

export type SubscriberSummary = Readonly<Pick<Subscriber, (typeof FIELDS)[number]>>;

/** Maximum delay before changes by another process apply. */
const CACHE_MS = 1_000;
const MAX_CACHED = 2_000;

/** Inboxes are polled often; subscribers rarely change. */
@Injectable()
export class SubscriberSummaries {
  private readonly cache = new ReadCache<SubscriberSummary>({ max: MAX_CACHED, ttlMs: CACHE_MS });

  private readonly stored: RecordLoader<Subscriber, 'subscriberId', (typeof FIELDS)[number]>;

  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {
    this.stored = new RecordLoader(subscribers, 'subscriberId', { fields: FIELDS });
  }

  /** Misses are not cached. */
  recent(tenant: Environment, subscriberId: string): Promise<SubscriberSummary> {
    return this.cache.get(keyOf(tenant, subscriberId), async () => {
      const row = await this.stored.find(tenant, subscriberId);
      if (row === undefined) throw new SubscriberNotFound(subscriberId);
      return row;
    });
  }

  /** Bypasses the cache. */
  fresh(tenant: Environment, subscriberId: string): Promise<SubscriberSummary> {
    this.forget(tenant, subscriberId);
    return this.recent(tenant, subscriberId);
  }

  /** Undefined for a subscriber that does not exist. */
  find(tenant: Environment, subscriberId: string): Promise<SubscriberSummary | undefined> {
    return this.recent(tenant, subscriberId).catch((error: unknown) => {
      if (error instanceof SubscriberNotFound) return undefined;
      throw error;
    });
  }

  /** Bypasses the cache. Keyed by record id. */
  byIds(tenant: Environment, ids: Iterable<string>): Promise<Map<string, SubscriberSummary>> {
    return this.subscribers.byIds(tenant, ids, { fields: FIELDS });
  }

  /** Call after every write. */
  forget(tenant: Environment, subscriberId: string): void {
    this.cache.forget(keyOf(tenant, subscriberId));
  }
}

function keyOf({ environmentId }: Environment, subscriberId: string): string {
  return `${environmentId}:${subscriberId}`;
}
