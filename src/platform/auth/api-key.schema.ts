import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema } from '#libs/persistence';
import { SealedField } from '#libs/secrets';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import type { AgentLimits } from './agent-limits.js';

/** Looked up by its hash; the key itself is stored only encrypted. */
@Schema({ collection: 'apiKeys', timestamps: true })
export class ApiKey extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _organizationId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _environmentId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _userId: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  /** SHA-256, hex. */
  @Prop({ type: String, required: true })
  hash: string;

  @Prop({ type: String, required: true })
  sealed: string;

  /** Absent on keys older than scopes: they have all scopes. */
  @Prop({ type: [String], enum: KEY_SCOPES, default: undefined })
  scopes?: KeyScope[];

  /** Only keys for agents have them. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  limits?: AgentLimits;

  @Prop({ type: String })
  issuedBy?: string;

  @Prop({ type: Date })
  expiresAt?: Date;

  /** Exact to the minute. */
  @Prop({ type: Date })
  lastUsedAt?: Date;
}

export const SEALED_KEY = new SealedField('apiKeys', 'sealed');

export const ApiKeySchema = defineGlobalSchema(ApiKey);
// the guard's look-up; a key belongs to one environment
ApiKeySchema.index({ hash: 1 }, { unique: true });
// list, oldest first
ApiKeySchema.index({ _environmentId: 1, deleted: 1, createdAt: 1, _id: 1 });

@Schema({ collection: 'apiKeyRevocations', timestamps: true })
export class ApiKeyRevocation extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _environmentId: Types.ObjectId;

  @Prop({ type: Number, required: true })
  revision: number;

  /** The revocation has begun and may be complete. */
  @Prop({ type: [MongooseSchema.Types.ObjectId], required: true })
  reserved: Types.ObjectId[];
}

export const ApiKeyRevocationSchema = defineGlobalSchema(ApiKeyRevocation);
// one for each environment
ApiKeyRevocationSchema.index({ _environmentId: 1 }, { unique: true });
