import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

@Schema({ timestamps: true })
export class Subscriber {
  @Prop({ type: String, required: true, unique: true })
  subscriberId: string;

  @Prop({ type: String })
  firstName?: string;
}

export const SubscriberSchema = SchemaFactory.createForClass(Subscriber);
