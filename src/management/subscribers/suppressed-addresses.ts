import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { NEWEST_FIRST, type TenantModel, toObjectId } from '#libs/persistence';
import type { AddressChannel } from './resolved-subscriber.js';
import { KNOWN_TO_KEYS, Subscriber, type SuppressionKind } from './subscriber.schema.js';
import { SubscriberSummaries } from './subscriber-summaries.js';

type Environment = Pick<TenantContext, 'environmentId'>;

const FIELD = { email: 'email', sms: 'phone' } as const;
const MAX_SUBSCRIBERS = 100;

interface AddressFault {
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
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly summaries: SubscriberSummaries,
  ) {}

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
   * Of one subscriber, or of all who have the address now.
   * @param whose `subscriberId` or the address
   * @returns those that are suppressed now; none if nobody has such an address
   */
  async suppress(
    tenant: Environment,
    channel: AddressChannel,
    whose: { readonly subscriberId?: string | undefined; readonly address?: string | undefined },
    fault: AddressFault,
  ): Promise<SuppressedAddress[]> {
    const rows = await this.ownersOf(tenant, channel, whose);
    const written: SuppressedAddress[] = [];
    for (const { _id, subscriberId, ...row } of rows) {
      const address = row[FIELD[channel]];
      if (address === undefined || address === '') continue;
      const { modifiedCount } = await this.subscribers.updateOne(
        { _environmentId: tenant.environmentId, _id, subscriberId, [FIELD[channel]]: address },
        { $set: { [`addressStates.${channel}`]: { address, ...fault } } },
      );
      this.summaries.forget(tenant, subscriberId);
      if (modifiedCount > 0) written.push({ id: _id.toHexString(), subscriberId, address, ...fault });
    }
    return written;
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

  /** @param id of the subscriber's record @returns what was suppressed until now */
  async lift(tenant: Environment, id: string, channel: AddressChannel): Promise<SuppressedAddress | undefined> {
    const state = `addressStates.${channel}`;
    const owner = (await this.subscribers.byIds(tenant, [id], { fields: ['_id', 'subscriberId'] })).get(id);
    if (owner === undefined) return undefined;
    const { subscriberId } = owner;
    const row = await this.subscribers
      .findOneAndUpdate(
        { _environmentId: tenant.environmentId, subscriberId, _id: toObjectId(id), [state]: { $exists: true } },
        { $unset: { [state]: 1 } },
        { returnDocument: 'before' },
      )
      .lean()
      .exec();
    if (row === null) return undefined;
    this.summaries.forget(tenant, subscriberId);
    return toSuppressed(row, channel);
  }

  private async ownersOf(
    tenant: Environment,
    channel: AddressChannel,
    { subscriberId, address }: { readonly subscriberId?: string | undefined; readonly address?: string | undefined },
  ): Promise<Subscriber[]> {
    if (subscriberId !== undefined) {
      const row = await this.subscribers.one(tenant, { subscriberId, ...KNOWN_TO_KEYS });
      return row === undefined ? [] : [row];
    }
    const key = channel === 'email' ? { 'search.email': (address ?? '').toLowerCase() } : { phone: address ?? '' };
    const { rows } = await this.subscribers.page(
      tenant,
      { ...key, ...KNOWN_TO_KEYS },
      { page: 0, limit: MAX_SUBSCRIBERS, sort: NEWEST_FIRST },
    );
    return rows;
  }
}

function toSuppressed(row: Subscriber, channel: AddressChannel): SuppressedAddress | undefined {
  const state = row.addressStates?.[channel];
  // A new address has no history.
  if (state === undefined || state.address !== row[FIELD[channel]]) return undefined;
  const { address, reason, since, kind = 'bounce' } = state;
  return { id: row._id.toHexString(), subscriberId: row.subscriberId, address, kind, reason, since };
}
