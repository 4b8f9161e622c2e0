import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, type HttpReply, NeedsScope, Public } from '#libs/http-kit';
import { WorkBacklogs } from '../monitoring/index.js';
import { HealthResponse, QueueBacklogResponse, showBacklog } from './health.response.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller({ path: 'health-check', version: '1' })
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly backlogs: WorkBacklogs,
  ) {}

  /**
   * Checks whether the service is ready.
   * @remarks Returns 200, or 503 with the same body while the store is unavailable or the service is shutting down.
   */
  @Get()
  @Public()
  @ApiData(200, HealthResponse, 'Ready')
  @ApiData(503, HealthResponse, 'Not ready')
  async checkHealth(@Res({ passthrough: true }) reply: HttpReply): Promise<HealthResponse> {
    const health = await this.health.check();
    reply.status(health.status === 'ok' ? 200 : 503);
    return health;
  }

  /**
   * Lists the work that is not finished.
   * @remarks Work of all environments, by queue. A number of due records that keeps growing, or an age of more than some seconds,
   * means that deliveries are late: start more workers. The answer can be five seconds old.
   */
  @Get('work')
  @NeedsScope('admin')
  @ApiDataArray(200, QueueBacklogResponse)
  async listWork(): Promise<QueueBacklogResponse[]> {
    return (await this.backlogs.read()).map(showBacklog);
  }
}
