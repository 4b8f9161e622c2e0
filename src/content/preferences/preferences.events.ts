import type { Channel } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import type { PreferenceWay } from './preference.schema.js';

export interface PreferenceSwitch {
  /** Record id; absent: of all workflows. */
  readonly workflowId?: string;
  /** Trigger identifier. */
  readonly workflowIdentifier?: string;
  readonly channel: Channel;
  readonly enabled: boolean;
  readonly via: PreferenceWay;
}

export interface PreferenceOwner {
  /** Of the subscriber's record. */
  readonly id: string;
  /** Your identifier of the subscriber. */
  readonly subscriberId: string;
  /** The message that had the link by which it was changed. */
  readonly messageId?: string;
}

/** A channel was switched. Published again, with the same time, if a recipient repeats the call of a link. */
export class PreferenceChanged {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly owner: PreferenceOwner,
    readonly change: PreferenceSwitch,
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
