import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { shown } from '#libs/http-kit';
import type { StoredUnsubscription } from '../preferences/index.js';
import type { AddressChannel, ResolvedSubscriber, SuppressedAddress } from '../../audience/subscribers/index.js';
import type { AddressEntry } from './listed-addresses.js';
import { LISTED_KINDS, type ListedKind } from './suppression.dto.js';

/** Why messages do not reach a subscriber on a channel. */
export class SuppressionResponse {
  /**
   * Identifies the suppression while it lasts.
   * @example address-64f0c1a2b3c4d5e6f7a8b9c0-email
   */
  id: string;
  /** `bounce` and `complaint` are reported by providers; `unsubscribe`: the recipient used a link; `manual`: added by you. */
  @ApiProperty({ enum: LISTED_KINDS, example: 'bounce' })
  kind: ListedKind;
  /** Channel. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /**
   * Your identifier of the subscriber; absent for addresses that nobody had when they were suppressed.
   * @example ada
   */
  subscriberId?: string;
  /** Address that is not used; absent for those who unsubscribed. */
  address?: string;
  /** Record id of the workflow that the recipient unsubscribed from; absent: everything on the channel. */
  workflowId?: string;
  /**
   * Words of the provider, of whoever added it, or how the recipient unsubscribed (`one-click`, `page`).
   * @example 550 5.1.1 No such user
   */
  reason: string;
  /** Since when. */
  since: Date;
}

export class ExportedSuppressionsResponse {
  /** Newest first. */
  @ApiProperty({ type: [SuppressionResponse] })
  suppressions: SuppressionResponse[];
  /** The `cursor` of the next page. Absent on the last one. */
  next?: string;
}

export function showAddress(suppressed: SuppressedAddress, channel: AddressChannel): SuppressionResponse {
  const { id, kind, subscriberId, address, reason, since } = suppressed;
  return shown(SuppressionResponse, {
    id: `address-${id}-${channel}`,
    kind,
    channel,
    subscriberId,
    address,
    reason,
    since,
  });
}

export function showListed({ id, channel, address, kind, reason, since }: AddressEntry): SuppressionResponse {
  return shown(SuppressionResponse, { id: `listed-${id}-${channel}`, kind, channel, address, reason, since });
}

export function showUnsubscription(
  { id, channel, workflowId, via, since }: StoredUnsubscription,
  subscriber: Pick<ResolvedSubscriber, 'subscriberId'> | undefined,
): SuppressionResponse {
  return shown(SuppressionResponse, {
    id: `preference-${id}-${channel}`,
    kind: 'unsubscribe',
    channel,
    subscriberId: subscriber?.subscriberId,
    workflowId,
    reason: via,
    since,
  });
}
