import { Types } from 'mongoose';
import { withoutNullish } from '#libs/persistence';
import { givenProfile } from './profile.js';
import {
  type AddressChannel,
  isSameAddress,
  type ResolvedChannel,
  type ResolvedSubscriber,
} from './resolved-subscriber.js';
import { appendTokens, type LinkedCredentials } from './subscriber-credentials.js';
import { type SubscriberDefinition, wouldChange } from './subscriber-writes.js';
import type { ChannelCredentialsDto } from './subscriber.dto.js';
import { CREDENTIAL_TEXT_KEYS } from './subscriber.schema.js';

export interface DescribedRecipient extends SubscriberDefinition {
  readonly channels?: readonly ChannelCredentialsDto[];
}

/** A subscriber as a trigger would leave it */
export interface ForeseenSubscriber {
  readonly subscriber: ResolvedSubscriber;
  readonly change: 'none' | 'create' | 'update';
}

const ADDRESS_FIELDS = { email: 'email', sms: 'phone' } as const satisfies Record<AddressChannel, string>;

export function foreseeProfile(
  known: ResolvedSubscriber | undefined,
  definition: SubscriberDefinition,
): ForeseenSubscriber {
  const { subscriberId } = definition;
  const profile = givenProfile(definition);
  if (known === undefined) {
    const _id = new Types.ObjectId().toHexString();
    const subscriber = { _id, subscriberId, ...withoutNullish(profile), channels: [], badAddresses: {} };
    return { subscriber, change: 'create' };
  }
  const subscriber = withoutNullish({ ...known, ...profile, badAddresses: { ...known.badAddresses } });
  // A new address has no history.
  for (const channel of ['email', 'sms'] as const) {
    const field = ADDRESS_FIELDS[channel];
    if (!isSameAddress(channel, subscriber[field], known[field])) delete subscriber.badAddresses[channel];
  }
  return { subscriber, change: wouldChange(known, definition) ? 'update' : 'none' };
}

export function appendedTo(
  channels: readonly ResolvedChannel[],
  entries: readonly LinkedCredentials[],
): readonly ResolvedChannel[] {
  const result = new Map(channels.map((channel) => [channel._integrationId, channel]));
  for (const { providerId, integrationId, integrationIdentifier, credentials } of entries) {
    const stored = result.get(integrationId)?.credentials;
    const texts = CREDENTIAL_TEXT_KEYS.map((key) => [
      key,
      credentials[key] === undefined ? stored?.[key] : credentials[key],
    ]);
    const deviceTokens = appendTokens(stored?.deviceTokens, credentials);
    result.set(integrationId, {
      providerId,
      _integrationId: integrationId,
      integrationIdentifier,
      credentials: { ...withoutNullish(Object.fromEntries(texts)), ...(deviceTokens && { deviceTokens }) },
    });
  }
  return [...result.values()];
}
