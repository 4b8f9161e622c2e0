import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  HidesUrlSecrets,
  IdParam,
  lookAt,
  NeedsScope,
  type Page,
  PageQuery,
  Tenant,
} from '#libs/http-kit';
import { SecretUnreadableError } from '#libs/secrets';
import type { Caller, TenantContext } from '#libs/common';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import {
  EventCompletedResponse,
  PreferenceChangedEventResponse,
  QuestionAnsweredEventResponse,
  AuditRecordedEventResponse,
  IntegrationHealthEventResponse,
  SuppressionEventResponse,
  WebhookEventResponse,
} from './webhook-event.response.js';
import { CreateWebhookDto, ListWebhookDeliveriesQuery, UpdateWebhookDto } from './webhooks.dto.js';
import {
  CreatedWebhookResponse,
  WebhookDeliveryResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from './webhooks.response.js';
import { WebhooksService } from './webhooks.service.js';
import {
  TooManyWebhooks,
  WebhookDeliveryNotFound,
  WebhookDeliveryPending,
  WebhookInactive,
  WebhookNotFound,
} from './webhooks.errors.js';

@ApiTags('Webhooks')
@ApiExtraModels(
  WebhookEventResponse,
  EventCompletedResponse,
  PreferenceChangedEventResponse,
  QuestionAnsweredEventResponse,
  IntegrationHealthEventResponse,
  SuppressionEventResponse,
  AuditRecordedEventResponse,
)
@Controller({ path: 'webhooks', version: '1' })
@Audited('webhook', { look: lookAt(WebhooksService, (webhooks, caller, id) => webhooks.getConcealed(caller, id)) })
@HidesUrlSecrets('url')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  /**
   * Creates a webhook; returns its signing secret.
   * @remarks A webhook is one of your URLs that Herald calls when the state of a message changes. The calls are signed;
   * docs/webhooks.md shows how to verify them. A webhook that gets `audit.recorded` needs the scope `admin`, also to change or
   * delete it.
   */
  @Post()
  @ApiData(201, CreatedWebhookResponse)
  @ApiErrors(TooManyWebhooks)
  createWebhook(@Tenant() tenant: Caller, @Body() dto: CreateWebhookDto): Promise<CreatedWebhookResponse> {
    return this.webhooks.create(tenant, dto);
  }

  /** Lists webhooks, newest first. */
  @Get()
  @ApiPage(WebhookResponse)
  listWebhooks(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<WebhookResponse>> {
    return this.webhooks.list(tenant, query);
  }

  /** Gets a webhook. */
  @Get(':webhookId')
  @ApiData(200, WebhookResponse)
  @ApiErrors(WebhookNotFound)
  getWebhook(@Tenant() tenant: TenantContext, @IdParam('webhookId') webhookId: string): Promise<WebhookResponse> {
    return this.webhooks.get(tenant, webhookId);
  }

  /**
   * Updates a webhook.
   * @remarks Absent fields are unchanged. When a webhook becomes inactive, its pending deliveries fail.
   */
  @Patch(':webhookId')
  @ApiData(200, WebhookResponse)
  @ApiErrors(WebhookNotFound)
  updateWebhook(
    @Tenant() tenant: Caller,
    @IdParam('webhookId') webhookId: string,
    @Body() dto: UpdateWebhookDto,
  ): Promise<WebhookResponse> {
    return this.webhooks.update(tenant, webhookId, dto);
  }

  /**
   * Deletes a webhook.
   * @remarks Its pending deliveries fail.
   */
  @Delete(':webhookId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(WebhookNotFound)
  deleteWebhook(@Tenant() tenant: Caller, @IdParam('webhookId') webhookId: string): Promise<void> {
    return this.webhooks.remove(tenant, webhookId);
  }

  /** Reads the signing secret of a webhook, unless MASK_CREDENTIALS hides it. */
  @Get(':webhookId/secret')
  @NeedsScope('admin')
  @ApiData(200, WebhookSecretResponse)
  @ApiErrors(WebhookNotFound, SecretUnreadableError)
  getWebhookSecret(@Tenant() tenant: Caller, @IdParam('webhookId') webhookId: string): Promise<WebhookSecretResponse> {
    return this.webhooks.revealSecret(tenant, webhookId);
  }

  /**
   * Replaces the signing secret of a webhook.
   * @remarks For 24 hours, events are signed with both the old and the new secret. A second rotation within that time
   * ends the oldest secret immediately.
   */
  @Post(':webhookId/secret/rotate')
  @NeedsScope('admin')
  @ApiData(201, WebhookSecretResponse)
  @ApiErrors(WebhookNotFound, SecretUnreadableError)
  rotateWebhookSecret(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
  ): Promise<WebhookSecretResponse> {
    return this.webhooks.rotateSecret(tenant, webhookId);
  }

  /**
   * Sends a test event to a webhook.
   * @remarks Its type is `webhook.test`. It is signed, tried again and listed like any other delivery, and its `data` is empty. For active webhooks.
   */
  @Post(':webhookId/test')
  @Audited('webhook')
  @HttpCode(202)
  @ApiData(202, WebhookDeliveryResponse)
  @ApiErrors(WebhookNotFound, WebhookInactive)
  testWebhook(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.test(tenant, webhookId);
  }

  /**
   * Lists the deliveries of a webhook, newest first.
   * @remarks Failed deliveries can be sent again. `data` of `audit.recorded` is empty without the scope `admin`.
   */
  @Get(':webhookId/deliveries')
  @ApiPage(WebhookDeliveryResponse)
  @ApiErrors(WebhookNotFound)
  listWebhookDeliveries(
    @Tenant() tenant: Caller,
    @IdParam('webhookId') webhookId: string,
    @Query() query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    return this.deliveries.list(tenant, webhookId, query);
  }

  /**
   * Sends a delivery of a webhook again.
   * @remarks For delivered and failed deliveries. The id stays the same.
   */
  @Post(':webhookId/deliveries/:deliveryId/replay')
  @Audited('webhook')
  @HttpCode(202)
  @ApiData(202, WebhookDeliveryResponse)
  @ApiErrors(WebhookDeliveryNotFound, WebhookNotFound, WebhookDeliveryPending, WebhookInactive)
  replayWebhookDelivery(
    @Tenant() tenant: Caller,
    @IdParam('webhookId') webhookId: string,
    @IdParam('deliveryId') deliveryId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.replay(tenant, webhookId, deliveryId);
  }
}
