import { Injectable } from '@nestjs/common';
import { Clock, FailPoint, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppException } from '#libs/http-kit';
import { type BulkReplay, BulkReplayer, type ReplayResult } from '../../engine/delivery/index.js';
import { NotificationFilter, NotificationReads, type Place, type RecordFilter } from '../notifications/index.js';
import type { NotificationReplay } from './notification-replay.schema.js';
import { beginning, counting, ending } from './replay-progress.js';
import { ReplayQueue } from './replay-queue.js';

/** Between the replay of a batch and its count. */
export const COUNTING = new FailPoint<NotificationReplay>('replay.count');

/** Notifications per batch. */
const PORTION = 100;
/** Gives new triggers their turn and lets a stop take effect. */
const PAUSE_MS = 200;

/** One batch at a time: record it, replay it, count it. */
@Injectable()
export class ReplayPortions {
  private readonly retentionDays: number;

  constructor(
    private readonly queue: ReplayQueue,
    private readonly filter: NotificationFilter,
    private readonly reads: NotificationReads,
    private readonly replayer: BulkReplayer,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  async next(row: NotificationReplay): Promise<void> {
    try {
      if (row.portion === undefined && !(await this.begin(row))) return;
      const results = await this.carryOut(row);
      await COUNTING.pass(row);
      const now = this.clock.now();
      await this.save(row, counting(results, now, new Date(now.getTime() + PAUSE_MS)));
    } catch (error) {
      // The filter can never be applied.
      if (!(error instanceof AppException)) throw error;
      await this.end(row, 'failed', error.message);
    }
  }

  async setAside(rows: readonly NotificationReplay[]): Promise<void> {
    const error = 'It was carried out several times, and each time the worker died or stood still.';
    for (const row of rows) await this.end(row, 'failed', error);
  }

  /** @returns false if there is no next batch or another worker holds the replay */
  private async begin(row: NotificationReplay): Promise<boolean> {
    const left = row.limit - row.counts.replayed;
    if (row.status === 'stopping') return this.end(row, 'stopped');
    if (left <= 0) return this.end(row, 'completed');
    const filters = await this.filtersFrom(row);
    const total = row.total ?? (await this.reads.count(filters, row.limit));
    const places = await this.reads.places(filters, Math.min(PORTION, left));
    const last = places.at(-1);
    if (last === undefined) return this.end(row, 'completed', undefined, total);
    const portion = places.map(({ _id }) => _id);
    row.portion = portion;
    return this.save(row, beginning(portion, last, total));
  }

  private async carryOut(row: NotificationReplay): Promise<ReplayResult[]> {
    const { portion = [] } = row;
    const replay = toBulkReplay(row);
    if (row.status === 'running') return this.replayer.replay(replay, portion);
    const replayed = await this.replayer.replayedAmong(replay, portion);
    return [...replayed].map(() => 'replayed');
  }

  /** Only notifications created before the replay, behind its position. */
  private async filtersFrom(row: NotificationReplay): Promise<RecordFilter[]> {
    const { filter, position } = row;
    const before = position?.createdAt ?? row.createdAt;
    const query = { ...filter, status: ['failed' as const], before: before.toISOString() };
    const filters = await this.filter.build(tenantOf(row), query);
    return position === undefined ? filters : filters.map((one) => behind(one, position));
  }

  private async end(
    row: NotificationReplay,
    status: 'completed' | 'stopped' | 'failed',
    error?: string,
    total?: number,
  ): Promise<false> {
    const update = ending(status, this.clock.now(), this.retentionDays, error);
    await this.save(row, { ...update, $set: { ...update.$set, ...(total !== undefined && { total }) } });
    return false;
  }

  /** @returns false when the lease is lost */
  private async save(record: NotificationReplay, update: object): Promise<boolean> {
    return (await this.queue.save([{ record, update }])) === 1;
  }
}

/** Time filters include both ends; ids distinguish notifications of the same millisecond. */
function behind(filter: RecordFilter, { createdAt, _id }: Place): RecordFilter {
  return { ...filter, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
}

function tenantOf({ _organizationId, _environmentId, by }: NotificationReplay): TenantContext {
  return {
    organizationId: _organizationId.toHexString(),
    environmentId: _environmentId.toHexString(),
    apiKeyId: by.apiKeyId,
    userId: by.userId,
  };
}

function toBulkReplay({ _id, _environmentId, by, includeUncertain }: NotificationReplay): BulkReplay {
  return { id: _id, environmentId: _environmentId, by, includesUncertain: includeUncertain };
}
