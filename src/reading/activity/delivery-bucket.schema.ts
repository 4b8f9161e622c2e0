import { Prop, Schema } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { CHANNELS, type Channel } from '#libs/channels';
import { defineSchema, TenantRecord } from '#libs/persistence';

export const BUCKET_MS = 5 * 60_000;
/** Longer than the longest period that is shown. */
const KEPT_SECONDS = 2 * 86_400;

/**
 * What one process has counted in five minutes, for one channel and provider of an environment. The process writes the whole
 * count each time, so a write that is repeated counts nothing twice.
 */
@Schema({ collection: 'deliveryBuckets', timestamps: true })
export class DeliveryBucket extends TenantRecord {
  /** Beginning of the five minutes. */
  @Prop({ type: Date, required: true })
  at: Date;

  /** The process. */
  @Prop({ type: String, required: true })
  writer: string;

  @Prop({ type: String, required: true, enum: CHANNELS })
  channel: Channel;

  /** Absent where no provider was called. */
  @Prop({ type: String })
  providerId?: string;

  @Prop({ type: Number, required: true })
  sent: number;

  @Prop({ type: Number, required: true })
  failed: number;

  @Prop({ type: Number, required: true })
  retried: number;

  @Prop({ type: Number, required: true })
  dead: number;

  /** Times to send, by class. */
  @Prop({ type: [Number], required: true })
  times: number[];
}

/** What a process counts; the record without the fields of every record. */
export type BucketCounts = Pick<DeliveryBucket, 'sent' | 'failed' | 'retried' | 'dead' | 'times'>;

export type BucketKey = Pick<DeliveryBucket, 'at' | 'writer' | 'channel' | 'providerId'> & {
  readonly _environmentId: Types.ObjectId;
  readonly _organizationId: Types.ObjectId;
};

export const DeliveryBucketSchema = defineSchema(DeliveryBucket);
// the buckets of a period
DeliveryBucketSchema.index({ _environmentId: 1, deleted: 1, at: 1 });
DeliveryBucketSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
