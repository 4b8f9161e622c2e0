import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { ConditionGroup } from '#libs/conditions';
import { defineSchema, shardBy, TenantRecord, uniqueWhileAlive } from '#libs/persistence';

@Schema({ collection: 'segments', timestamps: true, minimize: false })
export class Segment extends TenantRecord {
  @Prop({ type: String, required: true })
  segmentId: string;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  conditions: ConditionGroup[];
}

export const SegmentSchema = defineSchema(Segment);
shardBy(SegmentSchema, '_environmentId');
// clash check of create, every look-up by id
SegmentSchema.index({ _environmentId: 1, segmentId: 1 }, uniqueWhileAlive);
// list, newest first
SegmentSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
