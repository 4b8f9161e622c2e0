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

  /** Read-only legacy: applies to environments without a branding of their own. */
  @Prop({ type: MongooseSchema.Types.Mixed })
  branding?: Branding;

  @Prop({ type: Boolean })
  isDefault?: boolean;
}

export const OrganizationSchema = defineGlobalSchema(Organization);
// two processes that start concurrently agree on one organization
OrganizationSchema.index({ isDefault: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });

/** Absent until first set; until then the organization's branding applies. */
@Schema({ collection: 'brandings', timestamps: true })
export class EnvironmentBranding extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  branding: Branding;
}

export const EnvironmentBrandingSchema = defineSchema(EnvironmentBranding);
// looked up for every notification
EnvironmentBrandingSchema.index({ _environmentId: 1 }, { unique: true });
