import type { TenantContext } from '#libs/common';
import type { AddressChannel } from './resolved-subscriber.js';
import type { SuppressedAddress } from './suppressed-addresses.js';

/** An address is not used from now on. */
export class AddressSuppressed {
  constructor(
    readonly tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly suppressed: SuppressedAddress,
    readonly channel: AddressChannel,
  ) {}
}
