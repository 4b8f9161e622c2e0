import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';
import { HasProfile, type WithProfile } from './profile.js';

/** `deviceTokens` is a list instead. */
export const CREDENTIAL_TEXT_KEYS = [
  'webhookUrl',
  'channel',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalUrl',
] as const;
export type CredentialTextKey = (typeof CREDENTIAL_TEXT_KEYS)[number];

export type StoredCredentials = { [K in CredentialTextKey]?: string | null } & { deviceTokens?: string[] };

const CREDENTIALS_SCHEMA = new MongooseSchema<StoredCredentials>(
  {
    ...Object.fromEntries(CREDENTIAL_TEXT_KEYS.map((key) => [key, { type: String }])),
    deviceTokens: { type: [String], default: undefined },
  },
  { _id: false },
);

@Schema({ _id: false })
export class SubscriberChannel {
  @Prop({ type: String, required: true })
  providerId: string;
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _integrationId: Types.ObjectId;
  @Prop({ type: String, required: true })
  integrationIdentifier: string;
  @Prop({ type: CREDENTIALS_SCHEMA, required: true })
  credentials: StoredCredentials;
}

/** Why an address is not used. */
export const SUPPRESSION_KINDS = ['bounce', 'complaint', 'manual'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** Applies only while the subscriber still has that address. */
@Schema({ _id: false })
export class AddressState {
  @Prop({ type: String, required: true })
  address: string;
  /** What addresses are compared by. Absent where a process of an earlier version has written it during an upgrade. */
  @Prop({ type: String })
  key?: string;
  @Prop({ type: String, required: true })
  reason: string;
  @Prop({ type: Date, required: true })
  since: Date;
  /** Absent in older records: a hard bounce or a complaint. */
  @Prop({ type: String, enum: SUPPRESSION_KINDS })
  kind?: SuppressionKind;
}

@Schema({ _id: false })
class AddressStates {
  @Prop({ type: AddressState })
  email?: AddressState;
  @Prop({ type: AddressState })
  sms?: AddressState;
}

@Schema({ _id: false })
class SearchKeys {
  @Prop({ type: String })
  email?: string;
  @Prop({ type: String })
  firstName?: string;
  @Prop({ type: String })
  lastName?: string;
}

@Schema({ collection: 'subscribers', timestamps: true, minimize: false })
@HasProfile(({ kind }) => Prop({ type: kind === 'freeForm' ? MongooseSchema.Types.Mixed : String }))
export class Subscriber extends (TenantRecord as WithProfile<typeof TenantRecord>) {
  @Prop({ type: String, required: true })
  subscriberId: string;

  @Prop({ type: [SubscriberChannel], required: true })
  channels: SubscriberChannel[];

  @Prop({ type: AddressStates })
  addressStates?: AddressStates;

  @Prop({ type: Boolean })
  isOnline?: boolean;
  @Prop({ type: Date })
  lastOnlineAt?: Date;

  /** Absent if there are none. */
  @Prop({ type: [String], default: undefined })
  onlineIn?: string[];

  @Prop({ type: SearchKeys })
  search?: SearchKeys;

  /** Only an unproven session has named this id: hidden from API keys, broadcasts and exports until a key names it. */
  @Prop({ type: Boolean })
  sessionOnly?: true;

  /** Tokens contain the number at which they were issued. */
  @Prop({ type: Number })
  sessionEpoch?: number;

  /** Only of what keeps an event from creating a subscriber who was deleted since; see `DescribedSubscribers`. */
  @Prop({ type: Date })
  expireAt?: Date;
}

export const KNOWN_TO_KEYS = { sessionOnly: { $exists: false } } as const;

export const SubscriberSchema = defineSchema(Subscriber);
shardBy(SubscriberSchema, '_environmentId', 'subscriberId');
// every look-up and prefix search by external id
SubscriberSchema.index({ _environmentId: 1, subscriberId: 1 }, { unique: true });
// list, newest first
SubscriberSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
// broadcasts
SubscriberSchema.index({ _environmentId: 1, deleted: 1, _id: -1 });
// searches of the list
SubscriberSchema.index({ _environmentId: 1, 'search.email': 1, deleted: 1, createdAt: -1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, phone: 1, deleted: 1, createdAt: -1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, 'search.firstName': 1, _id: -1 });
SubscriberSchema.index({ _environmentId: 1, 'search.lastName': 1, _id: -1 });
// subscribers connected to a process that died
SubscriberSchema.index({ onlineIn: 1 }, { partialFilterExpression: { onlineIn: { $exists: true } } });
for (const channel of ['email', 'sms'] as const) {
  const [since, key] = [`addressStates.${channel}.since`, `addressStates.${channel}.key`];
  // the suppression list, newest first
  SubscriberSchema.index(
    { _environmentId: 1, [since]: -1, _id: -1 },
    { partialFilterExpression: { [since]: { $exists: true } } },
  );
  // whether anybody's address is suppressed, which deliveries ask
  SubscriberSchema.index({ _environmentId: 1, [key]: 1 }, { partialFilterExpression: { [key]: { $exists: true } } });
}
// ids that events accepted before a deletion may not take
SubscriberSchema.index(
  { expireAt: 1 },
  { expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
);
