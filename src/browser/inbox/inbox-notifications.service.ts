import { Injectable } from '@nestjs/common';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { CursorPage, shown } from '#libs/http-kit';
import { InboxMessagesService, type InboxOwner, type InboxRows, toFilter } from '../../engine/messages/inbox/index.js';
import { MessageActionsService } from '../../engine/messages/marks/index.js';
import type { Message } from '../../engine/messages/records/index.js';
import { forBrowsers } from '../../engine/messages/views/index.js';
import { SubscriberSummaries } from '../../audience/subscribers/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import {
  type ListInboxQuery,
  type MarkSeenDto,
  type NotificationChange,
  parseFilters,
} from './inbox-notification.dto.js';
import {
  InboxCountResponse,
  type InboxNotificationResponse,
  showInboxNotification,
} from './inbox-notification.response.js';
import { ButtonNotFound, SnoozeOff, SnoozeRefused } from './inbox.errors.js';

const HOUR_MS = 3_600_000;

@Injectable()
export class InboxNotificationsService {
  constructor(
    private readonly messages: InboxMessagesService,
    private readonly actions: MessageActionsService,
    private readonly subscribers: SubscriberSummaries,
    private readonly workflows: WorkflowsService,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  async list(
    tenant: TenantContext,
    subscriber: InboxOwner,
    { limit, after, offset, grouped, ...filter }: ListInboxQuery,
  ): Promise<CursorPage<InboxNotificationResponse>> {
    const window = { limit, ...(after !== undefined && { after }), ...(offset !== undefined && { offset }) };
    const isGrouped = grouped === true && filter.groupKey === undefined;
    const asked = toFilter({ ...filter });
    const { rows, hasMore, groups } = isGrouped
      ? await this.messages.listGroups(tenant, subscriber, asked, window)
      : await this.messages.list(tenant, subscriber, asked, window);
    return new CursorPage(await this.present(tenant, subscriber, rows, groups), hasMore, filter);
  }

  async count(tenant: TenantContext, subscriber: InboxOwner, filters: string): Promise<InboxCountResponse[]> {
    const sent = parseFilters(filters) ?? [];
    const counts = await this.messages.count(tenant, subscriber, sent.map(toFilter));
    return sent.map((filter, place) => shown(InboxCountResponse, { count: counts[place] ?? 0, filter }));
  }

  async change(
    tenant: TenantContext,
    subscriber: InboxOwner,
    notificationId: string,
    change: NotificationChange,
  ): Promise<InboxNotificationResponse> {
    return this.presentOne(tenant, subscriber, await this.messages.change(tenant, subscriber, notificationId, change));
  }

  async snooze(
    tenant: TenantContext,
    subscriber: InboxOwner,
    notificationId: string,
    until: Date,
  ): Promise<InboxNotificationResponse> {
    const maxHours = this.config.get('SNOOZE_MAX_HOURS');
    if (maxHours === 0) throw new SnoozeOff();
    const waitMs = until.getTime() - this.clock.now().getTime();
    if (!(waitMs > 0 && waitMs <= maxHours * HOUR_MS)) throw new SnoozeRefused(maxHours);
    return this.presentOne(tenant, subscriber, await this.messages.snooze(tenant, subscriber, notificationId, until));
  }

  /** Undoing it leaves the notification read, too. */
  async act(
    tenant: TenantContext,
    subscriber: InboxOwner,
    notificationId: string,
    button: 'primary' | 'secondary',
    status: 'done' | 'pending',
  ): Promise<InboxNotificationResponse> {
    const target = { subscriberId: subscriber.subscriberId, messageId: notificationId };
    const { cta, question } = await this.messages.get(tenant, subscriber, notificationId);
    const hasButton = cta?.action?.buttons?.some(({ type }) => type === button) === true;
    // A question that has ended has no buttons any more, and says who decided.
    if (!hasButton && question === undefined) throw new ButtonNotFound(button);
    await this.actions.act(tenant, target, button, { status });
    return this.change(tenant, subscriber, notificationId, 'read');
  }

  markSeen(tenant: TenantContext, subscriber: InboxOwner, dto: MarkSeenDto): Promise<void> {
    const { notificationIds, ...filter } = dto;
    return notificationIds?.length
      ? this.messages.markSeen(tenant, subscriber, notificationIds)
      : this.messages.changeAll(tenant, subscriber, 'seen', { ...toFilter({ ...filter }), seen: false });
  }

  private async presentOne(
    tenant: TenantContext,
    subscriber: InboxOwner,
    row: Message,
  ): Promise<InboxNotificationResponse> {
    const [shownRow] = await this.present(tenant, subscriber, [row]);
    if (shownRow === undefined) throw new Error('A message was not presented.');
    return shownRow;
  }

  private async present(
    tenant: TenantContext,
    { subscriberId }: InboxOwner,
    rows: readonly Message[],
    groups?: InboxRows['groups'],
  ): Promise<InboxNotificationResponse[]> {
    const causers = rows.flatMap(({ actor, _actorId }) => (actor?.type === 'user' ? (_actorId ?? []) : []));
    const [safe, recipient, workflows, actors] = await Promise.all([
      forBrowsers(rows),
      this.subscribers.recent(tenant, subscriberId),
      this.workflows.summariesByIds(
        tenant,
        rows.map(({ _templateId }) => _templateId.toHexString()),
      ),
      this.subscribers.byIds(
        tenant,
        causers.map((id) => id.toHexString()),
      ),
    ]);
    return safe.map((row) =>
      showInboxNotification(row, {
        recipient,
        workflow: workflows.get(row._templateId.toHexString()),
        actor: row._actorId && actors.get(row._actorId.toHexString()),
        group: groups?.get(row._id.toHexString()),
      }),
    );
  }
}
