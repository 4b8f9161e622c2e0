import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Audited, lookAt, NeedsScope, Tenant } from '#libs/http-kit';
import { assertScope } from '../../platform/auth/index.js';
import { EnvironmentReadOnly } from '../../platform/environments/index.js';
import { UpdateAlertsDto } from './alerts.dto.js';
import { AlertsResponse } from './alerts.response.js';
import { AlertsService } from './alerts.service.js';

@ApiTags('Alerts')
@Controller({ path: 'alerts', version: '1' })
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  /** Shows who is told when something is wrong with deliveries, and what is wrong now. */
  @Get()
  @ApiData(200, AlertsResponse)
  getAlerts(@Tenant() tenant: TenantContext): Promise<AlertsResponse> {
    return this.alerts.get(tenant);
  }

  /**
   * Switches alerts on or off, and changes their settings; what is absent stays.
   * @remarks Switching them on makes the workflows `herald-alert` and `herald-daily-report`, unless the environment has them, and the topic.
   * Both are ordinary ones, which only a key with the scope `admin` can change: their steps and texts are yours. Alerts have the rights of
   * whoever changed the settings last. The key also needs the scope `trigger`.
   */
  @Patch()
  @NeedsScope('admin')
  @Audited('alerts', { look: lookAt(AlertsService, (alerts, caller) => alerts.settings(caller)) })
  @ApiData(200, AlertsResponse)
  @ApiErrors(EnvironmentReadOnly)
  updateAlerts(@Tenant() caller: Caller, @Body() dto: UpdateAlertsDto): Promise<AlertsResponse> {
    assertScope(caller, 'trigger');
    return this.alerts.update(caller, dto);
  }
}
