import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { shown, ValidationFailed } from '#libs/http-kit';
import { isObjectId, NEWEST_FIRST, type TenantModel, toObjectId, type Where } from '#libs/persistence';
import { momentOf } from '#libs/schedule';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { AuditEntry } from './audit-entry.schema.js';
import { type AuditEntryResponse, AuditLogPageResponse, showAuditEntry } from './audit-entry.response.js';
import type { AuditLogFilter, ListAuditLogQuery } from './audit-log.dto.js';

const PORTION = 500;
const SUBSCRIBER = 'subscriber';

type Place = Pick<AuditEntry, '_id' | 'createdAt'>;

@Injectable()
export class AuditLogService {
  constructor(
    @InjectModel(AuditEntry.name) private readonly entries: TenantModel<AuditEntry>,
    private readonly subscribers: SubscribersService,
  ) {}

  /** Newest first. @throws {ValidationFailed} for an invalid cursor */
  async list(tenant: TenantContext, query: ListAuditLogQuery): Promise<AuditLogPageResponse> {
    const { cursor, limit } = query;
    const after = cursor ? placeOf(cursor) : undefined;
    const rows = await this.portion(tenant, await this.whereOf(tenant, query), after, limit + 1);
    const hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    const last = hasMore ? rows.at(-1) : undefined;
    return shown(AuditLogPageResponse, {
      entries: await this.show(tenant, rows),
      ...(last && { next: cursorOf(last) }),
    });
  }

  /** All entries as JSON lines, newest first, read while they are sent. */
  export(tenant: TenantContext, filter: AuditLogFilter): Readable {
    return Readable.from(this.lines(tenant, filter), { objectMode: false });
  }

  private async *lines(tenant: TenantContext, filter: AuditLogFilter): AsyncGenerator<string> {
    const where = await this.whereOf(tenant, filter);
    let last: Place | undefined;
    do {
      const rows = await this.portion(tenant, where, last, PORTION);
      for (const entry of await this.show(tenant, rows)) yield `${JSON.stringify(entry)}\n`;
      last = rows.length < PORTION ? undefined : rows.at(-1);
    } while (last !== undefined);
  }

  private async portion(
    tenant: TenantContext,
    where: Where<AuditEntry> | undefined,
    after: Place | undefined,
    limit: number,
  ): Promise<AuditEntry[]> {
    if (where === undefined) return [];
    return this.entries.list(tenant, after ? { $and: [where, olderThan(after)] } : where, {
      sort: NEWEST_FIRST,
      limit,
    });
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

function olderThan({ createdAt, _id }: Place): Where<AuditEntry> {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
}

/** Opaque to clients. */
function cursorOf({ createdAt, _id }: Place): string {
  return Buffer.from(`${createdAt.getTime()}.${_id.toHexString()}`).toString('base64url');
}

function placeOf(cursor: string): Place {
  const parts = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, time, id] = parts ?? [];
  if (time === undefined || id === undefined)
    throw new ValidationFailed(['cursor must be the next of an earlier page']);
  return { createdAt: new Date(Number(time)), _id: toObjectId(id) };
}
