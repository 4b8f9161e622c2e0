import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, Tenant } from '#libs/http-kit';
import { DeliveryHealthQuery } from './activity.dto.js';
import { DeliveryHealthResponse } from './activity.response.js';
import { DeliveryHealthService } from './delivery-health.service.js';

@ApiTags('Activity')
@Controller({ path: 'activity', version: '1' })
export class ActivityController {
  constructor(private readonly health: DeliveryHealthService) {}

  /**
   * Gets the health of deliveries.
   * @remarks Per channel and provider: messages that were sent, failed, retried and dead, and the time that sending took;
   * and the work that is due. Counts are at most two seconds old. They survive restarts; those of the last two seconds
   * before a process is killed are missing.
   */
  @Get('delivery')
  @ApiData(200, DeliveryHealthResponse)
  getDeliveryHealth(
    @Tenant() tenant: TenantContext,
    @Query() { period }: DeliveryHealthQuery,
  ): Promise<DeliveryHealthResponse> {
    return this.health.get(tenant, period);
  }
}
