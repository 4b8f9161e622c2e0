import { Injectable } from '@nestjs/common';
import { addressKey } from '#libs/channels';
import { EventBus, type TenantContext } from '#libs/common';
import {
  type AddressChannel,
  type AddressFault,
  AddressSuppressed,
  SuppressedAddresses,
  type Whose,
} from '../../audience/subscribers/index.js';
import { ListedAddresses } from './listed-addresses.js';
import { showAddress, showListed, type SuppressionResponse } from './suppression.response.js';
import { AddressListed } from './suppressions.events.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** Which addresses nothing is sent to, whoever has them and however they are written. */
@Injectable()
export class AddressSuppressions {
  constructor(
    private readonly addresses: SuppressedAddresses,
    private readonly listed: ListedAddresses,
    private readonly events: EventBus,
  ) {}

  /** @returns the reasons by {@link addressKey}, without addresses that may be used */
  async reasonsFor(owner: Owner, channel: AddressChannel, addresses: readonly string[]): Promise<Map<string, string>> {
    const keys = [...new Set(addresses.map((address) => addressKey(channel, address)))];
    if (keys.length === 0) return new Map();
    const [ofSubscribers, ofNobody] = await Promise.all([
      this.addresses.reasonsFor(owner, channel, keys),
      this.listed.reasonsFor(owner, channel, keys),
    ]);
    return new Map([...ofNobody, ...ofSubscribers]);
  }

  /**
   * Suppresses an address for all subscribers who have it now, or for whoever gets it if nobody has it.
   * @returns what was written: nothing if a subscriber is named who has no address
   */
  async suppress(
    owner: Owner,
    channel: AddressChannel,
    whose: Whose,
    fault: AddressFault,
  ): Promise<SuppressionResponse[]> {
    return this.write(owner, channel, whose, fault, false);
  }

  /** As `suppress`, for what a provider or a mail server says: what was known about the address before is kept. */
  async report(owner: Owner, channel: AddressChannel, address: string, fault: AddressFault): Promise<void> {
    await this.write(owner, channel, { address }, fault, true);
  }

  private async write(
    owner: Owner,
    channel: AddressChannel,
    whose: Whose,
    fault: AddressFault,
    isReport: boolean,
  ): Promise<SuppressionResponse[]> {
    const { owners, written } = await this.addresses.suppress(owner, channel, whose, fault, { isReport });
    for (const one of written) await this.events.publish(new AddressSuppressed(owner, one, channel));
    if (owners > 0 || whose.subscriberId !== undefined || whose.address === undefined)
      return written.map((one) => showAddress(one, channel));
    const entry = await this.listed.put(owner, { channel, address: whose.address.trim(), ...fault }, isReport);
    if (entry === undefined) return [];
    const suppression = showListed(entry);
    await this.events.publish(new AddressListed(owner, suppression));
    return [suppression];
  }

  /** @param id of the record it was shown with @returns what was suppressed until now */
  async lift(
    owner: Owner,
    channel: AddressChannel,
    { from, id }: { readonly from: 'address' | 'listed'; readonly id: string },
  ): Promise<SuppressionResponse | undefined> {
    if (from === 'listed') {
      const entry = await this.listed.lift(owner, id, channel);
      if (entry !== undefined) await this.addresses.forget(owner, channel, addressKey(channel, entry.address));
      return entry && showListed(entry);
    }
    const lifted = await this.addresses.lift(owner, id, channel);
    if (lifted !== undefined) await this.listed.forget(owner, channel, addressKey(channel, lifted.address));
    return lifted && showAddress(lifted, channel);
  }
}
