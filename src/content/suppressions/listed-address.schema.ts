import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import { type AddressChannel, SUPPRESSION_KINDS, type SuppressionKind } from '../../audience/subscribers/index.js';

/** An address that nobody had when it was suppressed. */
@Schema({ collection: 'suppressedAddresses', timestamps: true })
export class ListedAddress extends TenantRecord {
  @Prop({ type: String, enum: ['email', 'sms'], required: true })
  channel: AddressChannel;

  /** As it was given. */
  @Prop({ type: String, required: true })
  address: string;

  /** What addresses are compared by. */
  @Prop({ type: String, required: true })
  key: string;

  @Prop({ type: String, enum: SUPPRESSION_KINDS, required: true })
  kind: SuppressionKind;

  @Prop({ type: String, required: true })
  reason: string;

  @Prop({ type: Date, required: true })
  since: Date;
}

export const ListedAddressSchema = defineSchema(ListedAddress);
shardBy(ListedAddressSchema, '_environmentId');
// one record for each address; what deliveries ask, in environments that have any
ListedAddressSchema.index({ _environmentId: 1, channel: 1, key: 1 }, { unique: true });
// the suppression list, newest first
ListedAddressSchema.index({ _environmentId: 1, channel: 1, since: -1, _id: -1 });
