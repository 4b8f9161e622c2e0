import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { SealedField } from '#libs/secrets';

@Schema({ _id: false })
export class FormerConditionSecret {
  @Prop({ type: String, required: true })
  sealed: string;
  @Prop({ type: Date, required: true })
  until: Date;
}

@Schema({ collection: 'conditionSecrets', timestamps: true })
export class ConditionSecret extends TenantRecord {
  @Prop({ type: String, required: true })
  sealedSecret: string;

  @Prop({ type: FormerConditionSecret })
  former?: FormerConditionSecret;
}

export const SEALED_CONDITION_SECRET = new SealedField('conditionSecrets', 'sealedSecret');
/** Bound to the place of the current secret: rotation copies the sealed text within the store. */
export const SEALED_FORMER_CONDITION_SECRET = new SealedField('conditionSecrets', 'former.sealed', 'sealedSecret');

export const ConditionSecretSchema = defineSchema(ConditionSecret);
// one for each environment, whichever process creates it
ConditionSecretSchema.index({ _environmentId: 1 }, { unique: true });
