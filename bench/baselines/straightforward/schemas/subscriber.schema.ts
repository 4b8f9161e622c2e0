import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { TenantRecord } from './record.js';

@Schema({ collection: 'subscribers', timestamps: true, minimize: false })
export class Subscriber extends TenantRecord {
  @Prop({ type: String, required: true })
  subscriberId: string;

  @Prop({ type: String })
  firstName?: string;

  @Prop({ type: String })
  lastName?: string;

  @Prop({ type: String })
  email?: string;

  @Prop({ type: String })
  phone?: string;

  @Prop({ type: String })
  avatar?: string;

  @Prop({ type: String })
  locale?: string;

  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;

  @Prop({ type: [MongooseSchema.Types.Mixed], default: [] })
  channels: Record<string, unknown>[];

  @Prop({ type: Boolean })
  isOnline?: boolean;

  @Prop({ type: Date })
  lastOnlineAt?: Date;

  /** Lower case, for searches. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  search?: Record<string, string>;
}

export const SubscriberSchema = SchemaFactory.createForClass(Subscriber);
