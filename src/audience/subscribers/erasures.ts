import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { rawCollection, shardBy, toObjectId, shared } from '#libs/persistence';
import { type Claimable, keysOf } from '#libs/work';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;
type Environment = Pick<TenantContext, 'environmentId'>;

/**
 * A deleted subscriber: first a job that removes its data, then a tombstone. Stored before anything is removed, so that
 * later writers for the subscriber find it.
 */
export interface ErasureRecord extends Claimable {
  /** Record id of the subscriber. */
  _id: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  /** Hash of the external id, by which events that name it find the deletion. */
  idHash: string;
  /** External id, until everything is removed. */
  subscriberId?: string;
  erasedAt: Date;
  /** Every event that was accepted before is known. Until then, all events count as such. */
  isSettled?: true;
  /** The request has no answer yet: it waits, timed out, or its process died. */
  isUnanswered?: true;
  /** Data was written after the search for it. */
  isReopened?: true;
  expireAt?: Date;
}

export const ERASURE_MODEL = 'Erasure';
export const ErasureSchema = shared(
  new Schema({}, { collection: 'erasures', strict: false, versionKey: false, timestamps: false }),
);
export const ERASURE_SHARD_KEY = shardBy(ErasureSchema, '_environmentId');
// deletions of an id
ErasureSchema.index({ _environmentId: 1, idHash: 1, erasedAt: -1 });
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// due erasures and the next due time; the same per environment
ErasureSchema.index({ wakeAt: 1 }, waiting);
ErasureSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// retention of the tombstone
ErasureSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

interface OwnedRecord {
  readonly _environmentId: Types.ObjectId;
  readonly _subscriberId: Types.ObjectId;
}

type ErasureKey = Pick<ErasureRecord, '_id' | '_environmentId'>;

/** A deletion of whoever had an external id. */
export interface NotedDeletion {
  readonly id: Types.ObjectId;
  readonly subscriberId: string;
  readonly isSettled: boolean;
  readonly isUnanswered: boolean;
}

/** Due at once. */
export function newErasure(
  {
    _organizationId,
    _environmentId,
    subscriberId,
  }: {
    readonly _organizationId: Types.ObjectId;
    readonly _environmentId: Types.ObjectId;
    readonly subscriberId: string;
  },
  now: Date,
): Omit<ErasureRecord, '_id'> {
  const idHash = hashOf({ environmentId: _environmentId.toHexString() }, subscriberId);
  return { _organizationId, _environmentId, idHash, subscriberId, erasedAt: now, wakeAt: now };
}

@Injectable()
export class Erasures {
  private onBegun: () => void = () => undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  get collection(): mongo.Collection<ErasureRecord> {
    return rawCollection<ErasureRecord>(this.connection, 'erasures');
  }

  whenBegun(listener: () => void): void {
    this.onBegun = listener;
  }

  /** Call before the subscriber's record is removed. */
  async begin(
    owner: Owner,
    subscriber: { readonly _id: Types.ObjectId; readonly subscriberId: string },
    { isSettled }: Pick<ErasureRecord, 'isSettled'> = {},
  ): Promise<void> {
    const now = this.clock.now();
    await this.collection.updateOne(
      { _id: subscriber._id, _environmentId: toObjectId(owner.environmentId) },
      {
        $setOnInsert: {
          ...newErasure(
            {
              _organizationId: toObjectId(owner.organizationId),
              _environmentId: toObjectId(owner.environmentId),
              subscriberId: subscriber.subscriberId,
            },
            now,
          ),
          isUnanswered: true,
          ...(isSettled && { isSettled }),
        },
      },
      { upsert: true },
    );
  }

  announce(): void {
    this.onBegun();
  }

  /**
   * Call after writing records for subscribers that may have been deleted meanwhile. An erasure is stored before it
   * begins, so either its worker or this call finds the records.
   * @returns the record ids of those that were deleted
   */
  async removeLateWrites(records: readonly OwnedRecord[]): Promise<ReadonlySet<string>> {
    const erased = await this.among(records);
    if (erased.length > 0) await this.reopen(erased);
    return new Set(erased.map(({ _id }) => _id.toHexString()));
  }

  /** The record ids of deleted subscribers among those of records. */
  async deletedAmong(records: readonly OwnedRecord[]): Promise<ReadonlySet<string>> {
    return new Set((await this.among(records)).map(({ _id }) => _id.toHexString()));
  }

  private async among(records: readonly OwnedRecord[]): Promise<ErasureKey[]> {
    if (records.length === 0) return [];
    const owners = records.map(({ _environmentId, _subscriberId }) => ({ _id: _subscriberId, _environmentId }));
    const distinct = [...new Map(owners.map((owner) => [owner._id.toHexString(), owner])).values()];
    return this.collection
      .find(keysOf(distinct, ERASURE_SHARD_KEY))
      .project<ErasureKey>({ _id: 1, _environmentId: 1 })
      .toArray();
  }

  /** Deletions of these ids, oldest first. */
  async noted({ environmentId }: Environment, subscriberIds: readonly string[]): Promise<NotedDeletion[]> {
    if (subscriberIds.length === 0) return [];
    const byHash = new Map(subscriberIds.map((id) => [hashOf({ environmentId }, id), id]));
    const rows = await this.collection
      .find({ _environmentId: toObjectId(environmentId), idHash: { $in: [...byHash.keys()] } })
      .sort({ erasedAt: 1 })
      .project<Pick<ErasureRecord, '_id' | 'idHash' | 'isSettled' | 'isUnanswered' | 'wakeAt'>>({
        idHash: 1,
        isSettled: 1,
        isUnanswered: 1,
        wakeAt: 1,
      })
      .toArray();
    return rows.map(({ _id, idHash, isSettled, isUnanswered, wakeAt }) => ({
      id: _id,
      subscriberId: byHash.get(idHash) ?? '',
      // One that has ended in an earlier version has nothing left to find.
      isSettled: isSettled === true || wakeAt === undefined,
      isUnanswered: isUnanswered === true,
    }));
  }

  /** Record ids of those who were deleted with this id, where the request has no answer yet. */
  async unanswered(tenant: Environment, subscriberId: string): Promise<Types.ObjectId[]> {
    const noted = await this.noted(tenant, [subscriberId]);
    return noted.flatMap(({ id, isUnanswered }) => (isUnanswered ? [id] : []));
  }

  /** From now on, events count by themselves. @param deletions known before the events were looked for */
  async settle({ environmentId }: Environment, deletions: readonly NotedDeletion[]): Promise<void> {
    await this.collection.updateMany(
      { _id: { $in: deletions.map(({ id }) => id) }, _environmentId: toObjectId(environmentId) },
      { $set: { isSettled: true } },
    );
  }

  async answer({ environmentId }: Environment, ids: readonly Types.ObjectId[]): Promise<void> {
    await this.collection.updateMany(
      { _id: { $in: [...ids] }, _environmentId: toObjectId(environmentId) },
      { $unset: { isUnanswered: 1 } },
    );
  }

  /**
   * Searches again for data of erased persons.
   * @param subscriberId shared by all of them, if it is to be searched for
   */
  async reopen(erasures: readonly ErasureKey[], subscriberId?: string): Promise<void> {
    const again = { isReopened: true, ...(subscriberId !== undefined && { subscriberId }) } as const;
    const own = keysOf(erasures, ERASURE_SHARD_KEY);
    const now = this.clock.now();
    // A worker that holds it searches once more itself.
    await this.collection.updateMany(own, { $set: again, $unset: { expireAt: 1 } });
    await this.collection.updateMany({ ...own, lease: { $exists: false } }, { $set: { wakeAt: now } });
    this.onBegun();
  }
}

function hashOf({ environmentId }: Environment, subscriberId: string): string {
  return createHash('sha256').update(`${environmentId}:${subscriberId}`).digest('base64url');
}
