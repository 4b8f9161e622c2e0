import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, Audited, NeedsScope, Tenant } from '#libs/http-kit';
import { SecretUnreadableError } from '#libs/secrets';
import type { Caller, TenantContext } from '#libs/common';
import { ConditionSecretsService } from './condition-secrets.service.js';
import { ConditionSecretResponse } from './condition-secret.response.js';

@ApiTags('Condition webhooks')
@ApiErrors(SecretUnreadableError)
@Controller({ path: 'condition-webhooks', version: '1' })
@Audited('condition-webhook-secret')
export class ConditionSecretsController {
  constructor(private readonly secrets: ConditionSecretsService) {}

  /** Reads the signing secret of condition webhooks. */
  @Get('secret')
  @NeedsScope('admin')
  @ApiData(200, ConditionSecretResponse)
  getConditionWebhookSecret(@Tenant() tenant: Caller): Promise<ConditionSecretResponse> {
    return this.secrets.reveal(tenant);
  }

  /**
   * Replaces the signing secret of condition webhooks.
   * @remarks For 24 hours, requests are signed with both the old and the new secret. A second rotation within that time
   * ends the oldest secret immediately.
   */
  @Post('secret/rotate')
  @NeedsScope('admin')
  @ApiData(201, ConditionSecretResponse)
  rotateConditionWebhookSecret(@Tenant() tenant: TenantContext): Promise<ConditionSecretResponse> {
    return this.secrets.rotate(tenant);
  }
}
