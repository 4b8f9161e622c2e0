import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';

@Schema({ collection: 'rateBuckets' })
export class RateBucket extends TenantRecord {
  /** Of an environment, or `mcp` with the id of the key of an agent. */
  @Prop({ type: String, required: true })
  category: string;

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
