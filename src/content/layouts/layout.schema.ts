import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import type { TemplateVariable } from '#libs/templates';

@Schema({ collection: 'layouts', timestamps: true, minimize: false })
export class Layout extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: String })
  description?: string;

  @Prop({ type: String, required: true })
  content: string;

  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  variables: TemplateVariable[];

  @Prop({ type: Boolean, required: true })
  isDefault: boolean;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _creatorId: Types.ObjectId;
}

export const LayoutSchema = defineSchema(Layout);
// clash check of create and update, look-up by identifier
LayoutSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// at most one default
LayoutSchema.index(
  { _environmentId: 1, isDefault: 1 },
  { unique: true, partialFilterExpression: { isDefault: true, deleted: false } },
);
// list, newest first
LayoutSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
