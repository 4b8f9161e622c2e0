import type { AddressState, StoredCredentials, Subscriber, SubscriberChannel } from './subscriber.schema.js';

/** Credentials without the keys that are not set. */
export interface SubscriberCredentials {
  webhookUrl?: string;
  channel?: string;
  alertUid?: string;
  title?: string;
  imageUrl?: string;
  state?: string;
  externalUrl?: string;
  deviceTokens?: string[];
}

/** A channel entry of a subscriber, with ids as text. */
export interface ResolvedChannel {
  readonly providerId: string;
  readonly _integrationId: string;
  readonly integrationIdentifier: string;
  readonly credentials: SubscriberCredentials;
}

/** Which address a state is about: `email`, or the phone number under `sms`. */
export type AddressChannel = 'email' | 'sms';

/** Why an address will not be used any more. */
export interface BadAddress {
  readonly reason: string;
  readonly since: Date;
}

/** A subscriber as templates and conditions see it, with what delivery needs. */
export interface ResolvedSubscriber {
  /** 24-hex record id. */
  readonly _id: string;
  readonly subscriberId: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly avatar?: string;
  readonly locale?: string;
  readonly data?: Record<string, unknown>;
  readonly isOnline?: boolean;
  readonly lastOnlineAt?: Date;
  readonly channels: readonly ResolvedChannel[];
  /** Addresses that bounced for good, as long as they are the subscriber's current ones. */
  readonly badAddresses: Readonly<Partial<Record<AddressChannel, BadAddress>>>;
}

const PROFILE = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'data',
  'isOnline',
  'lastOnlineAt',
] as const satisfies readonly (keyof Subscriber)[];

export function toResolved(row: Subscriber): ResolvedSubscriber {
  return {
    _id: row._id.toHexString(),
    subscriberId: row.subscriberId,
    ...profileOf(row),
    channels: row.channels.map(toResolvedChannel),
    badAddresses: badAddressesOf(row),
  };
}

/** The optional values that are set. */
export function profileOf(row: Subscriber): Partial<Pick<Subscriber, (typeof PROFILE)[number]>> {
  const entries = PROFILE.map((key) => [key, row[key]] as const).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(entries);
}

export function toResolvedChannel(entry: SubscriberChannel): ResolvedChannel {
  return {
    providerId: entry.providerId,
    _integrationId: entry._integrationId.toHexString(),
    integrationIdentifier: entry.integrationIdentifier,
    credentials: setCredentials(entry.credentials),
  };
}

/** States whose address is still the subscriber's: a new address has no history. */
export function badAddressesOf({
  addressStates,
  email,
  phone,
}: Pick<Subscriber, 'addressStates' | 'email' | 'phone'>): Partial<Record<AddressChannel, BadAddress>> {
  const current = (state: AddressState | undefined, address: string | undefined): BadAddress | undefined =>
    state !== undefined && state.address === address ? { reason: state.reason, since: state.since } : undefined;
  const bad = { email: current(addressStates?.email, email), sms: current(addressStates?.sms, phone) };
  return { ...(bad.email && { email: bad.email }), ...(bad.sms && { sms: bad.sms }) };
}

function setCredentials(stored: StoredCredentials): SubscriberCredentials {
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== null && value !== undefined));
}
