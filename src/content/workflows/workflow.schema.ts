import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import type { TriggerVariables } from '#libs/templates';
import { HasOptions, type WithOptions } from './options.js';
import type { Step } from './steps/step.schema.js';

/** A tenant's override or a subscriber's preference wins. */
export type ChannelSwitches = Record<Channel, boolean>;

export const WORKFLOW_ACTIONS = [
  'created',
  'updated',
  'activated',
  'deactivated',
  'defined',
  'promoted',
  'restored',
  'deleted',
] as const;
export type WorkflowAction = (typeof WORKFLOW_ACTIONS)[number];

/** Who saved the present state, and how. */
export interface LastChange {
  readonly action: WorkflowAction;
  readonly apiKeyId: string;
  readonly note?: string;
  readonly restoredVersion?: number;
}

/** `__v` counts the changes. */
@Schema({ collection: 'workflows', timestamps: true, minimize: false })
@HasOptions(({ isText }) => Prop({ type: isText ? String : MongooseSchema.Types.Mixed }))
export class Workflow extends (TenantRecord as WithOptions<typeof TenantRecord>) {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: Boolean, required: true })
  active: boolean;

  @Prop({ type: Boolean, required: true })
  draft: boolean;

  @Prop({ type: Boolean, required: true })
  critical: boolean;

  @Prop({ type: [String], required: true })
  tags: string[];

  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  preferenceSettings: ChannelSwitches;

  /** Validated by `steps/`. Templates can have custom keys, so Mongoose must not cast them. */
  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  steps: Step[];

  /** Required of events by the steps. */
  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  triggerVariables: TriggerVariables;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _notificationGroupId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _creatorId: Types.ObjectId;

  /** The workflow in another environment that this is a copy of. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  _parentId?: Types.ObjectId;

  @Prop({ type: String })
  blueprintId?: string;

  /** Absent in records of before it was kept. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  lastChange?: LastChange;
}

export const WorkflowSchema = defineSchema(Workflow);
// clash check of create and update, resolving a trigger
WorkflowSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list, newest first; feeds and layouts in use, over the few workflows of an environment
WorkflowSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
// groups in use
WorkflowSchema.index({ _environmentId: 1, deleted: 1, _notificationGroupId: 1 });
