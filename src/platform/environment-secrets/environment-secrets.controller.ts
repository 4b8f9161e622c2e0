import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, Audited, lookAt, NeedsScope, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { SetSecretDto } from './environment-secret.dto.js';
import { SecretResponse } from './environment-secret.response.js';
import { InvalidSecretName, SecretNotFound } from './environment-secrets.errors.js';
import { EnvironmentSecretsService } from './environment-secrets.service.js';

@ApiTags('Secrets')
@Controller({ path: 'secrets', version: '1' })
@Audited('secret', {
  look: lookAt(EnvironmentSecretsService, (secrets, caller) => secrets.listConcealed(caller)),
  idField: 'name',
})
export class EnvironmentSecretsController {
  constructor(private readonly secrets: EnvironmentSecretsService) {}

  /** Lists the names of the secrets, without values. */
  @Get()
  @ApiDataArray(200, SecretResponse)
  listSecrets(@Tenant() tenant: TenantContext): Promise<SecretResponse[]> {
    return this.secrets.list(tenant);
  }

  /**
   * Creates a secret, or replaces its value.
   * @remarks `http_request` steps use it as `{{secrets.NAME}}`, in requests to its `hosts` only. Requests that begin afterwards have the
   * new value. Other hosts need the value again.
   */
  @Put(':name')
  @NeedsScope('admin')
  @ApiData(200, SecretResponse)
  @ApiErrors(InvalidSecretName)
  setSecret(
    @Tenant() tenant: TenantContext,
    @Param('name') name: string,
    @Body() dto: SetSecretDto,
  ): Promise<SecretResponse> {
    return this.secrets.set(tenant, name, dto);
  }

  /**
   * Deletes a secret.
   * @remarks Steps that use it fail from then on, and say so.
   */
  @Delete(':name')
  @NeedsScope('admin')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(SecretNotFound)
  deleteSecret(@Tenant() tenant: TenantContext, @Param('name') name: string): Promise<void> {
    return this.secrets.remove(tenant, name);
  }
}
