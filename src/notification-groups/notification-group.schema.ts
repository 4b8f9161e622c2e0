import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

@Schema({ collection: 'notificationGroups', timestamps: true })
export class NotificationGroup extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  /** The group of the parent environment that this one corresponds to. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  _parentId?: Types.ObjectId;

  /** Present on the group that the environment started with. */
  @Prop({ type: Boolean })
  isDefault?: boolean;

  /** Present on a group that was created because a blueprint asked for one of this name. */
  @Prop({ type: Boolean })
  isEnsured?: boolean;
}

export const NotificationGroupSchema = defineSchema(NotificationGroup);
// list, oldest first
NotificationGroupSchema.index({ _environmentId: 1, deleted: 1, _id: 1 });
// one default group, however many processes start at the same time
NotificationGroupSchema.index(
  { _environmentId: 1, isDefault: 1 },
  { unique: true, partialFilterExpression: { isDefault: true } },
);
// one group for a name that blueprints ask for, however many requests ask for it at the same time
NotificationGroupSchema.index(
  { _environmentId: 1, name: 1 },
  { unique: true, partialFilterExpression: { isEnsured: true, deleted: false } },
);
