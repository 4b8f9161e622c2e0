import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema } from '#libs/persistence';

@Schema({ collection: 'organizations', timestamps: true })
export class Organization extends BaseRecord {
  @Prop({ type: String, required: true })
  name: string;

  /** The user that set the organization up; keys are issued in its name. */
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _ownerId: Types.ObjectId;

  /** Logo and colour that templates show. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  branding?: Record<string, unknown>;

  /** Present on the organization that a fresh installation starts with. */
  @Prop({ type: Boolean })
  isDefault?: boolean;
}

export const OrganizationSchema = defineGlobalSchema(Organization);
// set-up of a fresh installation: two processes that start at once agree on one organization
OrganizationSchema.index({ isDefault: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });
