import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

@Schema({ collection: 'notificationGroups', timestamps: true })
export class NotificationGroup extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String })
  description?: string;

  @Prop({ type: Number })
  order?: number;

  @Prop({ type: MongooseSchema.Types.ObjectId })
  _parentId?: Types.ObjectId;

  @Prop({ type: Boolean })
  isDefault?: boolean;

  /** Created for a blueprint. */
  @Prop({ type: Boolean })
  isEnsured?: boolean;
}

export const NotificationGroupSchema = defineSchema(NotificationGroup);
// list, oldest first
NotificationGroupSchema.index({ _environmentId: 1, deleted: 1, createdAt: 1, _id: 1 });
// one default group, also when several processes start concurrently
NotificationGroupSchema.index(
  { _environmentId: 1, isDefault: 1 },
  { unique: true, partialFilterExpression: { isDefault: true } },
);
// one group per name for blueprints, also under concurrent requests
NotificationGroupSchema.index(
  { _environmentId: 1, name: 1 },
  { unique: true, partialFilterExpression: { isEnsured: true, deleted: false } },
);
