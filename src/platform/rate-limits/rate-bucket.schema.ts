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

  /** Whether the last call was allowed: the update returns its decision in this field. */
  @Prop({ type: Boolean, required: true })
  allowed: boolean;
}

export const RateBucketSchema = defineSchema(RateBucket);
shardBy(RateBucketSchema, '_environmentId', 'category');
// the one bucket of environment and category
RateBucketSchema.index({ _environmentId: 1, category: 1 }, { unique: true });
