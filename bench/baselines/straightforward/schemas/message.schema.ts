import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { TenantRecord } from './record.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

@Schema({ collection: 'messages', timestamps: true, minimize: false })
export class Message extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _templateId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _notificationId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: String, required: true })
  transactionId: string;

  @Prop({ type: String, required: true })
  channel: string;

  @Prop({ type: Mixed })
  content?: unknown;

  @Prop({ type: Boolean, default: false })
  seen: boolean;

  @Prop({ type: Boolean, default: false })
  read: boolean;

  @Prop({ type: Date })
  lastSeenDate?: Date;

  @Prop({ type: Date })
  lastReadDate?: Date;

  @Prop({ type: Mixed })
  payload?: Record<string, unknown>;
}

export const MessageSchema = SchemaFactory.createForClass(Message);
