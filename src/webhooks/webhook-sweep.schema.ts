import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

/** Up to when the messages of an environment were looked through for events that nobody has noted. */
@Schema({ collection: 'webhookSweeps', timestamps: true })
export class WebhookSweep extends TenantRecord {
  @Prop({ type: Date, required: true })
  sweptUntil: Date;
}

export const WebhookSweepSchema = defineSchema(WebhookSweep);
// the one of an environment; not partial, because it is never deleted
WebhookSweepSchema.index({ _environmentId: 1 }, { unique: true });
