import type { Channel } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import type { UnsubscribeWay } from './preference.schema.js';

export interface RecipientChange {
  /** Record id; absent: of all workflows. */
  readonly workflowId?: string;
  /** Trigger identifier. */
  readonly workflowIdentifier?: string;
  readonly channel: Channel;
  readonly enabled: boolean;
  readonly via: UnsubscribeWay;
}

/** A recipient has switched a channel by a link. Published again, with the same key, if the recipient repeats the call. */
export class RecipientChangedPreference {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    /** Your identifier of the subscriber. */
    readonly subscriberId: string,
    /** The message that had the link. */
    readonly messageId: string,
    readonly change: RecipientChange,
    readonly at: Date,
  ) {}
}

/** A subscriber's weekly schedule was set. */
export class ScheduleChanged {
  constructor(
    readonly tenant: Pick<TenantContext, 'environmentId'>,
    /** Of the subscriber's record. */
    readonly subscriberId: string,
  ) {}
}
