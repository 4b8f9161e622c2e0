import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { shown, ValidationFailed } from '#libs/http-kit';
import { CREATION, isObjectId, type LinkedRows, type TenantModel, type Where } from '#libs/persistence';
import { momentOf } from '#libs/schedule';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { AuditEntry } from './audit-entry.schema.js';
import { type AuditEntryResponse, AuditLogPageResponse, showAuditEntry } from './audit-entry.response.js';
import type { AuditLogFilter, ListAuditLogQuery } from './audit-log.dto.js';

const PORTION = 500;
const SUBSCRIBER = 'subscriber';

const NEWEST_FIRST = { fields: CREATION, direction: 'DESC' } as const;

@Injectable()
export class AuditLogService {
  constructor(
    @InjectModel(AuditEntry.name) private readonly entries: TenantModel<AuditEntry>,
    private readonly subscribers: SubscribersService,
  ) {}

  /** Newest first. @throws {ValidationFailed} for an invalid cursor */
  async list(tenant: TenantContext, query: ListAuditLogQuery): Promise<AuditLogPageResponse> {
    const { cursor, limit } = query;
    const found = await this.portion(tenant, await this.whereOf(tenant, query), cursor, limit);
    if (found === undefined) throw new ValidationFailed(['cursor must be the next of an earlier page']);
    const { rows, next } = found;
    return shown(AuditLogPageResponse, { entries: await this.show(tenant, rows), ...(next !== null && { next }) });
  }

  /** All entries as JSON lines, newest first, read while they are sent. */
  export(tenant: TenantContext, filter: AuditLogFilter): Readable {
    return Readable.from(this.lines(tenant, filter), { objectMode: false });
  }

  private async *lines(tenant: TenantContext, filter: AuditLogFilter): AsyncGenerator<string> {
    const where = await this.whereOf(tenant, filter);
    let next: string | null | undefined;
    do {
      const found: LinkedRows<AuditEntry> | undefined = await this.portion(tenant, where, next, PORTION);
      for (const entry of await this.show(tenant, found?.rows ?? [])) yield `${JSON.stringify(entry)}\n`;
      next = found?.next;
    } while (next);
  }

  /** Undefined for an invalid cursor. */
  private async portion(
    tenant: TenantContext,
    where: Where<AuditEntry> | undefined,
    after: string | null | undefined,
    limit: number,
  ): Promise<LinkedRows<AuditEntry> | undefined> {
    if (where === undefined) return { rows: [], next: null, previous: null };
    return this.entries.linked(tenant, where, { after, limit, order: NEWEST_FIRST });
  }

  /** Undefined if there can be none. */
  private async whereOf(
    tenant: TenantContext,
    { actorId, resourceType, resourceId, action, from, to }: AuditLogFilter,
  ): Promise<Where<AuditEntry> | undefined> {
    const id = resourceType === SUBSCRIBER ? await this.recordIdOf(tenant, resourceId) : resourceId;
    if (resourceId && !id) return undefined;
    const createdAt = {
      ...(from !== undefined && { $gte: momentOf(from, 'UTC') }),
      ...(to !== undefined && { $lt: momentOf(to, 'UTC') }),
    };
    return {
      ...(actorId && { 'actor.id': actorId }),
      ...(resourceType && { 'resource.type': resourceType }),
      ...(id && { 'resource.id': id }),
      ...(action && { action }),
      ...(Object.keys(createdAt).length > 0 && { createdAt }),
    };
  }

  private async recordIdOf(tenant: TenantContext, id: string | undefined): Promise<string | undefined> {
    if (!id) return undefined;
    const found = (await this.subscribers.findByExternalIds(tenant, [id])).get(id)?._id;
    return found ?? (isObjectId(id) ? id : undefined);
  }

  /** Names subscribers as long as they exist: entries hold nothing of them. */
  private async show(tenant: TenantContext, rows: readonly AuditEntry[]): Promise<AuditEntryResponse[]> {
    const ids = rows.flatMap(({ resource: { type, id } }) => (type === SUBSCRIBER && id !== undefined ? [id] : []));
    const known = ids.length === 0 ? undefined : await this.subscribers.findByIds(tenant, [...new Set(ids)]);
    return rows.map((row) => showAuditEntry(row, row.resource.name ?? known?.get(row.resource.id ?? '')?.subscriberId));
  }
}
