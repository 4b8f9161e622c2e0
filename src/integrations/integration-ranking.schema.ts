import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';

/**
 * The order of preference among the active integrations of a channel. It is one document of its own, not a number on
 * each integration, so that every change of it is one atomic write and two primaries cannot be expressed at all.
 */
@Schema({ collection: 'integrationRankings', timestamps: true })
export class IntegrationRanking extends TenantRecord {
  @Prop({ type: String, required: true })
  channel: Channel;

  /** Ids of integrations, most preferred first. */
  @Prop({ type: [MongooseSchema.Types.ObjectId], required: true })
  order: Types.ObjectId[];

  /** Whether the first one is the primary integration. */
  @Prop({ type: Boolean, required: true })
  hasPrimary: boolean;

  /** Counts changes: a change is written only over the state that it was made from. */
  @Prop({ type: Number, required: true })
  revision: number;
}

export const IntegrationRankingSchema = defineSchema(IntegrationRanking);
// the one ranking of a channel; all rankings of an environment
IntegrationRankingSchema.index({ _environmentId: 1, channel: 1 }, uniqueWhileAlive);
