import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, type HttpReply, Public } from '#libs/http-kit';
import { HealthResponse } from './health.response.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller({ path: 'health-check', version: '1' })
export class HealthController {
  constructor(private readonly health: HealthService) {}

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
    reply.code(health.status === 'ok' ? 200 : 503);
    return health;
  }
}
