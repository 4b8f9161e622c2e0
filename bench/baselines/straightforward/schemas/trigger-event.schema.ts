import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { TenantRecord } from './record.js';

@Schema({ collection: 'triggerEvents', timestamps: true, minimize: false })
export class TriggerEvent extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _templateId: Types.ObjectId;

  @Prop({ type: String, required: true })
  transactionId: string;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: [String], required: true })
  to: string[];

  @Prop({ type: MongooseSchema.Types.Mixed })
  payload: Record<string, unknown>;
}

export const TriggerEventSchema = SchemaFactory.createForClass(TriggerEvent);
