import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ForSubscribers, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { OrganizationResponse, OrganizationsService } from '../../platform/organizations/index.js';
import { LogUsageDto } from './widget.dto.js';
import { UsageLoggedResponse } from './widget.response.js';

/** What the notification bell uses besides messages and preferences. */
@ApiTags('Browser clients')
@Controller({ path: 'widgets', version: '1' })
@ForSubscribers()
export class WidgetsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** Gets name and branding of the organization. */
  @Get('organization')
  @ApiData(200, OrganizationResponse)
  getWidgetOrganization(@Tenant() tenant: TenantContext): Promise<OrganizationResponse> {
    return this.organizations.get(tenant);
  }

  /**
   * Accepts a report of use.
   * @remarks The notification bell reports each click. Nothing is stored.
   */
  @Post('usage/log')
  @ApiData(201, UsageLoggedResponse)
  logWidgetUsage(@Body() _dto: LogUsageDto): UsageLoggedResponse {
    return { success: true };
  }
}
