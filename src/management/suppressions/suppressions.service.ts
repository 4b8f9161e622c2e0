import { Injectable } from '@nestjs/common';
import { type Channel, CHANNELS } from '#libs/channels';
import { Clock, EventBus, type TenantContext } from '#libs/common';
import { AppLogger, Page, ValidationFailed } from '#libs/http-kit';
import { type StoredUnsubscription, Unsubscriptions } from '../preferences/index.js';
import {
  type AddressChannel,
  AddressSuppressed,
  type SuppressedAddress,
  SuppressedAddresses,
  SubscribersService,
} from '../subscribers/index.js';
import { fromCursor, isBefore, merged, type Place, toCursor } from './merged.js';
import type {
  CreateSuppressionDto,
  ExportSuppressionsQuery,
  ListedKind,
  ListSuppressionsQuery,
} from './suppression.dto.js';
import {
  type ExportedSuppressionsResponse,
  showAddress,
  showUnsubscription,
  type SuppressionResponse,
} from './suppression.response.js';
import { NobodyHasAddress, SuppressionNotFound } from './suppressions.errors.js';
import { SuppressionLifted } from './suppressions.events.js';

type Found = { readonly place: Place } & (
  | { readonly kind: 'address'; readonly channel: AddressChannel; readonly suppressed: SuppressedAddress }
  | { readonly kind: 'preference'; readonly stored: StoredUnsubscription }
);

interface Filter {
  readonly kind?: ListedKind | undefined;
  readonly channel?: Channel | undefined;
}

const ADDRESS_CHANNELS: readonly AddressChannel[] = ['email', 'sms'];
/** Later pages would read all rows before them. */
const MAX_LISTED = 10_000;
const ID = /^(address|preference)-([0-9a-f]{24})-([a-z_]+)$/;

/** One view of what is stored with subscribers (addresses) and their preferences (unsubscriptions); it stores nothing itself. */
@Injectable()
export class SuppressionsService {
  constructor(
    private readonly addresses: SuppressedAddresses,
    private readonly unsubscriptions: Unsubscriptions,
    private readonly subscribers: SubscribersService,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** Newest first. @throws {ValidationFailed} beyond the first 10,000 */
  async list(tenant: TenantContext, query: ListSuppressionsQuery): Promise<Page<SuppressionResponse>> {
    const { page, limit } = query;
    const end = (page + 1) * limit;
    if (end > MAX_LISTED) {
      throw new ValidationFailed([
        `page reaches beyond the first ${MAX_LISTED} suppressions; GET /v1/suppressions/export reads all of them`,
      ]);
    }
    const rows: Found[] = [];
    for await (const row of this.all(tenant, query)) if (rows.push(row) > end) break;
    return new Page(await this.show(tenant, rows.slice(page * limit, end)), page, limit, rows.length > end);
  }

  /** @throws {ValidationFailed} */
  async export(
    tenant: TenantContext,
    { cursor, limit }: ExportSuppressionsQuery,
  ): Promise<ExportedSuppressionsResponse> {
    const after = cursor === undefined || cursor === '' ? undefined : fromCursor(cursor);
    if (cursor && after === undefined) throw new ValidationFailed(["cursor must be the 'next' of the page before"]);
    const rows: Found[] = [];
    for await (const row of this.all(tenant, {}, after)) if (rows.push(row) > limit) break;
    const shownRows = rows.slice(0, limit);
    const last = rows.length > limit ? shownRows.at(-1) : undefined;
    return { suppressions: await this.show(tenant, shownRows), ...(last && { next: toCursor(last.place) }) };
  }

  /** @throws {NobodyHasAddress} */
  async add(tenant: TenantContext, dto: CreateSuppressionDto): Promise<SuppressionResponse[]> {
    const { channel, subscriberId, address, reason, kind = 'manual' } = dto;
    const fault = { kind, reason, since: this.clock.now() };
    const written = await this.addresses.suppress(tenant, channel, { subscriberId, address }, fault);
    if (written.length === 0) {
      const what = channel === 'email' ? 'email address' : 'phone number';
      const article = channel === 'email' ? 'an' : 'a';
      throw new NobodyHasAddress(
        subscriberId === undefined
          ? `the ${what} '${address ?? ''}'`
          : `the id '${subscriberId}' and ${article} ${what}`,
      );
    }
    for (const one of written) await this.events.publish(new AddressSuppressed(tenant, one, channel));
    return written.map((one) => showAddress(one, channel));
  }

  /** @throws {SuppressionNotFound} */
  async lift(tenant: TenantContext, id: string, reason: string): Promise<SuppressionResponse> {
    const suppression = await this.remove(tenant, id);
    if (suppression === undefined) throw new SuppressionNotFound(id);
    const { kind, channel } = suppression;
    this.logger.event('info', 'A suppression was lifted', { id, kind, channel, reason, apiKeyId: tenant.apiKeyId });
    await this.events.publish(new SuppressionLifted(tenant, suppression, reason, this.clock.now()));
    return suppression;
  }

  private async remove(tenant: TenantContext, id: string): Promise<SuppressionResponse | undefined> {
    const [, kind, recordId = '', channel = ''] = ID.exec(id) ?? [];
    const addressChannel = ADDRESS_CHANNELS.find((one) => one === channel);
    if (kind === 'address' && addressChannel !== undefined) {
      const lifted = await this.addresses.lift(tenant, recordId, addressChannel);
      return lifted && showAddress(lifted, addressChannel);
    }
    const known = CHANNELS.find((one) => one === channel);
    if (kind !== 'preference' || known === undefined) return undefined;
    const stored = await this.unsubscriptions.lift(tenant, recordId, known);
    return stored && (await this.show(tenant, [preferenceRow(stored)]))[0];
  }

  /** @param after the place before the first row */
  private async *all(tenant: TenantContext, { kind, channel }: Filter, after?: Place): AsyncGenerator<Found> {
    const lists: AsyncGenerator<Found>[] = [];
    const until = after?.since;
    if (kind !== 'unsubscribe') {
      for (const one of ADDRESS_CHANNELS.filter((name) => channel === undefined || name === channel)) {
        lists.push(addressRows(this.addresses.all(tenant, one, until), one, kind));
      }
    }
    if (kind === undefined || kind === 'unsubscribe') {
      for (const one of CHANNELS.filter((name) => channel === undefined || name === channel)) {
        lists.push(preferenceRows(this.unsubscriptions.all(tenant, one, until)));
      }
    }
    for await (const row of merged(lists)) if (after === undefined || isBefore(after, row.place)) yield row;
  }

  private async show(tenant: TenantContext, rows: readonly Found[]): Promise<SuppressionResponse[]> {
    const ids = rows.flatMap((row) => (row.kind === 'preference' ? [row.stored.subscriberRecordId] : []));
    const known = ids.length === 0 ? undefined : await this.subscribers.findByIds(tenant, [...new Set(ids)]);
    return rows.map((row) =>
      row.kind === 'address'
        ? showAddress(row.suppressed, row.channel)
        : showUnsubscription(row.stored, known?.get(row.stored.subscriberRecordId)),
    );
  }
}

async function* addressRows(
  rows: AsyncGenerator<SuppressedAddress>,
  channel: AddressChannel,
  kind: ListedKind | undefined,
): AsyncGenerator<Found> {
  for await (const suppressed of rows) {
    if (kind !== undefined && suppressed.kind !== kind) continue;
    const { id, since } = suppressed;
    yield { kind: 'address', channel, suppressed, place: { since, id: `address-${id}-${channel}` } };
  }
}

async function* preferenceRows(rows: AsyncGenerator<StoredUnsubscription>): AsyncGenerator<Found> {
  for await (const stored of rows) yield preferenceRow(stored);
}

function preferenceRow(stored: StoredUnsubscription): Found {
  const { id, channel, since } = stored;
  return { kind: 'preference', stored, place: { since, id: `preference-${id}-${channel}` } };
}
