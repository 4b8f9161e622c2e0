import { Injectable } from '@nestjs/common';
import { mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { collect, NEWEST_FIRST, type PageRequest, type PageRows } from '#libs/persistence';
import {
  type NotificationRecord,
  NotificationStore,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../../engine/delivery/index.js';
import { FilterTooBroad } from './notifications.errors.js';

export type RecordFilter = mongo.Filter<NotificationRecord>;

/** Rows that a list reaches, also when merged from several indexes. */
const MAX_ROWS = 100_000;
const MAX_MERGED_ROWS = 10_000;
/** Filters without a common index may read much; this protects other work of the store. */
const MAX_TIME_MS = 5_000;
/** MongoDB's error code MaxTimeMSExpired */
const MAX_TIME_EXPIRED = 50;
/** Sorts after every text with the same prefix. */
const LAST = '\u{10FFFF}';

export type Place = Pick<NotificationRecord, '_id' | 'createdAt'>;

/** Every query names its environment, or ids that such a query has found. */
@Injectable()
export class NotificationReads {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
  ) {}

  /**
   * Newest first.
   * @param filters must name the environment
   * @throws {ValidationFailed} for a page beyond {@link MAX_ROWS} @throws {FilterTooBroad}
   */
  async page(
    tenant: TenantContext,
    filters: readonly RecordFilter[],
    { page, limit }: PageRequest,
  ): Promise<PageRows<NotificationRecord>> {
    const [filter, ...others] = filters;
    assertReached(others.length > 0 ? MAX_MERGED_ROWS : MAX_ROWS, { page, limit });
    if (filter === undefined) return { rows: [], hasMore: false };
    const skip = page * limit;
    if (others.length === 0) {
      const rows = await this.inOrder<NotificationRecord>(filter, { skip, limit: limit + 1 });
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
    }
    const places = await this.places(filters, skip + limit + 1);
    const rows = await this.byPlace(environmentOf(tenant), places.slice(skip, skip + limit));
    return { rows, hasMore: places.length > skip + limit };
  }

  /** Newest first, without duplicates. */
  async places(filters: readonly RecordFilter[], limit: number): Promise<Place[]> {
    const fields = { createdAt: 1 };
    const found = await Promise.all(
      filters.map((filter) => this.inOrder<Place>(filter, { limit, projection: fields })),
    );
    const places = new Map(found.flat().map((place) => [place._id.toHexString(), place]));
    return [...places.values()].sort(newestFirst).slice(0, limit);
  }

  /** @param limit stops counting here */
  async count(filters: readonly RecordFilter[], limit: number): Promise<number> {
    const [filter, ...others] = filters;
    if (filter === undefined) return 0;
    if (others.length > 0) return (await this.places(filters, limit)).length;
    return inTime(this.notifications.collection.countDocuments(filter, { limit, maxTimeMS: MAX_TIME_MS }));
  }

  find(tenant: TenantContext, _id: Types.ObjectId): Promise<NotificationRecord | null> {
    return this.notifications.collection.findOne({ _id, _environmentId: environmentOf(tenant) });
  }

  async eventsOf(rows: readonly NotificationRecord[]): Promise<Map<string, TriggerEventRecord>> {
    const ids = new Map(rows.map(({ _eventId }) => [_eventId.toHexString(), _eventId]));
    const events = await this.events.findByIds([...ids.values()]);
    return new Map(events.map((event) => [event._id.toHexString(), event]));
  }

  async hasTransaction(tenant: TenantContext, transactionId: string): Promise<boolean> {
    const filter = { _environmentId: environmentOf(tenant), transactionId };
    return (await this.notifications.collection.findOne(filter, { projection: { _id: 1 } })) !== null;
  }

  /** Sorted. */
  async transactionsBeginningWith(tenant: TenantContext, text: string, limit: number): Promise<string[]> {
    const rows = await this.events.collection
      .find({ _environmentId: environmentOf(tenant), transactionId: { $gte: text, $lt: text + LAST } })
      .project<{ transactionId: string }>({ transactionId: 1 })
      .sort({ transactionId: 1 })
      .limit(limit)
      .toArray();
    return rows.map(({ transactionId }) => transactionId);
  }

  private inOrder<T extends Place>(filter: RecordFilter, options: mongo.FindOptions): Promise<T[]> {
    const found = this.notifications.collection.find<T>(filter, {
      ...options,
      sort: NEWEST_FIRST,
      maxTimeMS: MAX_TIME_MS,
    });
    return inTime(collect(found));
  }

  private async byPlace(_environmentId: Types.ObjectId, places: readonly Place[]): Promise<NotificationRecord[]> {
    const filter = { _environmentId, _id: { $in: places.map(({ _id }) => _id) } };
    const rows = await collect(this.notifications.collection.find(filter));
    return rows.sort(newestFirst);
  }
}

async function inTime<T>(found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED) throw new FilterTooBroad();
    throw error;
  }
}

function assertReached(most: number, { page, limit }: PageRequest): void {
  if ((page + 1) * limit <= most) return;
  throw new ValidationFailed([
    `page must be at most ${Math.floor(most / limit) - 1} with a limit of ${limit}: this list reaches ${most} ` +
      'notifications. Narrow it, for example with to.',
  ]);
}

function newestFirst(a: Place, b: Place): number {
  const later = b.createdAt.getTime() - a.createdAt.getTime();
  return later === 0 ? Buffer.compare(b._id.id, a._id.id) : later;
}

function environmentOf({ environmentId }: TenantContext): Types.ObjectId {
  return new Types.ObjectId(environmentId);
}
