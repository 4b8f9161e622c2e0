import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

@Schema({ timestamps: true })
export class Message {
  @Prop({ type: String, required: true })
  subscriberId: string;

  @Prop({ type: String, required: true })
  content: string;

  @Prop({ type: Object })
  payload?: Record<string, unknown>;

  @Prop({ type: String, required: true })
  status: string;

  @Prop({ type: Boolean, default: false })
  seen: boolean;

  @Prop({ type: Boolean, default: false })
  read: boolean;
}

export const MessageSchema = SchemaFactory.createForClass(Message);
MessageSchema.index({ subscriberId: 1, createdAt: -1 });
