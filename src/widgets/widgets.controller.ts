import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, type CallingSubscriber, ForSubscribers, Subscriber, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { OrganizationResponse, OrganizationsService } from '../organizations/index.js';
import { PreferencesService, WorkflowPreferenceResponse } from '../preferences/index.js';

/** What the notification bell shows besides messages. */
@ApiTags('Browser clients')
@Controller({ path: 'widgets', version: '1' })
@ForSubscribers()
export class WidgetsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly preferences: PreferencesService,
  ) {}

  /** Gets name and branding of the organization. */
  @Get('organization')
  @ApiData(200, OrganizationResponse)
  getWidgetOrganization(@Tenant() tenant: TenantContext): Promise<OrganizationResponse> {
    return this.organizations.get(tenant);
  }

  /** Lists the preferences of the subscriber for each workflow. */
  @Get('preferences')
  @ApiDataArray(200, WorkflowPreferenceResponse)
  listWidgetPreferences(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
  ): Promise<WorkflowPreferenceResponse[]> {
    return this.preferences.list(tenant, subscriberId);
  }
}
