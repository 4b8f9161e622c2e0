import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { NotificationNotFound, type NotificationRecord } from '../../engine/delivery/index.js';
import { ExecutionDetailsService } from '../../engine/execution-details/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import type { ListNotificationsQuery } from './notification.dto.js';
import { type NotificationResponse, showNotification } from './notification.response.js';
import { NotificationFilter } from './notification-filter.js';
import { NotificationReads } from './notification-reads.js';

@Injectable()
export class NotificationsService {
  constructor(
    private readonly reads: NotificationReads,
    private readonly filter: NotificationFilter,
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
  ) {}

  /** @param withHistory shows the history of each step, as `get` does */
  async list(
    tenant: TenantContext,
    query: ListNotificationsQuery,
    withHistory = false,
  ): Promise<Page<NotificationResponse>> {
    const { rows, hasMore } = await this.reads.page(tenant, await this.filter.build(tenant, query), query);
    return new Page(await this.present(tenant, rows, withHistory), query.page, query.limit, hasMore);
  }

  async get(tenant: TenantContext, id: string): Promise<NotificationResponse> {
    const row = await this.reads.find(tenant, new Types.ObjectId(id));
    const [shown] = row === null ? [] : await this.present(tenant, [row], true);
    if (shown === undefined) throw new NotificationNotFound(id);
    return shown;
  }

  /** One query per kind of related record. */
  private async present(
    tenant: TenantContext,
    rows: readonly NotificationRecord[],
    withHistory: boolean,
  ): Promise<NotificationResponse[]> {
    if (rows.length === 0) return [];
    const [subscribers, workflows, events, details] = await Promise.all([
      this.subscribers.findByIds(tenant, [...new Set(rows.map(({ _subscriberId }) => _subscriberId.toHexString()))]),
      this.workflows.findByIds(tenant, [...new Set(rows.map(({ _templateId }) => _templateId.toHexString()))], {
        deleted: true,
      }),
      this.reads.eventsOf(rows),
      this.details.listFor(
        tenant,
        rows.map(({ _id }) => _id.toHexString()),
        rows,
      ),
    ]);
    const now = this.clock.now();
    return rows.map((row) =>
      showNotification(row, {
        subscriber: subscribers.get(row._subscriberId.toHexString()),
        workflow: workflows.get(row._templateId.toHexString()),
        event: events.get(row._eventId.toHexString()),
        details: details.get(row._id.toHexString()) ?? [],
        now,
        withHistory,
      }),
    );
  }
}
