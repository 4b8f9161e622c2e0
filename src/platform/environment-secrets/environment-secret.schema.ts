import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { SealedField } from '#libs/secrets';

/** A named value of an environment that requests of workflows use and nobody can read. */
@Schema({ collection: 'environmentSecrets', timestamps: true })
export class EnvironmentSecret extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  sealedValue: string;

  /** Absent in records of earlier versions. */
  @Prop({ type: [String], default: undefined })
  hosts?: string[];
}

export const SEALED_ENVIRONMENT_SECRET = new SealedField('environmentSecrets', 'sealedValue');

export const EnvironmentSecretSchema = defineSchema(EnvironmentSecret);
// one of each name, whoever sets it first; read by requests; the list, by name
EnvironmentSecretSchema.index({ _environmentId: 1, name: 1 }, { unique: true });
