import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from 'herald/plugin';

@Schema({ collection: 'plugin__Names__', timestamps: true })
export class __Name__ extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;
}

export const __Name__Schema = defineSchema(__Name__);
// clash check of create and change
__Name__Schema.index({ _environmentId: 1, name: 1 }, uniqueWhileAlive);
// list, newest first
__Name__Schema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
