import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';

/** A record of __texts__. */
@Schema({ collection: '__names__', timestamps: true })
export class __Name__ extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String })
  description?: string;
}

export const __Name__Schema = defineSchema(__Name__);
// clash check of create and rename
__Name__Schema.index({ _environmentId: 1, name: 1 }, uniqueWhileAlive);
// list, newest first
__Name__Schema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
