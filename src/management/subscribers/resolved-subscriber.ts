import { withoutNullish } from '#libs/persistence';
import { isGiven } from '#libs/validation';
import {
  type AddressState,
  type CredentialTextKey,
  PROFILE_KEYS,
  type ProfileKey,
  type StoredCredentials,
  type Subscriber,
  type SubscriberChannel,
} from './subscriber.schema.js';

export type SubscriberCredentials = { [K in CredentialTextKey]?: string } & { deviceTokens?: string[] };

export interface ResolvedChannel {
  readonly providerId: string;
  readonly _integrationId: string;
  readonly integrationIdentifier: string;
  readonly credentials: SubscriberCredentials;
}

/** `sms`: the phone number */
export type AddressChannel = 'email' | 'sms';

export interface BadAddress {
  readonly reason: string;
  readonly since: Date;
}

const SHOWN_KEYS = [...PROFILE_KEYS, 'isOnline', 'lastOnlineAt'] as const;
type ShownFields = Pick<Subscriber, ProfileKey | 'isOnline' | 'lastOnlineAt'>;

export interface ResolvedSubscriber extends Readonly<ShownFields> {
  readonly _id: string;
  readonly subscriberId: string;
  readonly channels: readonly ResolvedChannel[];
  readonly badAddresses: Readonly<Partial<Record<AddressChannel, BadAddress>>>;
}

export function toResolved(row: Subscriber): ResolvedSubscriber {
  return {
    _id: row._id.toHexString(),
    subscriberId: row.subscriberId,
    ...profileOf(row),
    channels: row.channels.map(toResolvedChannel),
    badAddresses: badAddressesOf(row),
  };
}

export function profileOf(row: Subscriber): ShownFields {
  const shown: Partial<Record<(typeof SHOWN_KEYS)[number], unknown>> = {};
  for (const key of SHOWN_KEYS) if (isGiven(row[key])) shown[key] = row[key];
  return shown as ShownFields;
}

export function toResolvedChannel(entry: SubscriberChannel): ResolvedChannel {
  return {
    providerId: entry.providerId,
    _integrationId: entry._integrationId.toHexString(),
    integrationIdentifier: entry.integrationIdentifier,
    credentials: credentialsOf(entry.credentials),
  };
}

/** Only current addresses: a new address has no history. */
export function badAddressesOf({
  addressStates,
  email,
  phone,
}: Pick<Subscriber, 'addressStates' | 'email' | 'phone'>): Partial<Record<AddressChannel, BadAddress>> {
  if (addressStates === undefined) return {};
  const current = (state: AddressState | undefined, address: string | undefined): BadAddress | undefined =>
    state !== undefined && state.address === address ? { reason: state.reason, since: state.since } : undefined;
  const bad = { email: current(addressStates.email, email), sms: current(addressStates.sms, phone) };
  return { ...(bad.email && { email: bad.email }), ...(bad.sms && { sms: bad.sms }) };
}

function credentialsOf(stored: StoredCredentials): SubscriberCredentials {
  return withoutNullish(stored);
}
