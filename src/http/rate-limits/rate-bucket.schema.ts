import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';
import type { RateCategory } from './call-cost.js';

@Schema({ collection: 'rateBuckets' })
export class RateBucket extends TenantRecord {
  @Prop({ type: String, required: true })
  category: RateCategory;

  @Prop({ type: Number, required: true })
  tokens: number;

  @Prop({ type: Date, required: true })
  refilledAt: Date;

  /** The update returns its decision here. */
  @Prop({ type: Boolean, required: true })
  allowed: boolean;
}

export const RateBucketSchema = defineSchema(RateBucket);
shardBy(RateBucketSchema, '_environmentId', 'category');
RateBucketSchema.index({ _environmentId: 1, category: 1 }, { unique: true });
