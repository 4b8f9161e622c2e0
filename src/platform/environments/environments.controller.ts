import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiDataValue, ApiErrors, Audited, lookAt, NeedsScope, Tenant } from '#libs/http-kit';
import type { Caller, TenantContext } from '#libs/common';
import {
  ApiKeyExpired,
  ApiKeyNotFound,
  ApiKeyResponse,
  ApiKeysService,
  CallerKeysService,
  IssuedApiKeyResponse,
  KeyExceedsIssuer,
  LastApiKey,
  type RevealedKey,
} from '../../platform/auth/index.js';
import { EnvironmentResponse } from './environment.response.js';
import { IssueApiKeyDto, UpdateApiKeyDto, UpdateEnvironmentDto } from './environment.dto.js';
import { EnvironmentNotFound } from './environments.errors.js';
import { EnvironmentsService } from './environments.service.js';

@ApiTags('Environments')
@Controller({ path: 'environments', version: '1' })
@Audited('api-key', { look: lookAt(ApiKeysService, (keys, caller) => keys.list(caller.environmentId)) })
export class EnvironmentsController {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly apiKeys: ApiKeysService,
    private readonly callerKeys: CallerKeysService,
  ) {}

  /** Lists the environments of your organization. */
  @Get()
  @ApiDataArray(200, EnvironmentResponse)
  listEnvironments(@Tenant() tenant: TenantContext): Promise<EnvironmentResponse[]> {
    return this.environments.list(tenant);
  }

  /** Gets the environment of the API key. */
  @Get('me')
  @ApiData(200, EnvironmentResponse)
  getCurrentEnvironment(@Tenant() tenant: TenantContext): Promise<EnvironmentResponse> {
    return this.environments.get(tenant, tenant.environmentId);
  }

  /**
   * Changes whether your environment is read-only.
   * @remarks In a read-only environment, workflows, layouts, translations, feeds, notification groups, workflow overrides and
   * budgets change by promotion only. Triggers, subscribers, preferences and integrations are not concerned.
   */
  @Patch('me')
  @NeedsScope('admin')
  @Audited('environment', {
    look: lookAt(EnvironmentsService, (environments, caller) => environments.get(caller, caller.environmentId)),
  })
  @ApiData(200, EnvironmentResponse)
  @ApiErrors(EnvironmentNotFound)
  updateCurrentEnvironment(
    @Tenant() tenant: TenantContext,
    @Body() { isReadOnly }: UpdateEnvironmentDto,
  ): Promise<EnvironmentResponse> {
    return this.environments.setReadOnly(tenant, isReadOnly);
  }

  /**
   * Shows your API key in clear text.
   * @remarks Your key is the first entry; the other keys of your environment are masked. For clients that use the key
   * to compute the signature of a subscriber.
   */
  @Get('api-keys')
  @NeedsScope('admin')
  @ApiDataValue(200, {
    type: 'array',
    items: {
      type: 'object',
      required: ['key', '_userId'],
      properties: {
        key: { type: 'string', description: 'Empty if the stored key cannot be read' },
        _userId: { type: 'string' },
        keyError: { type: 'string', description: 'Why the stored key cannot be read' },
      },
    },
  })
  revealApiKeys(@Tenant() tenant: Caller): Promise<RevealedKey[]> {
    return this.callerKeys.readBack(tenant);
  }

  /** Lists the API keys of your environment with their scopes, but without their values. */
  @Get('api-keys/all')
  @NeedsScope('admin')
  @ApiDataArray(200, ApiKeyResponse)
  listApiKeys(@Tenant() tenant: TenantContext): Promise<ApiKeyResponse[]> {
    return this.apiKeys.list(tenant.environmentId, tenant.apiKeyId);
  }

  /**
   * Issues an API key.
   * @remarks The new key has at most the rights of your own key.
   */
  @Post('api-keys')
  @NeedsScope('admin')
  @ApiData(201, IssuedApiKeyResponse)
  @ApiErrors(KeyExceedsIssuer)
  issueApiKey(@Tenant() tenant: Caller, @Body() dto: IssueApiKeyDto): Promise<IssuedApiKeyResponse> {
    return this.callerKeys.issue(tenant, dto);
  }

  /**
   * Changes the limits of the key of an agent.
   * @remarks They hold at once; what it has sent in the current period counts. Those of its calls per minute hold within two seconds.
   */
  @Patch('api-keys/:apiKeyId')
  @NeedsScope('admin')
  @ApiData(200, ApiKeyResponse)
  @ApiErrors(KeyExceedsIssuer, ApiKeyNotFound)
  updateApiKey(
    @Tenant() tenant: Caller,
    @Param('apiKeyId') id: string,
    @Body() { limits }: UpdateApiKeyDto,
  ): Promise<ApiKeyResponse> {
    return this.callerKeys.changeLimits(tenant, id, limits);
  }

  /**
   * Replaces an API key with a new one that has the same rights.
   * @remarks The old key stops working immediately.
   */
  @Post('api-keys/:apiKeyId/rotate')
  @NeedsScope('admin')
  @ApiData(201, IssuedApiKeyResponse)
  @ApiErrors(KeyExceedsIssuer, ApiKeyNotFound, ApiKeyExpired)
  rotateApiKey(@Tenant() tenant: Caller, @Param('apiKeyId') id: string): Promise<IssuedApiKeyResponse> {
    return this.callerKeys.rotate(tenant, id);
  }

  /**
   * Revokes an API key.
   * @remarks The last active key with the scope `admin` cannot be revoked.
   */
  @Delete('api-keys/:apiKeyId')
  @NeedsScope('admin')
  @HttpCode(204)
  @ApiErrors(ApiKeyNotFound, LastApiKey)
  revokeApiKey(@Tenant() tenant: TenantContext, @Param('apiKeyId') id: string): Promise<void> {
    return this.apiKeys.revoke(tenant.environmentId, id, tenant.apiKeyId);
  }
}
