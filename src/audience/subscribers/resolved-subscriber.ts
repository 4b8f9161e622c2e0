import { type AddressChannel, addressKey } from '#libs/channels';
import { withoutNullish } from '#libs/persistence';
import { isGiven } from '#libs/validation';
import { PROFILE_KEYS, type ProfileKey } from './profile.js';
import {
  type CredentialTextKey,
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

export type { AddressChannel };

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
  const current = (channel: AddressChannel, address: string | undefined): BadAddress | undefined => {
    const state = addressStates[channel];
    return isSameAddress(channel, state?.address, address) && state
      ? { reason: state.reason, since: state.since }
      : undefined;
  };
  const bad = { email: current('email', email), sms: current('sms', phone) };
  return { ...(bad.email && { email: bad.email }), ...(bad.sms && { sms: bad.sms }) };
}

export function isSameAddress(channel: AddressChannel, one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || addressKey(channel, one) === addressKey(channel, other);
}

function credentialsOf(stored: StoredCredentials): SubscriberCredentials {
  return withoutNullish(stored);
}
