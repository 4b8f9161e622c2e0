import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import { OUTSIDE_SCHEDULE, type OutsideSchedule, type SendWindow } from '#libs/schedule';
import type { TriggerVariables } from '#libs/templates';
import type { Tracking } from '../../platform/recipient-links/index.js';
import type { Step } from './steps/step.schema.js';

/** A tenant's override or a subscriber's preference wins. */
export type ChannelSwitches = Record<Channel, boolean>;

export const SEVERITIES = ['none', 'low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Whether mails of the workflow carry the headers with which mail programs offer to unsubscribe. */
export const UNSUBSCRIBE_MODES = ['one-click', 'off'] as const;
export type UnsubscribeMode = (typeof UNSUBSCRIBE_MODES)[number];
export const MISSING_ADDRESS = ['skip', 'fail'] as const;
export type MissingAddress = (typeof MISSING_ADDRESS)[number];

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
export class Workflow extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: String })
  description?: string;

  @Prop({ type: Boolean, required: true })
  active: boolean;

  @Prop({ type: Boolean, required: true })
  draft: boolean;

  @Prop({ type: Boolean, required: true })
  critical: boolean;

  @Prop({ type: String, enum: SEVERITIES })
  severity?: Severity;

  /** Absent: `one-click`. */
  @Prop({ type: String, enum: UNSUBSCRIBE_MODES })
  unsubscribe?: UnsubscribeMode;

  /** Wins over that of the integration. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  tracking?: Tracking;

  @Prop({ type: String, enum: MISSING_ADDRESS })
  missingAddress?: MissingAddress;

  @Prop({ type: [String], required: true })
  tags: string[];

  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  preferenceSettings: ChannelSwitches;

  /** Absent: `skip`. */
  @Prop({ type: String, enum: OUTSIDE_SCHEDULE })
  outsideSchedule?: OutsideSchedule;

  @Prop({ type: MongooseSchema.Types.Mixed })
  sendWindow?: SendWindow;

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

  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;

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
