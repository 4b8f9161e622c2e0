import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import type { TriggerVariables } from '#libs/templates';
import type { Step } from './steps/step.schema.js';

/** Which channels a workflow uses, unless a tenant's override or a subscriber's preference says otherwise. */
export type ChannelSwitches = Record<Channel, boolean>;

/** What happens when an event is triggered. `__v` counts its changes. */
@Schema({ collection: 'workflows', timestamps: true, minimize: false })
export class Workflow extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  /** Trigger identifier: the `name` of events. */
  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: String })
  description?: string;

  @Prop({ type: Boolean, required: true })
  active: boolean;

  @Prop({ type: Boolean, required: true })
  draft: boolean;

  /** Subscribers cannot switch off a critical workflow. */
  @Prop({ type: Boolean, required: true })
  critical: boolean;

  @Prop({ type: [String], required: true })
  tags: string[];

  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  preferenceSettings: ChannelSwitches;

  /** Built and checked by `steps/`; templates may have keys of the client's own, so Mongoose stores it as it is. */
  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  steps: Step[];

  /** What an event needs, found in the steps. */
  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  triggerVariables: TriggerVariables;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _notificationGroupId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _creatorId: Types.ObjectId;

  /** The workflow of another environment that it is a copy of. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  _parentId?: Types.ObjectId;

  @Prop({ type: String })
  blueprintId?: string;

  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;
}

export const WorkflowSchema = defineSchema(Workflow);
// clash check of create and update, resolving a trigger
WorkflowSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list, newest first; also serves the checks whether a feed or layout is in use, over the few workflows of an
// environment
WorkflowSchema.index({ _environmentId: 1, deleted: 1, _id: -1 });
// is a group in use?
WorkflowSchema.index({ _environmentId: 1, deleted: 1, _notificationGroupId: 1 });
