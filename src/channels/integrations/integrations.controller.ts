import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiDataValue,
  ApiErrors,
  Audited,
  IdParam,
  lookAt,
  NeedsScope,
  NotAudited,
  Tenant,
} from '#libs/http-kit';
import { concealed } from './masked-credentials.js';
import { SecretUnreadableError } from '#libs/secrets';
import type { Caller, TenantContext } from '#libs/common';
import { CreateIntegrationDto, SystemMailDto, UpdateIntegrationDto } from './integration.dto.js';
import { InAppStatusResponse, IntegrationCheckResponse, IntegrationResponse } from './integration.response.js';
import { IntegrationAnswers } from './integration-answers.js';
import { IntegrationStatusService } from './integration-status.service.js';
import { IntegrationsService } from './integrations.service.js';
import {
  CallbacksNotSupported,
  CatcherInProduction,
  CredentialCheckFailed,
  InAppIntegrationExists,
  IntegrationIdentifierTaken,
  IntegrationNotFound,
  NoCredentials,
  NothingToUpdate,
  OtherEnvironment,
  PrimaryNotSupported,
  SystemMailNotSupported,
  SystemMailProtected,
  TooMuchContention,
} from './integrations.errors.js';

@ApiTags('Integrations')
@Controller({ path: 'integrations', version: '1' })
@Audited('integration', {
  look: lookAt(IntegrationsService, async (own, caller) => (await own.list(caller)).map(concealed)),
})
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly status: IntegrationStatusService,
    private readonly answers: IntegrationAnswers,
  ) {}

  /**
   * Creates an integration.
   * @remarks An active integration requires a known provider and all its required credentials; an inactive one can be
   * incomplete. In-app delivery requires no integration.
   */
  @Post()
  @ApiData(201, IntegrationResponse)
  @ApiErrors(
    CredentialCheckFailed,
    CatcherInProduction,
    OtherEnvironment,
    InAppIntegrationExists,
    IntegrationIdentifierTaken,
    TooMuchContention,
  )
  createIntegration(@Tenant() tenant: Caller, @Body() dto: CreateIntegrationDto): Promise<IntegrationResponse> {
    return this.answers.one(tenant, this.integrations.create(tenant, dto));
  }

  /** Lists the integrations, newest first. */
  @Get()
  @ApiDataArray(200, IntegrationResponse)
  listIntegrations(@Tenant() tenant: Caller): Promise<IntegrationResponse[]> {
    return this.answers.many(tenant, this.integrations.list(tenant));
  }

  /** Lists the active integrations, newest first. */
  @Get('active')
  @ApiDataArray(200, IntegrationResponse)
  listActiveIntegrations(@Tenant() tenant: Caller): Promise<IntegrationResponse[]> {
    return this.answers.many(tenant, this.integrations.listActive(tenant));
  }

  /** Checks whether in-app messages are delivered. */
  @Get('in-app/status')
  @ApiData(200, InAppStatusResponse)
  getInAppStatus(@Tenant() tenant: TenantContext): Promise<InAppStatusResponse> {
    return this.status.inApp(tenant);
  }

  /**
   * Checks whether Herald supports the status callbacks of a provider.
   * @remarks True if Herald can process the provider's delivery reports.
   */
  @Get('webhook/provider/:providerOrIntegrationId/status')
  @ApiDataValue(200, { type: 'boolean', example: true })
  @ApiErrors(CallbacksNotSupported, NoCredentials, IntegrationNotFound, SecretUnreadableError)
  getWebhookStatus(
    @Tenant() tenant: TenantContext,
    @Param('providerOrIntegrationId') reference: string,
  ): Promise<boolean> {
    return this.status.understandsCallbacks(tenant, reference);
  }

  /**
   * Updates an integration.
   * @remarks Absent fields are unchanged; `credentials` and `conditions` are replaced as a whole.
   */
  @Put(':integrationId')
  @ApiData(200, IntegrationResponse)
  @ApiErrors(
    CredentialCheckFailed,
    CatcherInProduction,
    NothingToUpdate,
    OtherEnvironment,
    IntegrationNotFound,
    InAppIntegrationExists,
    IntegrationIdentifierTaken,
    SecretUnreadableError,
    SystemMailProtected,
    TooMuchContention,
  )
  updateIntegration(
    @Tenant() tenant: Caller,
    @IdParam('integrationId') integrationId: string,
    @Body() dto: UpdateIntegrationDto,
  ): Promise<IntegrationResponse> {
    return this.answers.one(tenant, this.integrations.update(tenant, integrationId, dto));
  }

  /**
   * Makes an integration the primary integration of its channel.
   * @remarks For email and SMS. The integration becomes active and loses its conditions; the former primary integration
   * becomes the second in the order.
   */
  @Post(':integrationId/set-primary')
  @HttpCode(200)
  @ApiData(200, IntegrationResponse)
  @ApiErrors(
    PrimaryNotSupported,
    CatcherInProduction,
    IntegrationNotFound,
    SecretUnreadableError,
    SystemMailProtected,
    TooMuchContention,
  )
  setPrimaryIntegration(
    @Tenant() tenant: Caller,
    @IdParam('integrationId') integrationId: string,
  ): Promise<IntegrationResponse> {
    return this.answers.one(tenant, this.integrations.setPrimary(tenant, integrationId));
  }

  /**
   * Lets Herald send its own mails through an integration, or no longer.
   * @remarks These are invitations and links for new passwords that open nothing beyond this environment; others go through the server in
   * SYSTEM_MAIL_URL. Look at the credentials first: from now on, only the scope `admin` changes or deletes the integration. Of several, the
   * newest active one is used. Conditions do not count.
   */
  @Put(':integrationId/system-mail')
  @NeedsScope('admin')
  @ApiData(200, IntegrationResponse)
  @ApiErrors(SystemMailNotSupported, IntegrationNotFound, TooMuchContention)
  setSystemMail(
    @Tenant() tenant: Caller,
    @IdParam('integrationId') integrationId: string,
    @Body() { isOn }: SystemMailDto,
  ): Promise<IntegrationResponse> {
    return this.answers.one(tenant, this.integrations.setSystemMail(tenant, integrationId, isOn));
  }

  /**
   * Tests the stored credentials of an integration at its provider.
   * @remarks Nothing is sent or changed.
   */
  @Post(':integrationId/check')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @ApiData(200, IntegrationCheckResponse)
  @ApiErrors(IntegrationNotFound, SecretUnreadableError)
  checkIntegration(
    @Tenant() tenant: TenantContext,
    @IdParam('integrationId') integrationId: string,
  ): Promise<IntegrationCheckResponse> {
    return this.integrations.check(tenant, integrationId);
  }

  /** Deletes an integration; returns the remaining ones. */
  @Delete(':integrationId')
  @ApiDataArray(200, IntegrationResponse)
  @ApiErrors(IntegrationNotFound, SystemMailProtected, TooMuchContention)
  deleteIntegration(
    @Tenant() tenant: Caller,
    @IdParam('integrationId') integrationId: string,
  ): Promise<IntegrationResponse[]> {
    return this.answers.many(tenant, this.integrations.remove(tenant, integrationId));
  }
}
