import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { onDuplicateKey, ownedBy, ReadCache, type TenantModel, toObjectId } from '#libs/persistence';
import { addressKey } from '#libs/channels';
import type { AddressChannel, SuppressionKind } from '../../audience/subscribers/index.js';
import { ListedAddress } from './listed-address.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;
type Environment = Pick<TenantContext, 'environmentId'>;

export interface AddressEntry {
  readonly id: string;
  readonly channel: AddressChannel;
  readonly address: string;
  readonly kind: SuppressionKind;
  readonly reason: string;
  readonly since: Date;
}

const MAX_CACHED = 10_000;

/** Suppressed addresses that belong to no subscriber, such as those of a list that was brought along. */
@Injectable()
export class ListedAddresses {
  /** For so long, a process may not know of the first address that another one was given. */
  static readonly KNOWN_MS = 5_000;
  private readonly known = new ReadCache<boolean>({ max: MAX_CACHED, ttlMs: ListedAddresses.KNOWN_MS });

  constructor(@InjectModel(ListedAddress.name) private readonly addresses: TenantModel<ListedAddress>) {}

  /**
   * Why nothing may be sent to addresses, by their keys. Environments without such addresses pay one look in a while for it, and the
   * others one for each message.
   */
  async reasonsFor(owner: Environment, channel: AddressChannel, keys: readonly string[]): Promise<Map<string, string>> {
    const hasAny = await this.known.get(owner.environmentId, async () => {
      const row = await this.addresses.one(owner, {}, { fields: ['_id'] });
      return row !== undefined;
    });
    if (!hasAny) return new Map();
    const rows = await this.addresses.list(owner, { channel, key: { $in: keys } });
    return new Map(rows.map(({ key, reason }) => [key, reason]));
  }

  async find(owner: Environment, channel: AddressChannel, address: string): Promise<AddressEntry | undefined> {
    const row = await this.addresses.one(owner, { channel, key: addressKey(channel, address) });
    return row && toEntry(row);
  }

  /** Newest first, those of the same time by descending record id. @param until inclusive */
  async *all({ environmentId }: Environment, channel: AddressChannel, until?: Date): AsyncGenerator<AddressEntry> {
    const found = this.addresses
      .find({ _environmentId: environmentId, channel, ...(until !== undefined && { since: { $lte: until } }) })
      .sort({ since: -1, _id: -1 })
      .lean()
      .cursor();
    for await (const row of found) yield toEntry(row);
  }

  /**
   * Replaces what was said about the address before, unless it is a report.
   * @returns undefined for a report on what is listed already
   */
  async put(
    tenant: Owner,
    { channel, address, ...fault }: Omit<AddressEntry, 'id'>,
    isReport: boolean,
  ): Promise<AddressEntry | undefined> {
    if (isReport && (await this.find(tenant, channel, address)) !== undefined) return undefined;
    const key = addressKey(channel, address);
    const write = (): Promise<ListedAddress> =>
      this.addresses
        .findOneAndUpdate(
          { _environmentId: tenant.environmentId, channel, key },
          { $set: { address, ...fault }, $setOnInsert: ownedBy(tenant) },
          { upsert: true, returnDocument: 'after' },
        )
        .orFail()
        .lean()
        .exec();
    // Of two first writes, the later one finds the record on its second attempt.
    const row = await write().catch(onDuplicateKey(write));
    this.known.forget(tenant.environmentId);
    return toEntry(row);
  }

  /** @returns what was suppressed until now */
  async lift({ environmentId }: Environment, id: string, channel: AddressChannel): Promise<AddressEntry | undefined> {
    const row = await this.addresses
      .findOneAndDelete({ _environmentId: environmentId, _id: toObjectId(id), channel })
      .lean()
      .exec();
    return row === null ? undefined : toEntry(row);
  }

  async forget({ environmentId }: Environment, channel: AddressChannel, key: string): Promise<void> {
    await this.addresses.deleteOne({ _environmentId: environmentId, channel, key });
  }
}

function toEntry({ _id, channel, address, kind, reason, since }: ListedAddress): AddressEntry {
  return { id: _id.toHexString(), channel, address, kind, reason, since };
}
