import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

/** What a subscriber is reached with through one chat or push provider. Null: not set. */
@Schema({ _id: false })
export class StoredCredentials {
  @Prop({ type: String })
  webhookUrl?: string | null;
  @Prop({ type: String })
  channel?: string | null;
  @Prop({ type: String })
  alertUid?: string | null;
  @Prop({ type: String })
  title?: string | null;
  @Prop({ type: String })
  imageUrl?: string | null;
  @Prop({ type: String })
  state?: string | null;
  @Prop({ type: String })
  externalUrl?: string | null;
  @Prop({ type: [String], default: undefined })
  deviceTokens?: string[];
}

/** Credentials for one integration. */
@Schema({ _id: false })
export class SubscriberChannel {
  @Prop({ type: String, required: true })
  providerId: string;
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _integrationId: Types.ObjectId;
  @Prop({ type: String, required: true })
  integrationIdentifier: string;
  @Prop({ type: StoredCredentials, required: true })
  credentials: StoredCredentials;
}

/** An address that a provider says will never work. It holds only while the subscriber still has that address. */
@Schema({ _id: false })
export class AddressState {
  @Prop({ type: String, required: true })
  address: string;
  @Prop({ type: String, required: true })
  reason: string;
  @Prop({ type: Date, required: true })
  since: Date;
}

@Schema({ _id: false })
class AddressStates {
  @Prop({ type: AddressState })
  email?: AddressState;
  @Prop({ type: AddressState })
  sms?: AddressState;
}

/** Lower-case copies of what the list can be searched by. */
@Schema({ _id: false })
class SearchKeys {
  @Prop({ type: String })
  email?: string;
  @Prop({ type: String })
  firstName?: string;
  @Prop({ type: String })
  lastName?: string;
}

/** A recipient of notifications. */
@Schema({ collection: 'subscribers', timestamps: true, minimize: false })
export class Subscriber extends TenantRecord {
  /** The client's own identifier of the user. */
  @Prop({ type: String, required: true })
  subscriberId: string;

  @Prop({ type: String })
  firstName?: string;
  @Prop({ type: String })
  lastName?: string;
  @Prop({ type: String })
  email?: string;
  @Prop({ type: String })
  phone?: string;
  @Prop({ type: String })
  avatar?: string;
  @Prop({ type: String })
  locale?: string;
  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;

  @Prop({ type: [SubscriberChannel], required: true })
  channels: SubscriberChannel[];

  @Prop({ type: AddressStates })
  addressStates?: AddressStates;

  /** Absent until it is first told. */
  @Prop({ type: Boolean })
  isOnline?: boolean;
  @Prop({ type: Date })
  lastOnlineAt?: Date;

  @Prop({ type: SearchKeys })
  search?: SearchKeys;
}

export const SubscriberSchema = defineSchema(Subscriber);
// every look-up by external id, search by its beginning; not partial: a deleted subscriber is revived, never doubled
SubscriberSchema.index({ _environmentId: 1, subscriberId: 1 }, { unique: true });
// list newest first, broadcasts in the order of ids
SubscriberSchema.index({ _environmentId: 1, deleted: 1, _id: -1 });
// searches of the list
SubscriberSchema.index({ _environmentId: 1, 'search.email': 1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, phone: 1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, 'search.firstName': 1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, 'search.lastName': 1, _id: -1 });
