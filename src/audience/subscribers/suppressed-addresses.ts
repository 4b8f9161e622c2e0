import { domainToUnicode } from 'node:url';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { addressKey } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { NEWEST_FIRST, ReadCache, type TenantModel, type Where } from '#libs/persistence';
import { type AddressChannel, isSameAddress } from './resolved-subscriber.js';
import { SubscriberNotFound } from './subscribers.errors.js';
import { KNOWN_TO_KEYS, Subscriber, type SuppressionKind } from './subscriber.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

const FIELD = { email: 'email', sms: 'phone' } as const;
const MAX_SUBSCRIBERS = 100;
const MAX_CACHED = 10_000;

export interface Whose {
  readonly subscriberId?: string | undefined;
  readonly address?: string | undefined;
}

export interface AddressFault {
  readonly kind: SuppressionKind;
  readonly reason: string;
  readonly since: Date;
}

/** An address that Herald does not send to, and whose it is. */
export interface SuppressedAddress extends AddressFault {
  /** Record id of the subscriber. */
  readonly id: string;
  readonly subscriberId: string;
  readonly address: string;
}

/** The addresses that subscribers have now and that are not used. A former address is not among them. */
@Injectable()
export class SuppressedAddresses {
  /** For so long, a process may not know of the first address that another one has suppressed. */
  static readonly KNOWN_MS = 5_000;
  private readonly known = new ReadCache<boolean>({ max: MAX_CACHED, ttlMs: SuppressedAddresses.KNOWN_MS });

  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {}

  /** Newest first, those of the same time by descending record id. @param until inclusive */
  async *all({ environmentId }: Environment, channel: AddressChannel, until?: Date): AsyncGenerator<SuppressedAddress> {
    const since = `addressStates.${channel}.since`;
    const found = this.subscribers
      .find(
        {
          _environmentId: environmentId,
          [since]: until === undefined ? { $exists: true } : { $lte: until },
          ...KNOWN_TO_KEYS,
        },
        { subscriberId: 1, [FIELD[channel]]: 1, addressStates: 1 },
      )
      .sort({ [since]: -1, _id: -1 })
      .lean()
      .cursor();
    for await (const row of found) {
      const suppressed = toSuppressed(row, channel);
      if (suppressed !== undefined) yield suppressed;
    }
  }

  /**
   * Why nothing is sent to addresses, by their keys, whoever has them. Environments without suppressed subscribers pay one look in a
   * while for it.
   */
  async reasonsFor(
    tenant: Environment,
    channel: AddressChannel,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const place = `addressStates.${channel}.key`;
    const hasAny = await this.known.get(`${tenant.environmentId}:${channel}`, async () => {
      const where = { [place]: { $exists: true } } as Where<Subscriber>;
      return (await this.subscribers.one(tenant, where, { fields: ['_id'] })) !== undefined;
    });
    if (!hasAny) return new Map();
    const rows = await this.subscribers.list(
      tenant,
      { [place]: { $in: keys }, ...KNOWN_TO_KEYS },
      {
        fields: ['_id', 'subscriberId', 'email', 'phone', 'addressStates'],
      },
    );
    const found = rows.flatMap((row) => toSuppressed(row, channel) ?? []);
    return new Map(found.map(({ address, reason }) => [addressKey(channel, address), reason]));
  }

  /**
   * Of one subscriber, or of all who have the address now.
   * @param options isReport: what was said about the address before is kept
   * @returns those that are suppressed now; none if nobody has such an address
   */
  async suppress(
    tenant: Environment,
    channel: AddressChannel,
    whose: Whose,
    fault: AddressFault,
    { isReport = false }: { readonly isReport?: boolean } = {},
  ): Promise<{ readonly owners: number; readonly written: SuppressedAddress[] }> {
    const rows = await this.ownersOf(tenant, channel, whose);
    const written: SuppressedAddress[] = [];
    let owners = 0;
    for (const row of rows) {
      const { _id, subscriberId } = row;
      const address = row[FIELD[channel]];
      if (address === undefined || address === '') continue;
      owners += 1;
      if (isReport && toSuppressed(row, channel) !== undefined) continue;
      const { modifiedCount } = await this.subscribers.updateOne(
        { _environmentId: tenant.environmentId, _id, subscriberId, [FIELD[channel]]: address },
        { $set: { [`addressStates.${channel}`]: { address, key: addressKey(channel, address), ...fault } } },
      );
      if (modifiedCount > 0) written.push({ id: _id.toHexString(), subscriberId, address, ...fault });
    }
    this.known.forget(`${tenant.environmentId}:${channel}`);
    return { owners, written };
  }

  /** The record ids of those who have an address now, and who of them is not sent to because of it. */
  async withAddress(
    tenant: Environment,
    channel: AddressChannel,
    address: string,
  ): Promise<{ readonly ids: readonly string[]; readonly suppressed: readonly SuppressedAddress[] }> {
    const rows = await this.ownersOf(tenant, channel, { address });
    return {
      ids: rows.map(({ _id }) => _id.toHexString()),
      suppressed: rows.flatMap((row) => toSuppressed(row, channel) ?? []),
    };
  }

  /**
   * Lifts what is said about an address, whoever has it.
   * @param id of the record of a subscriber who has it
   * @returns what was suppressed until now
   */
  async lift(tenant: Environment, id: string, channel: AddressChannel): Promise<SuppressedAddress | undefined> {
    const row = (await this.subscribers.byIds(tenant, [id])).get(id);
    if (row === undefined) return undefined;
    const key = await this.keyOf(tenant, channel, row);
    if (key === undefined) return undefined;
    await this.forget(tenant, channel, key);
    return toSuppressed(row, channel);
  }

  /** Lifts what is said about the address that a subscriber has or had. @throws {SubscriberNotFound} */
  async clear(tenant: Environment, subscriberId: string, channel: AddressChannel): Promise<void> {
    const row = await this.subscribers.one(
      tenant,
      { subscriberId, ...KNOWN_TO_KEYS },
      { fields: ['_id', 'addressStates'] },
    );
    if (row === undefined) throw new SubscriberNotFound(subscriberId);
    const key = await this.keyOf(tenant, channel, row);
    if (key !== undefined) await this.forget(tenant, channel, key);
  }

  /** What the suppressed address of a subscriber is compared by. It gets a key if it has none. */
  private async keyOf(
    { environmentId }: Environment,
    channel: AddressChannel,
    { _id, addressStates }: Pick<Subscriber, '_id' | 'addressStates'>,
  ): Promise<string | undefined> {
    const state = addressStates?.[channel];
    if (state === undefined || state.key !== undefined) return state?.key;
    const key = addressKey(channel, state.address);
    const [address, place] = [`addressStates.${channel}.address`, `addressStates.${channel}.key`];
    await this.subscribers.updateOne(
      { _environmentId: environmentId, _id, [address]: state.address, [place]: { $exists: false } },
      { $set: { [place]: key } },
    );
    return key;
  }

  async forget({ environmentId }: Environment, channel: AddressChannel, key: string): Promise<void> {
    const state = `addressStates.${channel}`;
    await this.subscribers.updateMany(
      { _environmentId: environmentId, [`${state}.key`]: key },
      { $unset: { [state]: 1 } },
    );
  }

  private async ownersOf(
    tenant: Environment,
    channel: AddressChannel,
    { subscriberId, address = '' }: Whose,
  ): Promise<Subscriber[]> {
    if (subscriberId !== undefined) {
      const row = await this.subscribers.one(tenant, { subscriberId, ...KNOWN_TO_KEYS });
      return row === undefined ? [] : [row];
    }
    const forms = { $in: formsOf(channel, address) };
    const key = channel === 'email' ? { 'search.email': forms } : { phone: forms };
    const { rows } = await this.subscribers.page(
      tenant,
      { ...key, ...KNOWN_TO_KEYS },
      { page: 0, limit: MAX_SUBSCRIBERS, sort: NEWEST_FIRST },
    );
    return rows;
  }
}

/** How subscribers may have it. Those who have it in another form are found when something is sent to them. */
function formsOf(channel: AddressChannel, address: string): string[] {
  const key = addressKey(channel, address);
  const [local, domain = ''] = key.split('@');
  const others =
    channel === 'email' ? [address.toLowerCase(), `${local}@${domainToUnicode(domain)}`] : [address, `+${key}`];
  return [...new Set([key, ...others])];
}

type OwnRow = Pick<Subscriber, '_id' | 'subscriberId' | 'email' | 'phone' | 'addressStates'>;

function toSuppressed(row: OwnRow, channel: AddressChannel): SuppressedAddress | undefined {
  const state = row.addressStates?.[channel];
  // A new address has no history.
  if (state === undefined || !isSameAddress(channel, state.address, row[FIELD[channel]])) return undefined;
  const { address, reason, since, kind = 'bounce' } = state;
  return { id: row._id.toHexString(), subscriberId: row.subscriberId, address, kind, reason, since };
}
