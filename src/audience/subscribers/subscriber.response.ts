import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { chatAndPushProviderIds } from '#libs/channels';
import { DeletableRecordResponse, shower } from '#libs/http-kit';
import { FREE_FORM, HasProfile, type WithProfile } from './profile.js';
import { badAddressesOf, profileOf, toResolvedChannel } from './resolved-subscriber.js';
import type { Subscriber } from './subscriber.schema.js';

/** Credentials of a channel entry, without unset ones. */
export class SubscriberCredentialsResponse {
  /**
   * Webhook URL that receives the messages for the subscriber.
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
  /** Grafana OnCall: URL of an image. */
  imageUrl?: string;
  /** Grafana OnCall: state of the alert. */
  state?: string;
  /** Grafana OnCall: URL with more details. */
  externalUrl?: string;
  /**
   * Device tokens for push providers.
   * @example ["token-of-a-phone"]
   */
  deviceTokens?: string[];
}

/** Credentials of a subscriber for one integration. */
export class SubscriberChannelResponse {
  /** Provider of the credentials. */
  @ApiProperty({ enum: chatAndPushProviderIds(), example: 'discord' })
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

/** Why an address is no longer used. */
export class BadAddressResponse {
  /**
   * Reason that the provider reported.
   * @example Mailbox does not exist
   */
  reason: string;
  /** Time at which the address was marked as invalid. */
  since: Date;
}

/** Addresses that had a hard bounce or a spam complaint. */
export class AddressStatesResponse {
  email?: BadAddressResponse;
  /** The phone number. */
  sms?: BadAddressResponse;
}

@HasProfile(({ kind, description, example }) =>
  ApiPropertyOptional({ ...(kind === 'freeForm' ? FREE_FORM : { type: String }), description, example }),
)
export class SubscriberResponse extends (DeletableRecordResponse as WithProfile<typeof DeletableRecordResponse>) {
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /** Credentials for chat and push providers. */
  @ApiProperty({ type: [SubscriberChannelResponse] })
  channels: SubscriberChannelResponse[];
  /** Addresses of the subscriber that are no longer used because of a hard bounce. Absent if there are none. */
  addressStates?: AddressStatesResponse;
  /** Whether the subscriber is online; absent until it is first set. */
  isOnline?: boolean;
  /** Time at which the subscriber last went offline. */
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
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
}

/** A rejected subscriber of a bulk call. */
export class BulkFailure {
  /** Why the subscriber was rejected, and how to fix it. */
  message: string;
  /**
   * Your identifier of the subscriber; absent if the entry has none.
   * @example ada
   */
  subscriberId?: string;
}

/** The result for each subscriber of a bulk call, in the order sent. */
export class BulkResultResponse {
  /** Subscribers that existed and were updated. */
  updated: BulkSubscriber[];
  /** Subscribers that were created. */
  created: BulkSubscriber[];
  /** Subscribers that were rejected, and why. */
  failed: BulkFailure[];
}

/** Response to the deletion of a subscriber. */
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
