import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Page, type PageQuery } from '#libs/http-kit';
import { NEWEST_FIRST, ownedBy, type TenantModel, toObjectId, withoutNullish } from '#libs/persistence';
import { NotificationFilter, NotificationReads } from '../notifications/index.js';
import {
  type CreateNotificationReplayDto,
  limitOf,
  MAX_LIMIT,
  type ReplayFilterDto,
} from './notification-replay.dto.js';
import { type NotificationReplayResponse, showNotificationReplay } from './notification-replay.response.js';
import { NO_COUNTS, NotificationReplay } from './notification-replay.schema.js';
import { NotificationReplayNotFound, TooManyReplays } from './notification-replays.errors.js';
import { ending } from './replay-progress.js';
import { ReplayWorker } from './replay-worker.js';

/** Per environment, not yet ended. */
const MAX_OPEN = 10;

@Injectable()
export class NotificationReplaysService {
  private readonly retentionDays: number;

  constructor(
    @InjectModel(NotificationReplay.name) private readonly replays: TenantModel<NotificationReplay>,
    private readonly filter: NotificationFilter,
    private readonly reads: NotificationReads,
    private readonly worker: ReplayWorker,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** How many there are to replay, up to what one replay can take. */
  async count(tenant: TenantContext, filter: ReplayFilterDto): Promise<number> {
    const query = { ...filter, status: ['failed' as const], before: this.clock.now().toISOString() };
    return this.reads.count(await this.filter.build(tenant, query), MAX_LIMIT);
  }

  /** A worker carries it out. */
  async create(tenant: TenantContext, dto: CreateNotificationReplayDto): Promise<NotificationReplayResponse> {
    const now = this.clock.now();
    // Reports faults of the filter to the caller instead of the worker.
    await this.filter.build(tenant, { ...dto.filter, before: now.toISOString() });
    const open = await this.replays.count(tenant, { wakeAt: { $exists: true } }, MAX_OPEN);
    if (open >= MAX_OPEN) throw new TooManyReplays(MAX_OPEN);
    const row = await this.replays.create({
      ...ownedBy(tenant),
      filter: withoutNullish(dto.filter),
      includeUncertain: dto.includeUncertain === true,
      limit: limitOf(dto),
      by: { apiKeyId: tenant.apiKeyId, userId: tenant.userId },
      status: 'running',
      counts: NO_COUNTS,
      wakeAt: now,
      createdAt: now,
    });
    this.worker.wake();
    return showNotificationReplay(row.toObject());
  }

  /** Newest first. */
  async list(tenant: TenantContext, { page, limit }: PageQuery): Promise<Page<NotificationReplayResponse>> {
    const { rows, hasMore } = await this.replays.page(tenant, {}, { page, limit, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showNotificationReplay(row)),
      page,
      limit,
      hasMore,
    );
  }

  async get(tenant: TenantContext, id: string): Promise<NotificationReplayResponse> {
    const row = await this.replays.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new NotificationReplayNotFound(id);
    return showNotificationReplay(row);
  }

  /** One that has ended is unchanged. */
  async stop(tenant: TenantContext, id: string): Promise<NotificationReplayResponse> {
    const own = { _environmentId: tenant.environmentId, _id: id, status: 'running' } as const;
    const now = this.clock.now();
    // Between two batches there is nothing left to count.
    const idle = { ...own, lease: { $exists: false }, portion: { $exists: false } };
    const { matchedCount } = await this.replays.updateOne(idle, ending('stopped', now, this.retentionDays));
    if (matchedCount === 0) await this.replays.updateOne(own, { $set: { status: 'stopping' } });
    return this.get(tenant, id);
  }
}
