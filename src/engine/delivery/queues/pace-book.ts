import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { onDuplicateKey, rawCollection, shardBy, toObjectId, shared } from '#libs/persistence';

interface PaceRecord {
  _id: Types.ObjectId;
  /** The latest time that was given out, in milliseconds since 1970. */
  lastAt: number;
  expireAt: Date;
}

export const INTEGRATION_PACE_MODEL = 'IntegrationPace';
export const IntegrationPaceSchema = shared(
  new Schema({}, { collection: 'integrationPaces', strict: false, versionKey: false, timestamps: false }),
);
shardBy(IntegrationPaceSchema, '_id');
IntegrationPaceSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export interface Wish {
  /** Of the integration. */
  readonly id: string;
  readonly intervalMs: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export interface Reserved {
  /** Times at which messages may leave; fewer than asked for, or none, where the rest lies too far ahead. */
  readonly times: readonly number[];
  /** The first time that is not given out. */
  readonly next: number;
}

/** A message that leaves this soon waits for its time, and keeps its turn. */
export const PATIENCE_MS = 1_000;
const KEPT_MS = 86_400_000;

/** The one place that says when messages of an integration with a limit may leave: all processes get their times here. */
@Injectable()
export class PaceBook {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** One atomic step. A time that is given out belongs to the caller, whether it is used or not. */
  async reserve({ id, intervalMs, now }: Wish, count: number): Promise<Reserved> {
    const most = Math.min(count, Math.max(1, Math.floor(PATIENCE_MS / intervalMs)));
    const limit = now + PATIENCE_MS;
    const first = { $max: [{ $add: ['$lastAt', intervalMs] }, now] };
    const last = { $add: [first, (most - 1) * intervalMs] };
    const lastAt = { $cond: { if: { $gt: [first, limit] }, then: '$lastAt', else: last } };
    const move = (): Promise<PaceRecord | null> =>
      this.collection.findOneAndUpdate(
        { _id: toObjectId(id) },
        [{ $set: { lastAt, expireAt: new Date(now + KEPT_MS) } }],
        { upsert: true, returnDocument: 'before' },
      );
    // If two first messages meet, the later one finds the record on its second attempt.
    const before = await move().catch(onDuplicateKey(move));
    const start = before === null ? now : Math.max(before.lastAt + intervalMs, now);
    if (start > limit) return { times: [], next: start };
    const times = Array.from({ length: most }, (_, place) => start + place * intervalMs);
    return { times, next: start + most * intervalMs };
  }

  private get collection(): mongo.Collection<PaceRecord> {
    return rawCollection<PaceRecord>(this.connection, 'integrationPaces');
  }
}
