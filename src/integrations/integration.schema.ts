import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { Channel } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import { SealedField } from '#libs/secrets';

/** The configuration of one provider in one environment. */
@Schema({ collection: 'integrations', timestamps: true })
export class Integration extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: String, required: true })
  providerId: string;

  @Prop({ type: String, required: true })
  channel: Channel;

  @Prop({ type: Boolean, required: true })
  active: boolean;

  /** The credentials as one encrypted JSON text, so that their types survive; absent where there are none. */
  @Prop({ type: String })
  sealedCredentials?: string;

  /** Sends a message again, and through others, that the provider may have taken already; absent: no. */
  @Prop({ type: Boolean })
  retryUncertain?: boolean;

  /** Exactly as validated; groups and children carry no ids of their own. */
  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  conditions: ConditionGroup[];
}

export const SEALED_CREDENTIALS = new SealedField('integrations', 'sealedCredentials');

export const IntegrationSchema = defineSchema(Integration);
// clash check of create and update, webhook status by identifier
IntegrationSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list newest first, and all that is active for the engine
IntegrationSchema.index({ _environmentId: 1, deleted: 1, _id: -1 });
// one in-app integration per environment
IntegrationSchema.index(
  { channel: 1, _environmentId: 1 },
  { unique: true, partialFilterExpression: { channel: 'in_app', deleted: false } },
);
