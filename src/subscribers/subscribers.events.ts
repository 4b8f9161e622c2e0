import type { TenantContext } from '#libs/common';

/** A subscriber was deleted; what points at it can be dropped. */
export class SubscriberDeleted {
  constructor(
    readonly tenant: TenantContext,
    /** The client's own identifier. */
    readonly subscriberId: string,
    /** 24-hex record id. */
    readonly id: string,
  ) {}
}
