import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiDataValue, ApiErrors, IdParam, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { CreateIntegrationDto } from './dto/create-integration.dto.js';
import { InAppStatusResponse } from './dto/in-app-status.response.js';
import { IntegrationResponse } from './dto/integration.response.js';
import { UpdateIntegrationDto } from './dto/update-integration.dto.js';
import { IntegrationStatusService } from './integration-status.service.js';
import { IntegrationsService } from './integrations.service.js';

@ApiTags('Integrations')
@Controller({ path: 'integrations', version: '1' })
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly status: IntegrationStatusService,
  ) {}

  /** Creates an integration; an active one must be complete. */
  @Post()
  @ApiData(201, IntegrationResponse)
  @ApiErrors(400, 404, 409)
  createIntegration(@Tenant() tenant: TenantContext, @Body() dto: CreateIntegrationDto): Promise<IntegrationResponse> {
    return this.integrations.create(tenant, dto);
  }

  /** Lists the integrations of the environment, newest first. */
  @Get()
  @ApiDataArray(200, IntegrationResponse)
  listIntegrations(@Tenant() tenant: TenantContext): Promise<IntegrationResponse[]> {
    return this.integrations.list(tenant);
  }

  /** Lists the integrations that are used for delivery, newest first. */
  @Get('active')
  @ApiDataArray(200, IntegrationResponse)
  listActiveIntegrations(@Tenant() tenant: TenantContext): Promise<IntegrationResponse[]> {
    return this.integrations.listActive(tenant);
  }

  /** Tells whether in-app messages are delivered. */
  @Get('in-app/status')
  @ApiData(200, InAppStatusResponse)
  getInAppStatus(@Tenant() tenant: TenantContext): Promise<InAppStatusResponse> {
    return this.status.inApp(tenant);
  }

  /** Tells whether Herald understands the status callbacks of a provider. */
  @Get('webhook/provider/:providerOrIntegrationId/status')
  @ApiDataValue(200, { type: 'boolean', example: true })
  @ApiErrors(400, 404)
  getWebhookStatus(
    @Tenant() tenant: TenantContext,
    @Param('providerOrIntegrationId') reference: string,
  ): Promise<boolean> {
    return this.status.understandsCallbacks(tenant, reference);
  }

  /** Updates an integration; what is absent stays, credentials and conditions are replaced whole. */
  @Put(':integrationId')
  @ApiData(200, IntegrationResponse)
  @ApiErrors(400, 404, 409)
  updateIntegration(
    @Tenant() tenant: TenantContext,
    @IdParam('integrationId') integrationId: string,
    @Body() dto: UpdateIntegrationDto,
  ): Promise<IntegrationResponse> {
    return this.integrations.update(tenant, integrationId, dto);
  }

  /** Makes an email or sms integration the primary one of its channel, active and without conditions. */
  @Post(':integrationId/set-primary')
  @ApiData(201, IntegrationResponse)
  @ApiErrors(400, 404)
  setPrimaryIntegration(
    @Tenant() tenant: TenantContext,
    @IdParam('integrationId') integrationId: string,
  ): Promise<IntegrationResponse> {
    return this.integrations.setPrimary(tenant, integrationId);
  }

  /** Deletes an integration; answers with the remaining ones. */
  @Delete(':integrationId')
  @ApiDataArray(200, IntegrationResponse)
  @ApiErrors(400, 404)
  deleteIntegration(
    @Tenant() tenant: TenantContext,
    @IdParam('integrationId') integrationId: string,
  ): Promise<IntegrationResponse[]> {
    return this.integrations.remove(tenant, integrationId);
  }
}
