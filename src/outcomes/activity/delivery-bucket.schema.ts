import { Prop, Schema } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { CHANNELS, type Channel } from '#libs/channels';
import { defineSchema, TenantRecord } from '#libs/persistence';

export const BUCKET_MS = 5 * 60_000;
/** The longest period shown, and the one before. */
const KEPT_SECONDS = 2 * 86_400;

/**
 * Counts of one process over five minutes, per channel and provider. Each write stores whole counts, so a repeated
 * write counts nothing twice.
 */
@Schema({ collection: 'deliveryBuckets', timestamps: true })
export class DeliveryBucket extends TenantRecord {
  /** Start of the five minutes. */
  @Prop({ type: Date, required: true })
  at: Date;

  @Prop({ type: String, required: true })
  writer: string;

  @Prop({ type: String, required: true, enum: CHANNELS })
  channel: Channel;

  /** Absent if no provider was called. */
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

  /** Send times by class. */
  @Prop({ type: [Number], required: true })
  times: number[];
}

export type BucketCounts = Pick<DeliveryBucket, 'sent' | 'failed' | 'retried' | 'dead' | 'times'>;

export type BucketKey = Pick<DeliveryBucket, 'at' | 'writer' | 'channel' | 'providerId'> & {
  readonly _environmentId: Types.ObjectId;
  readonly _organizationId: Types.ObjectId;
};

export const DeliveryBucketSchema = defineSchema(DeliveryBucket);
DeliveryBucketSchema.index({ _environmentId: 1, deleted: 1, at: 1 });
DeliveryBucketSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
