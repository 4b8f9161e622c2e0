import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema } from '#libs/persistence';

/** What is being revoked in an environment: the one record over which revocations follow one another. */
@Schema({ collection: 'apiKeyRevocations', timestamps: true })
export class ApiKeyRevocation extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _environmentId: Types.ObjectId;

  /** Counts reservations. */
  @Prop({ type: Number, required: true })
  revision: number;

  /** Keys that are about to be revoked, and perhaps already are. */
  @Prop({ type: [MongooseSchema.Types.ObjectId], required: true })
  reserved: Types.ObjectId[];
}

export const ApiKeyRevocationSchema = defineGlobalSchema(ApiKeyRevocation);
// one for each environment
ApiKeyRevocationSchema.index({ _environmentId: 1 }, { unique: true });
