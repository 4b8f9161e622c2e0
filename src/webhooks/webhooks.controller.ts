import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, IdParam, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { CreateWebhookDto } from './dto/create-webhook.dto.js';
import { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { CreatedWebhookResponse, WebhookResponse, WebhookSecretResponse } from './dto/webhook.response.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller({ path: 'webhooks', version: '1' })
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  /** Registers an address that is told of what happens to messages; answers with its signing secret. */
  @Post()
  @ApiData(201, CreatedWebhookResponse)
  @ApiErrors(400, 409)
  createWebhook(@Tenant() tenant: TenantContext, @Body() dto: CreateWebhookDto): Promise<CreatedWebhookResponse> {
    return this.webhooks.create(tenant, dto);
  }

  /** Lists webhooks, newest first. */
  @Get()
  @ApiPage(WebhookResponse)
  @ApiErrors(400)
  listWebhooks(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<WebhookResponse>> {
    return this.webhooks.list(tenant, query);
  }

  /** Gets a webhook. */
  @Get(':webhookId')
  @ApiData(200, WebhookResponse)
  @ApiErrors(400, 404)
  getWebhook(@Tenant() tenant: TenantContext, @IdParam('webhookId') webhookId: string): Promise<WebhookResponse> {
    return this.webhooks.get(tenant, webhookId);
  }

  /** Updates a webhook; what is absent stays. One that becomes inactive gives up what waits for it. */
  @Patch(':webhookId')
  @ApiData(200, WebhookResponse)
  @ApiErrors(400, 404)
  updateWebhook(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
    @Body() dto: UpdateWebhookDto,
  ): Promise<WebhookResponse> {
    return this.webhooks.update(tenant, webhookId, dto);
  }

  /** Deletes a webhook and gives up what waits for it. */
  @Delete(':webhookId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(400, 404)
  deleteWebhook(@Tenant() tenant: TenantContext, @IdParam('webhookId') webhookId: string): Promise<void> {
    return this.webhooks.remove(tenant, webhookId);
  }

  /** Reads the signing secret of a webhook. */
  @Get(':webhookId/secret')
  @ApiData(200, WebhookSecretResponse)
  @ApiErrors(400, 404)
  getWebhookSecret(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
  ): Promise<WebhookSecretResponse> {
    return this.webhooks.revealSecret(tenant, webhookId);
  }

  /** Replaces the signing secret; for a day events are signed with both. Twice in a row ends the first one at once. */
  @Post(':webhookId/secret/rotate')
  @ApiData(201, WebhookSecretResponse)
  @ApiErrors(400, 404)
  rotateWebhookSecret(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
  ): Promise<WebhookSecretResponse> {
    return this.webhooks.rotateSecret(tenant, webhookId);
  }
}
