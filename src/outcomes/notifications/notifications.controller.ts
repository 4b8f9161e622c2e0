import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiDataArray, ApiErrors, ApiPage, HidesUrlSecrets, IdParam, type Page, Tenant } from '#libs/http-kit';
import { GraphStatsQuery, ListNotificationsQuery } from './notification.dto.js';
import { NotificationDayResponse, NotificationResponse, NotificationStatsResponse } from './notification.response.js';
import { NotificationStatsService } from './notification-stats.service.js';
import { NotificationsService } from './notifications.service.js';
import { FilterTooBroad } from './notifications.errors.js';
import { NotificationNotFound } from '../../engine/delivery/index.js';

@ApiTags('Notifications')
@Controller({ path: 'notifications', version: '1' })
@HidesUrlSecrets('jobs')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly stats: NotificationStatsService,
  ) {}

  /**
   * Lists notifications with their steps and execution details, newest first.
   * @remarks A notification is the run of a workflow for one recipient of one event. Different filters are combined
   * with AND, the values of one filter with OR.
   */
  @Get()
  @ApiPage(NotificationResponse)
  @ApiErrors(FilterTooBroad)
  listNotifications(
    @Tenant() tenant: TenantContext,
    @Query() query: ListNotificationsQuery,
  ): Promise<Page<NotificationResponse>> {
    return this.notifications.list(tenant, query);
  }

  /** Counts the notifications of the last week and month. */
  @Get('stats')
  @ApiData(200, NotificationStatsResponse)
  getNotificationStats(@Tenant() tenant: TenantContext): Promise<NotificationStatsResponse> {
    return this.stats.totals(tenant);
  }

  /** Counts notifications by day. */
  @Get('graph/stats')
  @ApiDataArray(200, NotificationDayResponse)
  getNotificationGraph(
    @Tenant() tenant: TenantContext,
    @Query() { days }: GraphStatsQuery,
  ): Promise<NotificationDayResponse[]> {
    return this.stats.byDay(tenant, days);
  }

  /**
   * Gets a notification.
   * @remarks Each job has a `history`: its attempts to send with the words of the provider and the waits between them, the
   * conditions or the setting because of which it was skipped, and what the provider reported later.
   */
  @Get(':notificationId')
  @ApiData(200, NotificationResponse)
  @ApiErrors(NotificationNotFound)
  getNotification(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
  ): Promise<NotificationResponse> {
    return this.notifications.get(tenant, notificationId);
  }
}
