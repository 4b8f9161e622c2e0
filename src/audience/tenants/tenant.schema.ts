import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive, shardBy } from '#libs/persistence';

@Schema({ collection: 'tenants', timestamps: true, minimize: false })
export class Tenant extends TenantRecord {
  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;

  @Prop({ type: String })
  publicUrl?: string;
}

export const TenantSchema = defineSchema(Tenant);
shardBy(TenantSchema, '_environmentId');
// clash check of create and rename, every look-up by identifier
TenantSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list, newest first
TenantSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
