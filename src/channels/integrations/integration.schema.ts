import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';
import { SealedField } from '#libs/secrets';
import type { Tracking } from '../../platform/recipient-links/index.js';

/** What deliveries know of a provider that does not answer. */
export interface Outage {
  readonly since: Date;
  /** When one message tries whether it is up again. */
  readonly until: Date;
  /** How many have tried. */
  readonly probes: number;
  readonly code: string;
  /** The answer to the last message before. */
  readonly error: string;
}

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

  /** One encrypted JSON text, which preserves types; absent if there are none. */
  @Prop({ type: String })
  sealedCredentials?: string;

  /** Resend a message that the provider may have accepted, also through other integrations. Default: false. */
  @Prop({ type: Boolean })
  retryUncertain?: boolean;

  /** Of mails, unless the workflow says otherwise. Absent: nothing is followed. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  tracking?: Tracking;

  /** Default: no limit. */
  @Prop({ type: Number })
  messagesPerSecond?: number;

  /** Herald sends its own mails through it. Only the scope admin changes it then. */
  @Prop({ type: Boolean })
  sendsSystemMail?: boolean;

  /** Its provider has asked for no messages until then. */
  @Prop({ type: Date })
  quietUntil?: Date;

  /** Present while its provider is down, as deliveries see it. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  outage?: Outage;

  /** As validated; groups and children have no ids. */
  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  conditions: ConditionGroup[];
}

export const SEALED_CREDENTIALS = new SealedField('integrations', 'sealedCredentials');

export const IntegrationSchema = defineSchema(Integration);
// clash check of create and update, webhook status by identifier
IntegrationSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive);
// list newest first, and all that is active for the engine
IntegrationSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
// one in-app integration per environment
IntegrationSchema.index(
  { channel: 1, _environmentId: 1 },
  { unique: true, partialFilterExpression: { channel: 'in_app', deleted: false } },
);

/**
 * One document, not a number on each integration: each change is atomic, and two integrations cannot both be primary.
 */
@Schema({ collection: 'integrationRankings', timestamps: true })
export class IntegrationRanking extends TenantRecord {
  @Prop({ type: String, required: true })
  channel: Channel;

  @Prop({ type: [MongooseSchema.Types.ObjectId], required: true })
  order: Types.ObjectId[];

  @Prop({ type: Boolean, required: true })
  hasPrimary: boolean;

  /** Optimistic lock. */
  @Prop({ type: Number, required: true })
  revision: number;
}

export const IntegrationRankingSchema = defineSchema(IntegrationRanking);
// the one ranking of a channel; all rankings of an environment
IntegrationRankingSchema.index({ _environmentId: 1, channel: 1 }, uniqueWhileAlive);
