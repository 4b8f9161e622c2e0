import type { TenantContext } from '#libs/common';
import type { SuppressionResponse } from './suppression.response.js';

/** Somebody lets messages through again. */
export class SuppressionLifted {
  constructor(
    readonly tenant: TenantContext,
    readonly suppression: SuppressionResponse,
    readonly reason: string,
    readonly at: Date,
  ) {}
}

/** An address that belongs to no subscriber is not used from now on. */
export class AddressListed {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly suppression: SuppressionResponse,
  ) {}
}
