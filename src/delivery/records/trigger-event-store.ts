import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Types } from 'mongoose';
import { AppConfig } from '#libs/config';
import { bySize, collect, rawCollection, sharedSize, writeFaults } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { Checkpoint, TriggerEventRecord } from './trigger-event.record.js';

const DUPLICATE_KEY = 11000;
const DAY_MS = 86_400_000;
/** Events in one query: stores look each of so many up instead of reading all events. */
const PORTION = 1_000;

/** What an event carries, and when it was accepted. */
export type AcceptedPayload = Pick<TriggerEventRecord, '_id' | 'payload' | 'createdAt'>;

/** Reads and writes accepted events. */
@Injectable()
export class TriggerEventStore {
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  get collection(): mongo.Collection<TriggerEventRecord> {
    return rawCollection<TriggerEventRecord>(this.connection, 'triggerEvents');
  }

  /** Inserts events. @returns the places of those whose transaction id the environment had already */
  async insert(events: readonly TriggerEventRecord[]): Promise<Set<number>> {
    const doubled = new Set<number>();
    let from = 0;
    for (const portion of bySize(events, sizeOf)) {
      for (const place of await this.insertPortion(portion)) doubled.add(from + place);
      from += portion.length;
    }
    return doubled;
  }

  private async insertPortion(events: TriggerEventRecord[]): Promise<number[]> {
    try {
      await this.collection.insertMany(events, { ordered: false });
      return [];
    } catch (error) {
      const faults = writeFaults(error);
      if (faults === undefined || faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return faults.map(({ index }) => index);
    }
  }

  /** Records how far an expansion has come, and keeps the lease. @returns false when the lease is lost or it was canceled */
  async checkpoint(
    event: TriggerEventRecord,
    checkpoint: Checkpoint,
    expanded: number,
    wakeAt: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(
      { _id: event._id, lease: leaseOf(event), status: 'expanding' },
      { $set: { checkpoint, expanded, wakeAt, updatedAt: new Date() }, $unset: { takenUp: 1 } },
    );
    return matchedCount === 1;
  }

  /** Ends expansions, in one call. @returns how many had been canceled or lost meanwhile */
  async finish(events: readonly TriggerEventRecord[], expanded: ReadonlyMap<string, number>): Promise<number> {
    if (events.length === 0) return 0;
    const updatedAt = new Date();
    const { matchedCount } = await this.collection.bulkWrite(
      events.map((event) => ({
        updateOne: {
          filter: { _id: event._id, lease: leaseOf(event), status: 'expanding' },
          update: {
            $set: { status: 'expanded', expanded: expanded.get(event._id.toHexString()) ?? 0, updatedAt },
            ...this.expiry(updatedAt),
            $unset: { wakeAt: 1, lease: 1, lane: 1, takenUp: 1 },
          },
        },
      })),
      { ordered: false },
    );
    return events.length - matchedCount;
  }

  /**
   * Calls an event off for good; what is not expanded yet never will be.
   * @param lookAgain when a worker looks at an event that was being expanded once more: who is at it may store runs
   *   after this, and die before it sees that they are called off
   * @returns the event as it was
   */
  async cancel(
    tenant: TenantContext,
    transactionId: string,
    now: Date,
    lookAgain: Date,
  ): Promise<TriggerEventRecord | null> {
    const own = { _environmentId: new Types.ObjectId(tenant.environmentId), transactionId };
    const canceled = { status: 'canceled', updatedAt: now } as const;
    const expanding = await this.collection.findOneAndUpdate(
      { ...own, status: 'expanding' },
      { $set: { ...canceled, wakeAt: lookAgain }, ...this.expiry(lookAgain), $unset: { lease: 1 } },
      { returnDocument: 'before' },
    );
    if (expanding !== null) return expanding;
    return this.collection.findOneAndUpdate(
      { ...own, status: { $ne: 'expanding' } },
      { $set: canceled, ...this.expiry(now) },
      { returnDocument: 'before' },
    );
  }

  /** Nothing is left to be done about events that were called off. */
  async endCanceled(events: readonly TriggerEventRecord[]): Promise<void> {
    if (events.length === 0) return;
    await this.collection.bulkWrite(
      events.map((event) => ({
        updateOne: {
          filter: { _id: event._id, lease: leaseOf(event), status: 'canceled' },
          update: { $unset: { wakeAt: 1, lease: 1, lane: 1, takenUp: 1 } },
        },
      })),
      { ordered: false },
    );
  }

  /** Ends an expansion that no worker survives. @returns false when it had been canceled or lost meanwhile */
  async setAside(event: TriggerEventRecord, reason: string): Promise<boolean> {
    const updatedAt = new Date();
    const { matchedCount } = await this.collection.updateOne(
      { _id: event._id, lease: leaseOf(event), status: 'expanding' },
      {
        $set: { status: 'failed', error: reason, updatedAt },
        ...this.expiry(updatedAt),
        $unset: { wakeAt: 1, lease: 1, lane: 1 },
      },
    );
    return matchedCount === 1;
  }

  async findByTransaction(tenant: TenantContext, transactionId: string): Promise<TriggerEventRecord | null> {
    return this.collection.findOne({ _environmentId: new Types.ObjectId(tenant.environmentId), transactionId });
  }

  async findByIds(ids: readonly Types.ObjectId[]): Promise<TriggerEventRecord[]> {
    return ids.length === 0 ? [] : collect(this.collection.find({ _id: { $in: [...ids] } }));
  }

  /** Those among the events that were called off. */
  async findCanceled(events: readonly TriggerEventRecord[]): Promise<TriggerEventRecord[]> {
    return this.collection.find({ _id: { $in: events.map(({ _id }) => _id) }, status: 'canceled' }).toArray();
  }

  /** What was accepted when, by event id. Read in portions: a digest may have collected any number of events. */
  async findPayloads(ids: readonly Types.ObjectId[]): Promise<Map<string, AcceptedPayload>> {
    const found = new Map<string, AcceptedPayload>();
    for (let from = 0; from < ids.length; from += PORTION) {
      const rows = this.collection
        .find({ _id: { $in: ids.slice(from, from + PORTION) } })
        .project<AcceptedPayload>({ payload: 1, createdAt: 1 });
      for await (const row of rows) found.set(row._id.toHexString(), row);
    }
    return found;
  }

  /** Lets retention of events begin at a later time: something of them still waits until then. */
  async keepFrom(ids: readonly Types.ObjectId[], from: Date): Promise<void> {
    if (ids.length === 0 || this.retentionDays === 0) return;
    await this.collection.updateMany({ _id: { $in: [...ids] } }, this.expiry(from));
  }

  /** Never earlier than somebody else has said. A day more than notifications are kept, which name their event. */
  private expiry(from: Date): { $max?: { expireAt: Date } } {
    if (this.retentionDays === 0) return {};
    return { $max: { expireAt: new Date(from.getTime() + (this.retentionDays + 1) * DAY_MS) } };
  }
}

/** About what an event takes besides its payload, and each of its recipients. */
const BARE_BYTES = 1_000;
const RECIPIENT_BYTES = 60;

function sizeOf({ payload, overrides, recipients }: TriggerEventRecord): number {
  return BARE_BYTES + sharedSize(payload) + sharedSize(overrides) + recipients.list.length * RECIPIENT_BYTES;
}

function leaseOf(event: TriggerEventRecord): string {
  if (event.lease === undefined) throw new Error(`Event ${event._id.toHexString()} is worked on without a lease.`);
  return event.lease;
}
