import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  IdParam,
  NeedsScope,
  type Page,
  PageQuery,
  StrictInput,
  Tenant,
} from '#libs/http-kit';
import { CreateNotificationReplayDto } from './notification-replay.dto.js';
import { NotificationReplayResponse } from './notification-replay.response.js';
import { NotificationReplaysService } from './notification-replays.service.js';
import { NotificationReplayNotFound, TooManyReplays } from './notification-replays.errors.js';

@ApiTags('Notifications')
@Controller({ path: 'notifications', version: '1' })
@Audited('notification-replay')
export class NotificationReplaysController {
  constructor(private readonly replays: NotificationReplaysService) {}

  /**
   * Replays the failed notifications that match a filter.
   * @remarks Runs the failed steps of each again, newest notification first, about 500 a second. Continues after a
   * restart and replays no notification twice. Send an `Idempotency-Key` so that a repeated request starts no second
   * replay. Unknown filters are refused.
   */
  @Post('replay')
  @NeedsScope('trigger')
  // A misspelled filter would select everything.
  @StrictInput()
  @HttpCode(202)
  @ApiData(202, NotificationReplayResponse)
  @ApiErrors(TooManyReplays)
  createNotificationReplay(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateNotificationReplayDto,
  ): Promise<NotificationReplayResponse> {
    return this.replays.create(tenant, dto);
  }

  /** Lists replays, newest first. */
  @Get('replays')
  @ApiPage(NotificationReplayResponse)
  listNotificationReplays(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<NotificationReplayResponse>> {
    return this.replays.list(tenant, query);
  }

  /** Gets the progress of a replay. */
  @Get('replays/:replayId')
  @ApiData(200, NotificationReplayResponse)
  @ApiErrors(NotificationReplayNotFound)
  getNotificationReplay(
    @Tenant() tenant: TenantContext,
    @IdParam('replayId') replayId: string,
  ): Promise<NotificationReplayResponse> {
    return this.replays.get(tenant, replayId);
  }

  /**
   * Stops a replay.
   * @remarks Notifications that were replayed already are not taken back. A replay that has ended stays as it is.
   */
  @Post('replays/:replayId/stop')
  @NeedsScope('trigger')
  @HttpCode(202)
  @ApiData(202, NotificationReplayResponse)
  @ApiErrors(NotificationReplayNotFound)
  stopNotificationReplay(
    @Tenant() tenant: TenantContext,
    @IdParam('replayId') replayId: string,
  ): Promise<NotificationReplayResponse> {
    return this.replays.stop(tenant, replayId);
  }
}
