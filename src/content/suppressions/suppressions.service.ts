import { Injectable } from '@nestjs/common';
import { CHANNELS } from '#libs/channels';
import { Clock, EventBus, type TenantContext } from '#libs/common';
import { Page, ValidationFailed } from '#libs/http-kit';
import { Unsubscriptions } from '../preferences/index.js';
import { AddressSuppressions } from './address-suppressions.js';
import { fromCursor, toCursor } from './merged.js';
import type { CreateSuppressionDto, ExportSuppressionsQuery, ListSuppressionsQuery } from './suppression.dto.js';
import { ADDRESS_CHANNELS, type Found, ofPreference, SuppressionReads } from './suppression-reads.js';
import type { ExportedSuppressionsResponse, SuppressionResponse } from './suppression.response.js';
import { NobodyHasAddress, SuppressionNotFound } from './suppressions.errors.js';
import { SuppressionLifted } from './suppressions.events.js';

/** Later pages would read all rows before them. */
const MAX_LISTED = 10_000;
const ID = /^(address|listed|preference)-([0-9a-f]{24})-([a-z_]+)$/;

@Injectable()
export class SuppressionsService {
  constructor(
    private readonly reads: SuppressionReads,
    private readonly addresses: AddressSuppressions,
    private readonly unsubscriptions: Unsubscriptions,
    private readonly events: EventBus,
    private readonly clock: Clock,
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
    for await (const row of this.reads.all(tenant, query)) if (rows.push(row) > end) break;
    const shownRows = await this.reads.show(tenant, rows.slice(page * limit, end));
    return new Page(shownRows, page, limit, rows.length > end);
  }

  /** @throws {ValidationFailed} */
  async export(tenant: TenantContext, query: ExportSuppressionsQuery): Promise<ExportedSuppressionsResponse> {
    const { cursor, limit } = query;
    const after = cursor === undefined || cursor === '' ? undefined : fromCursor(cursor);
    if (cursor && after === undefined) throw new ValidationFailed(["cursor must be the 'next' of the page before"]);
    const rows: Found[] = [];
    for await (const row of this.reads.all(tenant, query, after)) if (rows.push(row) > limit) break;
    const shownRows = rows.slice(0, limit);
    const last = rows.length > limit ? shownRows.at(-1) : undefined;
    return {
      suppressions: await this.reads.show(tenant, shownRows),
      ...(last && { next: toCursor(last.place) }),
    };
  }

  /** @throws {NobodyHasAddress} if a subscriber is named who has none */
  async add(tenant: TenantContext, dto: CreateSuppressionDto): Promise<SuppressionResponse[]> {
    const { channel, reason } = dto;
    const [subscriberId, address] = [dto.subscriberId ?? undefined, dto.address ?? undefined];
    const fault = { kind: dto.kind ?? 'manual', reason, since: this.clock.now() };
    const written = await this.addresses.suppress(tenant, channel, { subscriberId, address }, fault);
    if (written.length > 0) return written;
    const what = channel === 'email' ? 'an email address' : 'a phone number';
    throw new NobodyHasAddress(`the id '${subscriberId ?? ''}' and ${what}`);
  }

  /** @throws {SuppressionNotFound} */
  async lift(tenant: TenantContext, id: string, reason: string): Promise<SuppressionResponse> {
    const suppression = await this.remove(tenant, id);
    if (suppression === undefined) throw new SuppressionNotFound(id);
    await this.events.publish(new SuppressionLifted(tenant, suppression, reason, this.clock.now()));
    return suppression;
  }

  private async remove(tenant: TenantContext, id: string): Promise<SuppressionResponse | undefined> {
    const [, from, recordId = '', channel = ''] = ID.exec(id) ?? [];
    const addressChannel = ADDRESS_CHANNELS.find((one) => one === channel);
    if (addressChannel !== undefined && (from === 'address' || from === 'listed')) {
      return this.addresses.lift(tenant, addressChannel, { from, id: recordId });
    }
    const known = CHANNELS.find((one) => one === channel);
    if (from !== 'preference' || known === undefined) return undefined;
    const stored = await this.unsubscriptions.lift(tenant, recordId, known);
    return stored && (await this.reads.show(tenant, [ofPreference(stored)]))[0];
  }
}
