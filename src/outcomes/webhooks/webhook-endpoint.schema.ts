import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { SealedField } from '#libs/secrets';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-events.js';

@Schema({ _id: false })
export class FormerSecret {
  @Prop({ type: String, required: true })
  sealed: string;
  @Prop({ type: Date, required: true })
  until: Date;
}

@Schema({ collection: 'webhookEndpoints', timestamps: true })
export class WebhookEndpoint extends TenantRecord {
  @Prop({ type: String, required: true })
  url: string;

  @Prop({ type: [String], required: true, enum: WEBHOOK_EVENT_TYPES })
  events: WebhookEventType[];

  @Prop({ type: String })
  description?: string;

  @Prop({ type: Boolean, required: true })
  active: boolean;

  /** Earlier events are not delivered. Uses the machine's clock, like the dates of messages. */
  @Prop({ type: Date, required: true })
  activeSince: Date;

  @Prop({ type: String, required: true })
  sealedSecret: string;

  @Prop({ type: FormerSecret })
  formerSecret?: FormerSecret;

  @Prop({ type: String })
  disabledReason?: string;

  @Prop({ type: Date })
  disabledAt?: Date;
}

export const SEALED_SECRET = new SealedField('webhookEndpoints', 'sealedSecret');
/** Bound like the current one, which it was: rotation copies the text within the store. */
export const SEALED_FORMER_SECRET = new SealedField('webhookEndpoints', 'formerSecret.sealed', 'sealedSecret');

export const WebhookEndpointSchema = defineSchema(WebhookEndpoint);
// list, newest first; active endpoints of an environment
WebhookEndpointSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
// environments with active endpoints
WebhookEndpointSchema.index({ active: 1, deleted: 1, events: 1 });
