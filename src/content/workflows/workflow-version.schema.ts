import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import type { Workflow } from './workflow.schema.js';

/** A state of a workflow that a later change has replaced. Never changed. */
@Schema({ collection: 'workflowVersions', timestamps: true, minimize: false })
export class WorkflowVersion extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _workflowId: Types.ObjectId;

  /** `__v` of the workflow. */
  @Prop({ type: Number, required: true })
  version: number;

  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  state: Workflow;
}

export const WorkflowVersionSchema = defineSchema(WorkflowVersion);
// one record for each version; list, newest first; the oldest ones, to remove them
WorkflowVersionSchema.index({ _environmentId: 1, _workflowId: 1, version: -1 }, { unique: true });
