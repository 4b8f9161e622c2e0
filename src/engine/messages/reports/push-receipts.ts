import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, Types } from 'mongoose';
import type { Ticket } from '#libs/channels';
import { rawCollection, shardBy, shared } from '#libs/persistence';
import { type Claimable, keyOf } from '#libs/work';

/** The tickets of one push message whose receipts are not fetched yet. */
export interface PushReceiptRecord extends Claimable {
  _environmentId: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _subscriberId: Types.ObjectId;
  _templateId: Types.ObjectId;
  _notificationId: Types.ObjectId;
  _jobId: Types.ObjectId;
  messageId: Types.ObjectId;
  transactionId: string;
  subscriberId: string;
  providerId: string;
  integrationId: string;
  tickets: Ticket[];
  /** How many of the message were handed on. */
  delivered: number;
  /** Looks so far. */
  looks: number;
  expireAt: Date;
}

export type NewPushReceipts = Omit<PushReceiptRecord, keyof Claimable | 'delivered' | 'looks' | 'expireAt'>;

export const PUSH_RECEIPT_MODEL = 'PushReceipt';
export const PushReceiptSchema = shared(
  new Schema({}, { collection: 'pushReceipts', strict: false, versionKey: false, timestamps: false }),
);
export const PUSH_RECEIPT_SHARD_KEY = shardBy(PushReceiptSchema, '_environmentId');
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
PushReceiptSchema.index({ wakeAt: 1 }, waiting);
PushReceiptSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
PushReceiptSchema.index({ _environmentId: 1, _subscriberId: 1 });
PushReceiptSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const MINUTE_MS = 60_000;
/** Providers have most receipts after a quarter of an hour, and forget them after a day. */
const LOOK_AFTER_MS = [15, 60, 6 * 60, 23 * 60].map((minutes) => minutes * MINUTE_MS);
const KEPT_MS = 24 * 60 * MINUTE_MS;

/** What providers are asked about push messages after they have accepted them. */
@Injectable()
export class PushReceipts {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  get collection(): mongo.Collection<PushReceiptRecord> {
    return rawCollection<PushReceiptRecord>(this.connection, 'pushReceipts');
  }

  async keep(message: NewPushReceipts, now: Date): Promise<void> {
    const wakeAt = new Date(now.getTime() + (LOOK_AFTER_MS[0] ?? 0));
    const expireAt = new Date(now.getTime() + KEPT_MS);
    const state = { delivered: 0, looks: 0, wakeAt, dueSince: wakeAt, expireAt };
    await this.collection.insertOne({ _id: new Types.ObjectId(), ...message, ...state });
  }

  /** Whether the record is there, and this process has its lease. */
  async holds(record: PushReceiptRecord): Promise<boolean> {
    const { lease = '' } = record;
    return (
      (await this.collection.countDocuments({ ...keyOf(record, PUSH_RECEIPT_SHARD_KEY), lease }, { limit: 1 })) > 0
    );
  }

  /** Ends a look. @param open tickets without a receipt @param delivered all that were handed on */
  async settle(record: PushReceiptRecord, open: readonly Ticket[], delivered: number): Promise<void> {
    const looks = record.looks + 1;
    const next = LOOK_AFTER_MS[looks];
    const held = { ...keyOf(record, PUSH_RECEIPT_SHARD_KEY), lease: record.lease ?? '' };
    if (open.length === 0 || next === undefined) {
      await this.collection.deleteOne(held);
      return;
    }
    const wakeAt = new Date(record.expireAt.getTime() - KEPT_MS + next);
    await this.collection.updateOne(held, {
      $set: { tickets: [...open], delivered, looks, wakeAt, dueSince: wakeAt },
      $unset: { lease: 1, takenUp: 1 },
    });
  }

  async removeOf(_environmentId: Types.ObjectId, _subscriberId: Types.ObjectId): Promise<void> {
    await this.collection.deleteMany({ _environmentId, _subscriberId });
  }
}
