import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiPage, type CallingSubscriber, ForSubscribers, Page, Subscriber, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { SubscriberFeedService } from '../../engine/messages/inbox/index.js';
import { FeedMessageResponse, forBrowsers, MessageCountResponse } from '../../engine/messages/views/index.js';
import { WidgetCountQuery, WidgetFeedQuery } from './widget.dto.js';

/** The feed of the notification bell, and the counts of its badge. */
@ApiTags('Browser clients')
@Controller({ path: 'widgets/notifications', version: '1' })
@ForSubscribers()
export class WidgetFeedController {
  constructor(private readonly feed: SubscriberFeedService) {}

  /**
   * Lists the in-app messages of the subscriber, newest first.
   * @remarks The content is sanitized HTML.
   */
  @Get('feed')
  @ApiPage(FeedMessageResponse, { total: true })
  async getWidgetFeed(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Query() query: WidgetFeedQuery,
  ): Promise<Page<FeedMessageResponse>> {
    const { data, page, pageSize, hasMore, totalCount } = await this.feed.list(tenant, subscriberId, query);
    return new Page(await forBrowsers(data), page, pageSize, hasMore, totalCount);
  }

  /** Counts the unseen messages of the subscriber. */
  @Get('unseen')
  @ApiData(200, MessageCountResponse)
  countUnseenWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Query() { feedIdentifier, seen, limit }: WidgetCountQuery,
  ): Promise<MessageCountResponse> {
    return this.feed.count(tenant, subscriberId, { feedIdentifier, seen: seen ?? false, limit });
  }

  /** Counts the unread messages of the subscriber. */
  @Get('unread')
  @ApiData(200, MessageCountResponse)
  countUnreadWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Query() { feedIdentifier, read, limit }: WidgetCountQuery,
  ): Promise<MessageCountResponse> {
    return this.feed.count(tenant, subscriberId, { feedIdentifier, read: read ?? false, limit });
  }

  /**
   * Counts the messages of the subscriber that match.
   * @remarks Without `seen` and `read`, the unseen ones.
   */
  @Get('count')
  @ApiData(200, MessageCountResponse)
  countWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Query() { feedIdentifier, seen, read, limit }: WidgetCountQuery,
  ): Promise<MessageCountResponse> {
    const which = seen === undefined && read === undefined ? { seen: false } : { seen, read };
    return this.feed.count(tenant, subscriberId, { feedIdentifier, ...which, limit });
  }
}
