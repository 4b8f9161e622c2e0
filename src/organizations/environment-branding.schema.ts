import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import type { Branding } from './organization.schema.js';

/** How messages of one environment look. Absent until it is first set: then that of the organization holds. */
@Schema({ collection: 'brandings', timestamps: true })
export class EnvironmentBranding extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.Mixed, required: true })
  branding: Branding;
}

export const EnvironmentBrandingSchema = defineSchema(EnvironmentBranding);
// one for each environment, looked up for every notification
EnvironmentBrandingSchema.index({ _environmentId: 1 }, { unique: true });
