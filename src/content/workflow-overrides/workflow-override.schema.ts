import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import type { ChannelSwitches } from '../workflows/index.js';

/** Absent settings follow the workflow. */
@Schema({ collection: 'workflowOverrides', timestamps: true, minimize: false })
export class WorkflowOverride extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _workflowId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _tenantId: Types.ObjectId;

  @Prop({ type: Boolean })
  active?: boolean;

  @Prop({ type: MongooseSchema.Types.Mixed })
  preferenceSettings?: Partial<ChannelSwitches>;
}

export const WorkflowOverrideSchema = defineSchema(WorkflowOverride);
// clash check of create, look-up by pair, removal with a workflow
WorkflowOverrideSchema.index({ _environmentId: 1, _workflowId: 1, _tenantId: 1 }, uniqueWhileAlive);
// removal with a tenant
WorkflowOverrideSchema.index({ _environmentId: 1, _tenantId: 1, deleted: 1 });
// list, newest first: of all workflows, or of one
WorkflowOverrideSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
WorkflowOverrideSchema.index({ _environmentId: 1, _workflowId: 1, deleted: 1, createdAt: -1, _id: -1 });
