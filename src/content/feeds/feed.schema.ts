import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';

@Schema({ collection: 'feeds', timestamps: true })
export class Feed extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;
}

export const FeedSchema = defineSchema(Feed);
// clash check of create, look-up by identifier
FeedSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list, oldest first
FeedSchema.index({ _environmentId: 1, deleted: 1, createdAt: 1, _id: 1 });
