import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiDataArray, ApiErrors, type CursorPage, NotAudited, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import {
  ApiInboxPage,
  CountInboxQuery,
  InboxCountResponse,
  InboxNotificationResponse,
  InboxNotificationsService,
  ListInboxQuery,
  MarkSeenDto,
  TaggedNotificationsDto,
} from '../../browser/inbox/index.js';
import { InboxMessagesService, toFilter } from '../../engine/messages/inbox/index.js';
import { MessageNotOfSubscriber } from '../../engine/messages/marks/index.js';
import { NotificationOwners } from './notification-owners.js';

/** The notifications of a subscriber, many at a time. */
@ApiTags('v2')
@ApiErrors(SubscriberNotFound)
@Controller({ path: 'subscribers/:subscriberId/notifications', version: '2' })
@NotAudited('what a person did with messages')
export class SubscriberNotificationsController {
  constructor(
    private readonly owners: NotificationOwners,
    private readonly notifications: InboxNotificationsService,
    private readonly messages: InboxMessagesService,
  ) {}

  /**
   * Lists the in-app notifications of a subscriber, newest first.
   * @remarks Snoozed ones only if asked for. `filter` is the filter of the request.
   */
  @Get()
  @ApiInboxPage()
  @ApiErrors(MessageNotOfSubscriber)
  async listNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ListInboxQuery,
  ): Promise<CursorPage<InboxNotificationResponse>> {
    return this.notifications.list(tenant, await this.owners.of(tenant, subscriberId), query);
  }

  /** Counts the notifications of a subscriber by filters, up to 99 each. */
  @Get('count')
  @ApiDataArray(200, InboxCountResponse)
  async countNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() { filters }: CountInboxQuery,
  ): Promise<InboxCountResponse[]> {
    return this.notifications.count(tenant, await this.owners.of(tenant, subscriberId), filters);
  }

  /**
   * Marks notifications of a subscriber as seen.
   * @remarks Those with these ids, or all that match.
   */
  @Post('seen')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Marked' })
  async markNotificationsSeenV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: MarkSeenDto,
  ): Promise<void> {
    await this.notifications.markSeen(tenant, await this.owners.of(tenant, subscriberId), dto);
  }

  /** Marks all notifications of a subscriber that match as read. */
  @Post('read')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Marked' })
  async readNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    const filter = { ...toFilter({ ...which }), read: false };
    await this.messages.changeAll(tenant, await this.owners.of(tenant, subscriberId), 'read', filter);
  }

  /** Archives all notifications of a subscriber that match. */
  @Post('archive')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Archived' })
  async archiveNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    const filter = { ...toFilter({ ...which }), archived: false };
    await this.messages.changeAll(tenant, await this.owners.of(tenant, subscriberId), 'archive', filter);
  }

  /** Archives all read notifications of a subscriber that match. */
  @Post('read-archive')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Archived' })
  async archiveReadNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    const filter = { ...toFilter({ ...which }), read: true, archived: false };
    await this.messages.changeAll(tenant, await this.owners.of(tenant, subscriberId), 'archive', filter);
  }

  /** Deletes all notifications of a subscriber that match, archived and snoozed ones included. */
  @Post('delete')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  async deleteNotificationsV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() which: TaggedNotificationsDto,
  ): Promise<void> {
    await this.messages.removeAll(tenant, await this.owners.of(tenant, subscriberId), toFilter({ ...which }));
  }
}
