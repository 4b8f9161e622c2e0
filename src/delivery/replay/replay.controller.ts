import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, IdParam, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { ReplayResponse } from './dto/replay.response.js';
import { ReplayService } from './replay.service.js';

@ApiTags('Notifications')
@Controller({ path: 'notifications/:notificationId', version: '1' })
export class ReplayController {
  constructor(private readonly replays: ReplayService) {}

  /** Carries out every failed step of a notification again. */
  @Post('replay')
  @HttpCode(202)
  @ApiData(202, ReplayResponse)
  @ApiErrors(400, 404, 409)
  async replayNotification(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
  ): Promise<ReplayResponse> {
    await this.replays.replay(tenant, notificationId);
    return ReplayResponse.of(notificationId);
  }

  /** Carries out one failed step of a notification again. */
  @Post('jobs/:jobId/replay')
  @HttpCode(202)
  @ApiData(202, ReplayResponse)
  @ApiErrors(400, 404, 409)
  async replayJob(
    @Tenant() tenant: TenantContext,
    @IdParam('notificationId') notificationId: string,
    @IdParam('jobId') jobId: string,
  ): Promise<ReplayResponse> {
    await this.replays.replay(tenant, notificationId, jobId);
    return ReplayResponse.of(notificationId);
  }
}
