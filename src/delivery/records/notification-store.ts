import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import type { NotificationRecord } from './notification.record.js';
import { rawCollection, writeFaults } from '#libs/persistence';

const DUPLICATE_KEY = 11000;

/**
 * The fields of a notification that a run changes. What is undefined is taken out of the record. Whose digest it went
 * into is not among them: masters write to that too, and only the digest ledger knows the rules.
 */
const RUN_FIELDS = [
  'status',
  'current',
  'steps',
  'lane',
  'wakeAt',
  'lease',
  'cancelRequested',
  'digestSlot',
  'digestLastSlot',
  'digestClosedStep',
  'digestForOthers',
  'updatedAt',
  'expireAt',
] as const satisfies readonly (keyof NotificationRecord)[];

/** A write that holds only while the lease does. */
export interface GuardedWrite {
  readonly record: NotificationRecord;
  /** The lease under which the worker had it. */
  readonly lease: string;
  /** Writes even though a cancellation was asked for: the write is the cancellation. */
  readonly evenIfCanceled?: boolean;
  /** Writes only while it is still in this master's digest. */
  readonly into?: Types.ObjectId | undefined;
}

/** What guarded writes did not do. */
export interface RefusedWrites {
  /** Their lease is gone; another worker has them. */
  readonly lost: Set<string>;
  /** Still leased, but somebody canceled the transaction. */
  readonly canceled: Set<string>;
}

/** Reads and writes notifications in batches. The engine's calls name no environment: they go by id and lease. */
@Injectable()
export class NotificationStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  get collection(): mongo.Collection<NotificationRecord> {
    return rawCollection<NotificationRecord>(this.connection, 'notifications');
  }

  /** Inserts new runs. @returns the ids of those that were there already */
  async insert(records: readonly NotificationRecord[]): Promise<Set<string>> {
    if (records.length === 0) return new Set();
    try {
      await this.collection.insertMany(records.map(withoutUndefined), { ordered: false });
      return new Set();
    } catch (error) {
      const faults = writeFaults(error);
      if (faults === undefined || faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return new Set(faults.map(({ index }) => records[index]?._id.toHexString() ?? ''));
    }
  }

  /** Writes the state of runs whose leases still hold, in one call to the store. */
  async save(writes: readonly GuardedWrite[]): Promise<RefusedWrites> {
    if (writes.length === 0) return NOTHING_REFUSED;
    const { matchedCount } = await this.collection.bulkWrite(writes.map(toUpdate), { ordered: false });
    return matchedCount === writes.length ? NOTHING_REFUSED : this.findRefused(writes);
  }

  /**
   * As `save`, for runs that are to lead digests.
   * @returns also those whose slot somebody else has; nothing of them was written
   */
  async saveLeaders(writes: readonly GuardedWrite[]): Promise<RefusedWrites & { readonly clashed: Set<string> }> {
    try {
      return { ...(await this.save(writes)), clashed: new Set() };
    } catch (error) {
      const faults = writeFaults(error);
      if (faults === undefined || faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      const places = new Set(faults.map(({ index }) => index));
      const idOf = ({ record }: GuardedWrite): string => record._id.toHexString();
      const clashed = new Set(writes.filter((_write, place) => places.has(place)).map(idOf));
      return { ...(await this.findRefused(writes.filter((write) => !clashed.has(idOf(write))))), clashed };
    }
  }

  /** The ids among these whose transaction was canceled while a worker holds them. */
  async canceledAmong(ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const rows = await this.collection
      .find({ _id: { $in: [...ids] }, cancelRequested: true }, { projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  /** The ids among these that are stored. */
  async existing(ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const rows = await this.collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  /** The ids of those whose leases the store still has. */
  async stillLeased(records: readonly Pick<NotificationRecord, '_id' | 'lease'>[]): Promise<Set<string>> {
    const leases = new Map(records.map(({ _id, lease }) => [_id.toHexString(), lease]));
    const rows = await this.collection
      .find({ _id: { $in: records.map(({ _id }) => _id) } }, { projection: { lease: 1 } })
      .toArray();
    return new Set(
      rows
        .map(({ _id, lease }) => [_id.toHexString(), lease] as const)
        .flatMap(([id, lease]) => (lease !== undefined && lease === leases.get(id) ? [id] : [])),
    );
  }

  /** After a write that did not match everything: a record was written when it no longer has the state before it. */
  private async findRefused(writes: readonly GuardedWrite[]): Promise<RefusedWrites> {
    const byId = new Map(writes.map((write) => [write.record._id.toHexString(), write]));
    const rows = await this.collection
      .find({ _id: { $in: writes.map(({ record }) => record._id) } })
      .project<Pick<NotificationRecord, '_id' | 'lease' | 'cancelRequested' | 'updatedAt' | 'current'>>({
        lease: 1,
        cancelRequested: 1,
        updatedAt: 1,
        current: 1,
      })
      .toArray();
    const refused: RefusedWrites = { lost: new Set(byId.keys()), canceled: new Set() };
    for (const row of rows) {
      const id = row._id.toHexString();
      const write = byId.get(id);
      if (write === undefined) continue;
      const isCanceled = row.lease === write.lease && row.cancelRequested === true && write.evenIfCanceled !== true;
      if (isCanceled) refused.canceled.add(id);
      const isWritten =
        row.updatedAt.getTime() === write.record.updatedAt.getTime() &&
        row.lease === write.record.lease &&
        row.current === write.record.current;
      if (isCanceled || isWritten) refused.lost.delete(id);
    }
    return refused;
  }
}

const NOTHING_REFUSED: RefusedWrites = { lost: new Set(), canceled: new Set() };

function toUpdate({
  record,
  lease,
  evenIfCanceled,
  into,
}: GuardedWrite): mongo.AnyBulkWriteOperation<NotificationRecord> {
  const $set: Record<string, unknown> = {};
  // Whatever is written is an outcome.
  const $unset: Record<string, 1> = { takenUp: 1 };
  for (const field of RUN_FIELDS) {
    const value = record[field];
    if (value === undefined) $unset[field] = 1;
    else $set[field] = field === 'steps' ? record.steps.map(withoutUndefined) : value;
  }
  const filter = {
    _id: record._id,
    lease,
    ...(evenIfCanceled !== true && { cancelRequested: { $exists: false } }),
    ...(into && { digestInto: into }),
  };
  return { updateOne: { filter, update: { $set, $unset } } };
}

/** The driver would store undefined as null. */
function withoutUndefined<T extends object>(values: T): T {
  const copy = { ...values } as Record<string, unknown>;
  for (const key in copy) if (copy[key] === undefined) delete copy[key];
  if (Array.isArray(copy['steps'])) copy['steps'] = (copy['steps'] as object[]).map(withoutUndefined);
  return copy as T;
}
