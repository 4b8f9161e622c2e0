import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { TenantRecord } from './record.js';

@Schema({ collection: 'workflows', timestamps: true })
export class Workflow extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: [String] })
  tags: string[];

  @Prop({ type: Boolean, default: false })
  critical: boolean;

  @Prop({ type: String, required: true })
  identifier: string;
}

export const WorkflowSchema = SchemaFactory.createForClass(Workflow);
