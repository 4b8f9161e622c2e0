import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Audited, IdParam, NeedsScope, Tenant } from '#libs/http-kit';
import { CancellationPending } from '../expansion/cancellation.errors.js';
import { CancelService } from './cancel.service.js';
import { AcceptedActionResponse, ReplayDto, showAccepted } from './notification-actions.dto.js';
import { ReplayService } from './replay.service.js';
import {
  EventNoLongerKept,
  JobUnknown,
  MayHaveBeenSent,
  NothingToCancel,
  NothingToReplay,
  NotificationNotFound,
  StillRunning,
} from './actions.errors.js';

@ApiTags('Notifications')
@NeedsScope('trigger')
@ApiErrors(NotificationNotFound)
@Controller({ path: 'notifications/:notificationId', version: '1' })
@Audited('notification', { keys: 'never' })
export class NotificationActionsController {
  constructor(
    private readonly replays: ReplayService,
    private readonly cancels: CancelService,
  ) {}

  /**
   * Replays the failed steps of a notification.
   * @remarks Runs every failed step again, in order, and then the steps that its failure canceled. A step whose message
   * the provider may have accepted is run again only with `includeUncertain`.
   */
  @Post('replay')
  @HttpCode(202)
  @ApiData(202, AcceptedActionResponse)
  @ApiErrors(EventNoLongerKept, MayHaveBeenSent, NothingToReplay, StillRunning)
  async replayNotification(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
    @Body() { includeUncertain }: ReplayDto,
  ): Promise<AcceptedActionResponse> {
    await this.replays.replay(tenant, notificationId, { includesUncertain: includeUncertain === true });
    return showAccepted(notificationId);
  }

  /**
   * Replays a failed step of a notification.
   * @remarks Runs one failed step again, and then the steps that its failure canceled. A step whose message the
   * provider may have accepted is run again only with `includeUncertain`.
   */
  @Post('jobs/:jobId/replay')
  @HttpCode(202)
  @ApiData(202, AcceptedActionResponse)
  @ApiErrors(JobUnknown, EventNoLongerKept, MayHaveBeenSent, NothingToReplay, StillRunning)
  async replayJob(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
    @IdParam('jobId') jobId: string,
    @Body() { includeUncertain }: ReplayDto,
  ): Promise<AcceptedActionResponse> {
    await this.replays.replay(tenant, notificationId, { jobId, includesUncertain: includeUncertain === true });
    return showAccepted(notificationId);
  }
  /**
   * Cancels a notification.
   * @remarks Its steps that have not begun are canceled; what was sent stays sent. The request waits for the outcome of a step that
   * is being carried out, for a lease (DELIVERY_LEASE_MS) and three seconds at most: 202 says that something was canceled, 409 that
   * everything was delivered. DELETE /v1/events/trigger/{transactionId} cancels all notifications of an event.
   */
  @Post('cancel')
  @HttpCode(202)
  @ApiData(202, AcceptedActionResponse)
  @ApiErrors(NothingToCancel, CancellationPending)
  async cancelNotification(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
  ): Promise<AcceptedActionResponse> {
    await this.cancels.cancel(tenant, notificationId);
    return showAccepted(notificationId);
  }
}
