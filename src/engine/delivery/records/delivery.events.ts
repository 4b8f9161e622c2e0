import type { TriggerEventRecord } from './trigger-event.js';
import type { HeldMessage } from './step-state.js';
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

/** Runs of these events have ended, and that is stored. */
export class RunsEnded {
  constructor(readonly events: readonly EndedIn[]) {}
}

/** What names an event and its shard. */
interface EndedIn extends Pick<TriggerEventRecord, '_id' | '_environmentId' | 'transactionId'> {
  readonly expanded?: number;
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

  /** Where it turns out that the provider has accepted it. */
  asSent(): MessageSent {
    return new MessageSent(this.tenant, this.messageId, this.channel, this.subscriberId, this.origin);
  }
}

/** A message that a budget has held, as the workflow of the digest gets it. */
export interface HeldContent extends HeldMessage {
  readonly channel: Channel;
  /** When it was held first. */
  readonly at: string;
  readonly transactionId: string;
  readonly notificationId: string;
}

export interface BudgetDigest {
  /** Trigger identifier. */
  readonly workflow: string;
  readonly subscriberId: string;
  readonly subscriberRecordId: string;
  /** The same for the same digest, so that it is triggered once. */
  readonly transactionId: string;
  readonly payload: {
    readonly budget: { readonly id: string; readonly name: string };
    readonly total_count: number;
  } & {
    readonly messages: readonly HeldContent[];
  };
}

/** What a budget has held is to be sent, as one digest. */
export class BudgetDigestDue {
  /** Set by the listener when the event is stored. */
  isAccepted = false;

  constructor(
    readonly tenant: TenantContext,
    readonly digest: BudgetDigest,
  ) {}
}

/** The workflow of a digest cannot run. */
export class BudgetDigestRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BudgetDigestRefused';
  }
}
