import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

@Schema({ timestamps: true })
export class Subscriber {
  @Prop({ type: String, required: true, unique: true })
  subscriberId: string;

  @Prop({ type: String })
  firstName?: string;

  @Prop({ type: String })
  lastName?: string;

  @Prop({ type: String })
  email?: string;
}

export const SubscriberSchema = SchemaFactory.createForClass(Subscriber);
SubscriberSchema.index({ createdAt: -1, _id: -1 });
