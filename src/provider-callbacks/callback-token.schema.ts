import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

/** A signature that covers a word used once but not the body: the body that came with the word first. */
@Schema({ collection: 'callbackTokens', timestamps: true })
export class CallbackToken extends TenantRecord {
  /** Digest of the body. */
  @Prop({ type: String, required: true })
  body: string;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const CallbackTokenSchema = defineSchema(CallbackToken);
// by then the signature is too old by itself
CallbackTokenSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
