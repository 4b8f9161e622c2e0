import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { SealedField } from '#libs/secrets';

/** A secret that was replaced, as long as it still signs. */
@Schema({ _id: false })
export class FormerConditionSecret {
  @Prop({ type: String, required: true })
  sealed: string;
  @Prop({ type: Date, required: true })
  until: Date;
}

/** What the questions of an environment to the webhooks of conditions are signed with. */
@Schema({ collection: 'conditionSecrets', timestamps: true })
export class ConditionSecret extends TenantRecord {
  /** Encrypted. */
  @Prop({ type: String, required: true })
  sealedSecret: string;

  @Prop({ type: FormerConditionSecret })
  former?: FormerConditionSecret;
}

export const SEALED_CONDITION_SECRET = new SealedField('conditionSecrets', 'sealedSecret');
/** Bound as the current one, which it was: rotation copies the text within the store. */
export const SEALED_FORMER_CONDITION_SECRET = new SealedField('conditionSecrets', 'former.sealed', 'sealedSecret');

export const ConditionSecretSchema = defineSchema(ConditionSecret);
// one for each environment, whichever process makes it
ConditionSecretSchema.index({ _environmentId: 1 }, { unique: true });
