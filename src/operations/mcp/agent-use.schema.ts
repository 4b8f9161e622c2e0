import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';

/** A call that sends. */
export interface AgentSend {
  readonly id: string;
  readonly at: Date;
  readonly notifications: number;
  /** Records of the subscribers. */
  readonly people: readonly string[];
}

/** What an agent has sent within its period: one record for each key, so that each call is decided in one write. */
@Schema({ collection: 'agentUses' })
export class AgentUse extends TenantRecord {
  @Prop({ type: String, required: true })
  apiKeyId: string;

  /** The write names the revision that was read. */
  @Prop({ type: Number, required: true })
  revision: number;

  @Prop({ type: [MongooseSchema.Types.Mixed], required: true })
  sends: AgentSend[];

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const AgentUseSchema = defineSchema(AgentUse);
shardBy(AgentUseSchema, '_environmentId', 'apiKeyId');
// one for each key
AgentUseSchema.index({ _environmentId: 1, apiKeyId: 1 }, { unique: true });
AgentUseSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
