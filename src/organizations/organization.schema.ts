import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema } from '#libs/persistence';

/** How messages of an environment look: what templates see as `branding`. */
export interface Branding {
  /** Address of an image. */
  logo?: string;
  /** Hexadecimal CSS colours. */
  color?: string;
  fontColor?: string;
  contentBackground?: string;
  fontFamily?: string;
}

@Schema({ collection: 'organizations', timestamps: true })
export class Organization extends BaseRecord {
  @Prop({ type: String, required: true })
  name: string;

  /** The user that set the organization up; keys are issued in its name. */
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _ownerId: Types.ObjectId;

  /** Written before environments had brandings of their own; holds for those that have none yet. Never changed. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  branding?: Branding;

  /** Present on the organization that a fresh installation starts with. */
  @Prop({ type: Boolean })
  isDefault?: boolean;
}

export const OrganizationSchema = defineGlobalSchema(Organization);
// set-up of a fresh installation: two processes that start at once agree on one organization
OrganizationSchema.index({ isDefault: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });
