import type { TenantContext } from '#libs/common';

/** A tenant was deleted; what refers to it has lost its meaning. */
export class TenantDeleted {
  constructor(
    readonly tenant: TenantContext,
    /** Record id of the deleted tenant. */
    readonly tenantId: string,
  ) {}
}
