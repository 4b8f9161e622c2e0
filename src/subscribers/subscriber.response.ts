import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHAT_AND_PUSH_PROVIDER_IDS } from '#libs/channels';
import { DeletableRecordResponse, shower } from '#libs/http-kit';
import { badAddressesOf, profileOf, toResolvedChannel } from './resolved-subscriber.js';
import type { Subscriber } from './subscriber.schema.js';

/** Credentials of a channel entry; what is not set is left out. */
export class SubscriberCredentialsResponse {
  /**
   * Address at which the provider takes messages for the subscriber.
   * @example https://chat.example.com/hooks/ada
   */
  webhookUrl?: string;
  /**
   * Channel or room of a chat provider.
   * @example general
   */
  channel?: string;
  /** Grafana OnCall: id of the alert. */
  alertUid?: string;
  /** Grafana OnCall: title of the alert. */
  title?: string;
  /** Grafana OnCall: address of an image. */
  imageUrl?: string;
  /** Grafana OnCall: state of the alert. */
  state?: string;
  /** Grafana OnCall: address with more details. */
  externalUrl?: string;
  /**
   * Tokens of devices, for push providers.
   * @example ["token-of-a-phone"]
   */
  deviceTokens?: string[];
}

/** Credentials of a subscriber for one integration. */
export class SubscriberChannelResponse {
  /** Provider that the credentials are for. */
  @ApiProperty({ enum: CHAT_AND_PUSH_PROVIDER_IDS, example: 'discord' })
  providerId: string;
  /**
   * Identifier of the integration.
   * @example discord-V1StGXR8Z5
   */
  integrationIdentifier: string;
  /**
   * Record id of the integration.
   * @example 64f0c1a2b3c4d5e6f7a8b9c1
   */
  _integrationId: string;
  credentials: SubscriberCredentialsResponse;
}

/** Why an address is not used any more. */
export class BadAddressResponse {
  /**
   * What the provider reported.
   * @example Mailbox does not exist
   */
  reason: string;
  /** When the address was marked. */
  since: Date;
}

/** Addresses that had a hard bounce or a spam complaint. */
export class AddressStatesResponse {
  email?: BadAddressResponse;
  /** The phone number. */
  sms?: BadAddressResponse;
}

/** A subscriber. */
export class SubscriberResponse extends DeletableRecordResponse {
  /**
   * Your own identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /**
   * First name.
   * @example Ada
   */
  firstName?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  lastName?: string;
  /**
   * Email address.
   * @example ada@example.com
   */
  email?: string;
  /**
   * Phone number with country code.
   * @example +15551230100
   */
  phone?: string;
  /**
   * Address of the profile image.
   * @example https://example.com/ada.png
   */
  avatar?: string;
  /**
   * Language, with a region where it matters.
   * @example en-GB
   */
  locale?: string;
  /** Free-form data as it was sent. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  data?: Record<string, unknown>;
  /** Credentials for chat and push providers. */
  @ApiProperty({ type: [SubscriberChannelResponse] })
  channels: SubscriberChannelResponse[];
  /** Addresses of the subscriber that are no longer used because of a hard bounce. Absent where there is none. */
  addressStates?: AddressStatesResponse;
  /** Whether the subscriber is online; absent until it is first set. */
  isOnline?: boolean;
  /** When the subscriber last went offline. */
  lastOnlineAt?: Date;
}

export const showSubscriber = shower(SubscriberResponse, (row: Subscriber) => {
  const bad = badAddressesOf(row);
  return {
    subscriberId: row.subscriberId,
    ...profileOf(row),
    channels: row.channels.map(toResolvedChannel),
    ...(Object.keys(bad).length > 0 && { addressStates: bad }),
  };
});

/** A subscriber of a bulk call. */
export class BulkSubscriber {
  /**
   * Your own identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
}

/** A subscriber of a bulk call that was refused. */
export class BulkFailure {
  /** Why the subscriber was refused, and what to do about it. */
  message: string;
  /**
   * Your own identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
}

/** The result for each subscriber of a bulk call, in the order sent. */
export class BulkResultResponse {
  /** Subscribers that existed and were updated. */
  updated: BulkSubscriber[];
  /** Subscribers that were created. */
  created: BulkSubscriber[];
  /** Subscribers that were refused, and why. */
  failed: BulkFailure[];
}

/** Answer to the deletion of a subscriber. */
export class DeleteSubscriberResponse {
  /**
   * Always true.
   * @example true
   */
  acknowledged: boolean;
  /**
   * Always `deleted`.
   * @example deleted
   */
  status: string;
}
