import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiDataArray,
  ApiErrors,
  type CallingSubscriber,
  type CursorPage,
  ForSubscribers,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { InboxMessagesService, toFilter } from '../../engine/messages/inbox/index.js';
import { MessageNotOfSubscriber } from '../../engine/messages/marks/index.js';
import { CountInboxQuery, ListInboxQuery, MarkSeenDto, TaggedNotificationsDto } from './inbox-notification.dto.js';
import { ApiInboxPage, InboxCountResponse, InboxNotificationResponse } from './inbox-notification.response.js';
import { InboxNotificationsService } from './inbox-notifications.service.js';

/** The notifications of the calling subscriber, many at a time. */
@ApiTags('Browser clients')
@Controller({ path: 'inbox/notifications', version: '1' })
@ForSubscribers()
export class InboxNotificationsController {
  constructor(
    private readonly notifications: InboxNotificationsService,
    private readonly messages: InboxMessagesService,
  ) {}

  /**
   * Lists notifications, newest first.
   * @remarks Snoozed ones only if asked for. `filter` is the filter of the request.
   */
  @Get()
  @ApiInboxPage()
  @ApiErrors(MessageNotOfSubscriber)
  listInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Query() query: ListInboxQuery,
  ): Promise<CursorPage<InboxNotificationResponse>> {
    return this.notifications.list(tenant, subscriber, query);
  }

  /** Counts notifications by filters, up to 99 each. */
  @Get('count')
  @ApiDataArray(200, InboxCountResponse)
  countInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Query() { filters }: CountInboxQuery,
  ): Promise<InboxCountResponse[]> {
    return this.notifications.count(tenant, subscriber, filters);
  }

  /**
   * Marks notifications as seen.
   * @remarks Those with these ids, or all that match.
   */
  @Post('seen')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Marked' })
  markInboxNotificationsSeen(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() dto: MarkSeenDto,
  ): Promise<void> {
    return this.notifications.markSeen(tenant, subscriber, dto);
  }

  /** Marks all notifications that match as read. */
  @Post('read')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Marked' })
  readInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    return this.messages.changeAll(tenant, subscriber, 'read', { ...toFilter({ ...which }), read: false });
  }

  /** Archives all notifications that match. */
  @Post('archive')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Archived' })
  archiveInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    return this.messages.changeAll(tenant, subscriber, 'archive', { ...toFilter({ ...which }), archived: false });
  }

  /** Archives all read notifications that match. */
  @Post('read-archive')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Archived' })
  archiveReadInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    const filter = { ...toFilter({ ...which }), read: true, archived: false };
    return this.messages.changeAll(tenant, subscriber, 'archive', filter);
  }

  /** Deletes all notifications that match, archived and snoozed ones included. */
  @Post('delete')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  deleteInboxNotifications(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    return this.messages.removeAll(tenant, subscriber, toFilter({ ...which }));
  }
}
