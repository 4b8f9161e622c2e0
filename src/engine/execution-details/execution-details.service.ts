import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { AppConfig } from '#libs/config';
import { hasOnlyDuplicates, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { type DetailBatch, expiryOf, toStored } from './detail-batch.js';
import { type ExecutionDetailResponse, showExecutionDetails, type ShownBatch } from './execution-detail.response.js';
import type { ListExecutionDetailsQuery } from './execution-detail.dto.js';
import { isOwnDetail } from './detail.enums.js';
import { ExecutionDetailBatch, type StoredDetail } from './execution-detail.schema.js';
import { batchOf, type TrailRecord } from './trail.js';

const DEFAULT_LIMIT = 10;

/** All of one environment. */
export type TrailSource = (environmentId: string, ids: readonly string[]) => Promise<readonly TrailRecord[]>;

/** Details recorded while a worker holds a run are stored in the run's record; all others are batches here. */
@Injectable()
export class ExecutionDetailsService {
  private readonly retentionDays: number;
  private findTrails: TrailSource = () => Promise.resolve([]);

  constructor(
    @InjectModel(ExecutionDetailBatch.name) private readonly batches: TenantModel<ExecutionDetailBatch>,
    private readonly subscribers: SubscribersService,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** The owner of the runs provides it. */
  readTrailsFrom(source: TrailSource): void {
    this.findTrails = source;
  }

  /** One call to the store, for any environments. Existing batches are not changed. */
  async append(batches: readonly DetailBatch[]): Promise<void> {
    const now = new Date();
    const rows = batches
      .filter(({ entries }) => entries.length > 0)
      .map((batch) => toStored(batch, this.retentionDays, now));
    if (rows.length === 0) return;
    try {
      await this.batches.collection.insertMany(rows, { ordered: false });
    } catch (error) {
      if (!hasOnlyDuplicates(error)) throw error;
    }
  }

  async findExistingIds(environmentId: string, ids: readonly Types.ObjectId[]): Promise<Set<string>> {
    const rows = await this.batches
      .find({ _environmentId: environmentId, _id: { $in: [...ids] } }, { _id: 1 })
      .lean()
      .exec();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  /** Retention restarts at `from`, for notifications that still wait. */
  async keepFrom(
    notifications: readonly { readonly _id: Types.ObjectId; readonly _environmentId: Types.ObjectId }[],
    from: Date,
  ): Promise<void> {
    if (notifications.length === 0 || this.retentionDays === 0) return;
    const environments = new Map(notifications.map((one) => [one._environmentId.toHexString(), one._environmentId]));
    await this.batches.collection.updateMany(
      {
        _environmentId: { $in: [...environments.values()] },
        _notificationId: { $in: notifications.map(({ _id }) => _id) },
      },
      { $max: { expireAt: expiryOf(from, this.retentionDays) } },
    );
  }

  /** Removes what may identify a person, and lets the details expire. */
  async anonymise(environmentId: string, notificationIds: readonly Types.ObjectId[], until: Date): Promise<void> {
    if (notificationIds.length === 0) return;
    const rows = await this.batches.list({ environmentId }, { _notificationId: { $in: [...notificationIds] } });
    if (rows.length === 0) return;
    await this.batches.collection.bulkWrite(
      rows.map(({ _id, _environmentId, _notificationId, entries }) => ({
        updateOne: {
          filter: { _id, _environmentId, _notificationId },
          update: { $set: { entries: entries.map(anonymousDetail) }, $min: { expireAt: until } },
        },
      })),
      { ordered: false },
    );
  }

  /** Oldest first; all of them unless the query asks for a page. */
  async list(tenant: TenantContext, query: ListExecutionDetailsQuery): Promise<ExecutionDetailResponse[]> {
    const { _id } = await this.subscribers.get(tenant, query.subscriberId);
    const all = await this.listFor(tenant, [query.notificationId]);
    const details = (all.get(query.notificationId) ?? []).filter(({ _subscriberId }) => _subscriberId === _id);
    if (query.page === undefined && query.limit === undefined) return details;
    const { page = 0, limit = DEFAULT_LIMIT } = query;
    return details.slice(page * limit, (page + 1) * limit);
  }

  /**
   * Oldest first, by notification id; omits notifications without details.
   * @param records of the notifications, if already read
   */
  async listFor(
    { environmentId }: TenantContext,
    notificationIds: readonly string[],
    records?: readonly TrailRecord[],
  ): Promise<Map<string, ExecutionDetailResponse[]>> {
    const [batches, trails] = await Promise.all([
      this.batches
        .find({ _environmentId: environmentId, _notificationId: { $in: notificationIds } })
        .lean()
        .exec(),
      records ?? this.findTrails(environmentId, notificationIds),
    ]);
    const rows = [...trails.map((record) => batchOf(record, this.retentionDays)), ...batches];
    const found = new Map<string, ExecutionDetailResponse[]>();
    for (const detail of oldestFirst(rows)) {
      const list = found.get(detail._notificationId);
      if (list) list.push(detail);
      else found.set(detail._notificationId, [detail]);
    }
    return found;
  }
}

function anonymousDetail(entry: StoredDetail): StoredDetail {
  const { raw: _raw, webhookStatus: _status, ...rest } = entry;
  return isOwnDetail(entry.detail) ? rest : { ...rest, detail: '(deleted)' };
}

/** By time, then in the order written. */
function oldestFirst(rows: readonly ShownBatch[]): ExecutionDetailResponse[] {
  return rows
    .flatMap((row) => showExecutionDetails(row))
    .map((detail, position) => ({ detail, position }))
    .sort((a, b) => a.detail.createdAt.getTime() - b.detail.createdAt.getTime() || a.position - b.position)
    .map(({ detail }) => detail);
}
