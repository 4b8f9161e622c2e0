import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema } from '#libs/persistence';

@Schema({ collection: 'environments', timestamps: true })
export class Environment extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _organizationId: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  identifier: string;

  @Prop({ type: MongooseSchema.Types.ObjectId })
  _parentId?: Types.ObjectId;

  /** Applies where the in-app integration has no setting. Absent in records of earlier versions: false. */
  @Prop({ type: Boolean })
  demandsHmac?: boolean;

  /** Definitions change by promotion only. Absent: false. */
  @Prop({ type: Boolean })
  isReadOnly?: boolean;

  /** Tokens contain the number at which they were issued. */
  @Prop({ type: Number })
  sessionEpoch?: number;
}

export const EnvironmentSchema = defineGlobalSchema(Environment);
// environments of an organization; a name is unique in it
EnvironmentSchema.index({ _organizationId: 1, name: 1 }, { unique: true });
// look-up by browser clients
EnvironmentSchema.index({ identifier: 1 }, { unique: true });
