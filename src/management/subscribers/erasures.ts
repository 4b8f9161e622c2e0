import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { rawCollection, shardBy, toObjectId } from '#libs/persistence';
import { type Claimable, keysOf } from '#libs/work';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/**
 * A deleted subscriber whose data is being removed, and afterwards a note that this record id has ended. It is stored before
 * anything is removed, so that whoever writes for the subscriber later finds it.
 */
export interface ErasureRecord extends Claimable {
  /** Record id of the subscriber. */
  _id: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  /** A hash of the client's own id, by which triggers that were accepted before are told from later ones. */
  idHash: string;
  /** The client's own id, until everything is removed. */
  subscriberId?: string;
  erasedAt: Date;
  /** Something was written for the subscriber after it was looked for. */
  isReopened?: true;
  expireAt?: Date;
}

export const ERASURE_MODEL = 'Erasure';
export const ErasureSchema = new Schema(
  {},
  { collection: 'erasures', strict: false, versionKey: false, timestamps: false },
);
export const ERASURE_SHARD_KEY = shardBy(ErasureSchema, '_environmentId');
// triggers that were accepted before an id was deleted
ErasureSchema.index({ _environmentId: 1, idHash: 1, erasedAt: -1 });
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// erasures that are due, and the next one; the same of each environment
ErasureSchema.index({ wakeAt: 1 }, waiting);
ErasureSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// retention of the note
ErasureSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

type ErasureKey = Pick<ErasureRecord, '_id' | '_environmentId'>;

/** A subscriber was deleted before an event for its id was carried out. */
export interface EarlierPerson {
  readonly id: Types.ObjectId;
  readonly subscriberId: string;
  readonly erasedAt: Date;
}

/** The fields of a new erasure besides its id, which is due at once. */
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

/** The erasures of deleted subscribers: what is still to be removed, and which record ids have ended. */
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

  /** Called when something is to be removed now. */
  whenBegun(listener: () => void): void {
    this.onBegun = listener;
  }

  /** Notes that a subscriber is to be erased. Call it before the record of the subscriber is removed. */
  async begin(
    owner: Owner,
    subscriber: { readonly _id: Types.ObjectId; readonly subscriberId: string },
  ): Promise<void> {
    const now = this.clock.now();
    await this.collection.updateOne(
      { _id: subscriber._id, _environmentId: toObjectId(owner.environmentId) },
      {
        $setOnInsert: newErasure(
          {
            _organizationId: toObjectId(owner.organizationId),
            _environmentId: toObjectId(owner.environmentId),
            subscriberId: subscriber.subscriberId,
          },
          now,
        ),
      },
      { upsert: true },
    );
  }

  /** Lets the worker of this process look now. */
  announce(): void {
    this.onBegun();
  }

  /**
   * Call it after writing records for subscribers that may have been deleted in the meantime: what was written for them is
   * removed again. Because an erasure is noted before it begins, either its worker or this call finds the records.
   * @param records what was written
   */
  async removeLateWrites(
    records: readonly { readonly _environmentId: Types.ObjectId; readonly _subscriberId: Types.ObjectId }[],
  ): Promise<void> {
    if (records.length === 0) return;
    const owners = records.map(({ _environmentId, _subscriberId }) => ({ _id: _subscriberId, _environmentId }));
    const distinct = [...new Map(owners.map((owner) => [owner._id.toHexString(), owner])).values()];
    const erased = await this.collection
      .find(keysOf(distinct, ERASURE_SHARD_KEY))
      .project<ErasureKey>({ _id: 1, _environmentId: 1 })
      .toArray();
    if (erased.length > 0) await this.reopen(erased);
  }

  /** The ids among these that belonged to a person who was deleted since a moment. */
  async deletedSince(
    { environmentId }: Pick<Owner, 'environmentId'>,
    subscriberIds: readonly string[],
    since: Date,
  ): Promise<EarlierPerson[]> {
    if (subscriberIds.length === 0) return [];
    const byHash = new Map(subscriberIds.map((id) => [hashOf({ environmentId }, id), id]));
    const rows = await this.collection
      .find({
        _environmentId: toObjectId(environmentId),
        idHash: { $in: [...byHash.keys()] },
        erasedAt: { $gte: since },
      })
      .sort({ erasedAt: 1 })
      .project<Pick<ErasureRecord, '_id' | 'idHash' | 'erasedAt'>>({ idHash: 1, erasedAt: 1 })
      .toArray();
    return rows.map(({ _id, idHash, erasedAt }) => ({ id: _id, subscriberId: byHash.get(idHash) ?? '', erasedAt }));
  }

  /** Looks for what is left of erased persons once more. @param subscriberId of all of them, where it is to be searched for */
  async reopen(erasures: readonly ErasureKey[], subscriberId?: string): Promise<void> {
    const again = { isReopened: true, ...(subscriberId !== undefined && { subscriberId }) } as const;
    const own = keysOf(erasures, ERASURE_SHARD_KEY);
    const now = this.clock.now();
    // A worker that holds it looks once more itself.
    await this.collection.updateMany(own, { $set: again, $unset: { expireAt: 1 } });
    await this.collection.updateMany({ ...own, lease: { $exists: false } }, { $set: { wakeAt: now } });
    this.onBegun();
  }
}

function hashOf({ environmentId }: Pick<Owner, 'environmentId'>, subscriberId: string): string {
  return createHash('sha256').update(`${environmentId}:${subscriberId}`).digest('base64url');
}
