import type { Channel } from '#libs/channels';
import type { TenantContext } from '#libs/common';

/** What a message belongs to. All ids are 24-hex record ids but the transaction's. */
export interface MessageOrigin {
  readonly subscriberRecordId: string;
  readonly notificationId: string;
  readonly workflowId: string;
  readonly transactionId: string;
}

abstract class MessageEvent {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    /** Record id. */
    readonly messageId: string,
    readonly channel: Channel,
    /** The client's own id. */
    readonly subscriberId: string,
    readonly origin: MessageOrigin,
  ) {}
}

/** A message is stored and its provider has accepted it, or it lies in the feed. */
export class MessageSent extends MessageEvent {}

/** A message could not be sent, and nothing further will be tried. */
export class MessageFailed extends MessageEvent {
  constructor(
    tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    messageId: string,
    channel: Channel,
    subscriberId: string,
    origin: MessageOrigin,
    readonly error: string,
  ) {
    super(tenant, messageId, channel, subscriberId, origin);
  }
}
