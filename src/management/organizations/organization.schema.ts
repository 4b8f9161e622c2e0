import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { BaseRecord, defineGlobalSchema, defineSchema, TenantRecord } from '#libs/persistence';

export interface Branding {
  logo?: string;
  /** Hexadecimal CSS colors. */
  color?: string;
  fontColor?: string;
  contentBackground?: string;
  fontFamily?: string;
}

@Schema({ collection: 'organizations', timestamps: true })
export class Organization extends BaseRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _ownerId: Types.ObjectId;

  /** Older than the branding of environments: applies to environments without their own. Never changed. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  branding?: Branding;

  @Prop({ type: Boolean })
  isDefault?: boolean;
}

export const OrganizationSchema = defineGlobalSchema(Organization);
// set-up of a fresh installation: two processes that start at the same time agree on one organization
OrganizationSchema.index({ isDefault: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });

/** The branding of one environment. Absent until it is first set: until then that of the organization applies. */
@Schema({ collection: 'brandings', timestamps: true })
export class EnvironmentBranding extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  branding: Branding;
}

export const EnvironmentBrandingSchema = defineSchema(EnvironmentBranding);
// one for each environment, looked up for every notification
EnvironmentBrandingSchema.index({ _environmentId: 1 }, { unique: true });
