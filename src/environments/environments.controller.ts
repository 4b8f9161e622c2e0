import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiDataValue, ApiErrors, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { ApiKeyResponse, ApiKeysService, IssuedApiKeyResponse } from '../auth/index.js';
import { EnvironmentResponse } from './dto/environment.response.js';
import { IssueApiKeyDto } from './dto/issue-api-key.dto.js';
import { EnvironmentsService } from './environments.service.js';

@ApiTags('Environments')
@Controller({ path: 'environments', version: '1' })
export class EnvironmentsController {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** Lists the environments of your organization. */
  @Get()
  @ApiDataArray(200, EnvironmentResponse)
  listEnvironments(@Tenant() tenant: TenantContext): Promise<EnvironmentResponse[]> {
    return this.environments.list(tenant);
  }

  /** Shows the environment that your API key belongs to. */
  @Get('me')
  @ApiData(200, EnvironmentResponse)
  getCurrentEnvironment(@Tenant() tenant: TenantContext): Promise<EnvironmentResponse> {
    return this.environments.get(tenant, tenant.environmentId);
  }

  /** Reads the live keys of your environment back, in clear text. */
  @Get('api-keys')
  @ApiDataValue(200, {
    type: 'array',
    items: { type: 'object', properties: { key: { type: 'string' }, _userId: { type: 'string' } } },
  })
  revealApiKeys(@Tenant() tenant: TenantContext): Promise<{ key: string; _userId: string }[]> {
    return this.apiKeys.reveal(tenant.environmentId);
  }

  /** Lists the live keys of your environment with name, creation, last use and expiry, without the keys themselves. */
  @Get('api-keys/all')
  @ApiDataArray(200, ApiKeyResponse)
  listApiKeys(@Tenant() tenant: TenantContext): Promise<ApiKeyResponse[]> {
    return this.apiKeys.list(tenant.environmentId);
  }

  /** Issues a further key of your environment. */
  @Post('api-keys')
  @ApiData(201, IssuedApiKeyResponse)
  @ApiErrors(400)
  issueApiKey(@Tenant() tenant: TenantContext, @Body() dto: IssueApiKeyDto): Promise<IssuedApiKeyResponse> {
    return this.apiKeys.issue(tenant, dto);
  }

  /** Issues a new key in the place of the one with this id, which stops working at once. */
  @Post('api-keys/:apiKeyId/rotate')
  @ApiData(201, IssuedApiKeyResponse)
  @ApiErrors(404)
  rotateApiKey(@Tenant() tenant: TenantContext, @Param('apiKeyId') id: string): Promise<IssuedApiKeyResponse> {
    return this.apiKeys.rotate(tenant, id);
  }

  /** Revokes a key of your environment. The last one stays. */
  @Delete('api-keys/:apiKeyId')
  @HttpCode(204)
  @ApiErrors(404, 409)
  revokeApiKey(@Tenant() tenant: TenantContext, @Param('apiKeyId') id: string): Promise<void> {
    return this.apiKeys.revoke(tenant.environmentId, id, tenant.apiKeyId);
  }
}
