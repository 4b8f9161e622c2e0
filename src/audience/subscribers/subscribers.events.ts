import type { TenantContext } from '#libs/common';
import type { AddressChannel } from './resolved-subscriber.js';
import type { SuppressedAddress } from './suppressed-addresses.js';

/** Listeners remove the records that refer to the subscriber. */
export class SubscriberDeleted {
  constructor(
    readonly tenant: TenantContext,
    readonly subscriberId: string,
    readonly id: string,
  ) {}
}

/** After that: a listener ends what is under way for whoever was deleted with this id and whose deletion has no answer yet. */
export class DeletionEnding {
  /** Set by the listener when nothing is under way any more; it gives up after some time. */
  isOver = false;

  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly subscriberId: string,
  ) {}
}

/** The time zones of subscribers who were there before were set, perhaps to what they are. */
export class TimeZonesSet {
  constructor(
    readonly tenant: Pick<TenantContext, 'environmentId'>,
    /** Of their records. */
    readonly ids: readonly string[],
  ) {}
}

/** An address is not used from now on. */
export class AddressSuppressed {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly suppressed: SuppressedAddress,
    readonly channel: AddressChannel,
  ) {}
}
