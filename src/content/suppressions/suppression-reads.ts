import { Injectable } from '@nestjs/common';
import { type Channel, CHANNELS } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { type StoredUnsubscription, Unsubscriptions } from '../preferences/index.js';
import {
  type AddressChannel,
  type SuppressedAddress,
  SuppressedAddresses,
  SubscribersService,
} from '../../audience/subscribers/index.js';
import { type AddressEntry, ListedAddresses } from './listed-addresses.js';
import { isBefore, merged, type Place } from './merged.js';
import type { ListedKind } from './suppression.dto.js';
import { showAddress, showListed, showUnsubscription, type SuppressionResponse } from './suppression.response.js';

export type Found = { readonly place: Place } & (
  | { readonly from: 'subscriber'; readonly channel: AddressChannel; readonly suppressed: SuppressedAddress }
  | { readonly from: 'list'; readonly entry: AddressEntry }
  | { readonly from: 'preference'; readonly stored: StoredUnsubscription }
);

export interface Filter {
  readonly kind?: ListedKind | undefined;
  readonly channel?: Channel | undefined;
  readonly address?: string | undefined;
}

export const ADDRESS_CHANNELS: readonly AddressChannel[] = ['email', 'sms'];

/** One view of what is stored with subscribers, their preferences, and addresses without a subscriber. */
@Injectable()
export class SuppressionReads {
  constructor(
    private readonly addresses: SuppressedAddresses,
    private readonly unsubscriptions: Unsubscriptions,
    private readonly listed: ListedAddresses,
    private readonly subscribers: SubscribersService,
  ) {}

  /** Newest first. @param after the place before the first row */
  async *all(tenant: TenantContext, filter: Filter, after?: Place): AsyncGenerator<Found> {
    const lists =
      filter.address === undefined || filter.address === ''
        ? this.listsOf(tenant, filter, after?.since)
        : [inTurn(await this.withAddress(tenant, filter.address))];
    for await (const row of merged(lists)) {
      if (matches(row, filter) && (after === undefined || isBefore(after, row.place))) yield row;
    }
  }

  async show(tenant: TenantContext, rows: readonly Found[]): Promise<SuppressionResponse[]> {
    const ids = rows.flatMap((row) => (row.from === 'preference' ? [row.stored.subscriberRecordId] : []));
    const known = ids.length === 0 ? undefined : await this.subscribers.findByIds(tenant, [...new Set(ids)]);
    return rows.map((row) => {
      if (row.from === 'subscriber') return showAddress(row.suppressed, row.channel);
      if (row.from === 'list') return showListed(row.entry);
      return showUnsubscription(row.stored, known?.get(row.stored.subscriberRecordId));
    });
  }

  private listsOf(tenant: TenantContext, { kind, channel }: Filter, until?: Date): AsyncGenerator<Found>[] {
    const isAsked = (name: Channel): boolean => channel === undefined || name === channel;
    const lists: AsyncGenerator<Found>[] = [];
    if (kind !== 'unsubscribe') {
      for (const one of ADDRESS_CHANNELS.filter(isAsked)) {
        lists.push(mapped(this.addresses.all(tenant, one, until), (suppressed) => ofSubscriber(suppressed, one)));
        lists.push(mapped(this.listed.all(tenant, one, until), ofList));
      }
    }
    if (kind === undefined || kind === 'unsubscribe') {
      for (const one of CHANNELS.filter(isAsked)) {
        lists.push(mapped(this.unsubscriptions.all(tenant, one, until), ofPreference));
      }
    }
    return lists;
  }

  private async withAddress(tenant: TenantContext, address: string): Promise<Found[]> {
    const rows: Found[] = [];
    const owners = new Set<string>();
    for (const channel of ADDRESS_CHANNELS) {
      const { ids, suppressed } = await this.addresses.withAddress(tenant, channel, address);
      for (const id of ids) owners.add(id);
      rows.push(...suppressed.map((one) => ofSubscriber(one, channel)));
      const entry = await this.listed.find(tenant, channel, address);
      if (entry !== undefined) rows.push(ofList(entry));
    }
    const unsubscribed = await this.unsubscriptions.ofSubscribers(tenant, [...owners]);
    return [...rows, ...unsubscribed.map(ofPreference)].sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  }
}

function matches(row: Found, { kind, channel }: Filter): boolean {
  const [ownKind, ownChannel]: [ListedKind, Channel] =
    row.from === 'subscriber'
      ? [row.suppressed.kind, row.channel]
      : row.from === 'list'
        ? [row.entry.kind, row.entry.channel]
        : ['unsubscribe', row.stored.channel];
  return (kind === undefined || ownKind === kind) && (channel === undefined || ownChannel === channel);
}

function ofSubscriber(suppressed: SuppressedAddress, channel: AddressChannel): Found {
  const { id, since } = suppressed;
  return { from: 'subscriber', channel, suppressed, place: { since, id: `address-${id}-${channel}` } };
}

function ofList(entry: AddressEntry): Found {
  const { id, channel, since } = entry;
  return { from: 'list', entry, place: { since, id: `listed-${id}-${channel}` } };
}

export function ofPreference(stored: StoredUnsubscription): Found {
  const { id, channel, since } = stored;
  return { from: 'preference', stored, place: { since, id: `preference-${id}-${channel}` } };
}

async function* mapped<T>(rows: AsyncGenerator<T>, toFound: (row: T) => Found): AsyncGenerator<Found> {
  for await (const row of rows) yield toFound(row);
}

async function* inTurn(rows: readonly Found[]): AsyncGenerator<Found> {
  for (const row of rows) yield await Promise.resolve(row);
}
