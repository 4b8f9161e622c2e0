import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { badAddressesOf, profileOf, toResolvedChannel } from '../resolved-subscriber.js';
import type { Subscriber } from '../subscriber.schema.js';

/** Credentials of a channel entry (interface 2.3); what is not set is left out. */
export class SubscriberCredentialsResponse {
  /** @example https://chat.example.com/hooks/ann */
  webhookUrl?: string;
  /** @example general */
  channel?: string;
  alertUid?: string;
  title?: string;
  imageUrl?: string;
  state?: string;
  externalUrl?: string;
  /** @example ["token-of-a-phone"] */
  deviceTokens?: string[];
}

/** Credentials of a subscriber for one integration (interface 2.3). */
export class SubscriberChannelResponse {
  /** @example discord */
  providerId: string;
  /** @example discord-V1StGXR8Z5 */
  integrationIdentifier: string;
  /** @example 64f0c1a2b3c4d5e6f7a8b9c1 */
  _integrationId: string;
  credentials: SubscriberCredentialsResponse;
}

/** Why an address is not used any more. */
export class BadAddressResponse {
  /** @example Mailbox does not exist */
  reason: string;
  since: Date;
}

/** Addresses that bounced for good. */
export class AddressStatesResponse {
  email?: BadAddressResponse;
  /** The phone number. */
  sms?: BadAddressResponse;
}

/** A subscriber (interface 2.2). */
export class SubscriberResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  /** @example user-1 */
  subscriberId: string;
  /** @example Ann */
  firstName?: string;
  /** @example Lee */
  lastName?: string;
  /** @example ann@example.com */
  email?: string;
  /** @example +15551230100 */
  phone?: string;
  /** @example https://example.com/ann.png */
  avatar?: string;
  /** @example en-US */
  locale?: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  data?: Record<string, unknown>;
  @ApiProperty({ type: [SubscriberChannelResponse] })
  channels: SubscriberChannelResponse[];
  /** Only where an address of the subscriber bounced for good; mail or sms to it is not tried. */
  addressStates?: AddressStatesResponse;
  /** Left out until the status is first told. */
  isOnline?: boolean;
  /** When the subscriber was last seen going offline. */
  lastOnlineAt?: Date;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Subscriber): SubscriberResponse {
    const bad = badAddressesOf(row);
    return Object.assign(new SubscriberResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      _environmentId: row._environmentId.toHexString(),
      subscriberId: row.subscriberId,
      ...profileOf(row),
      channels: row.channels.map(toResolvedChannel),
      ...(Object.keys(bad).length > 0 && { addressStates: bad }),
      deleted: row.deleted,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}
