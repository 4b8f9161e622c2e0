import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, IdParam, type Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { ListWebhookDeliveriesQuery } from './dto/list-webhook-deliveries.query.dto.js';
import { WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@ApiTags('Webhooks')
@Controller({ path: 'webhooks/:webhookId/deliveries', version: '1' })
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  /**
   * Lists the deliveries of a webhook, newest first.
   * @remarks Failed deliveries can be sent again.
   */
  @Get()
  @ApiPage(WebhookDeliveryResponse)
  @ApiErrors(400, 404)
  listWebhookDeliveries(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
    @Query() query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    return this.deliveries.list(tenant, webhookId, query);
  }

  /**
   * Sends a delivery of a webhook again.
   * @remarks For deliveries that were given up or delivered. The id stays the same.
   */
  @Post(':deliveryId/replay')
  @HttpCode(202)
  @ApiData(202, WebhookDeliveryResponse)
  @ApiErrors(400, 404, 409)
  replayWebhookDelivery(
    @Tenant() tenant: TenantContext,
    @IdParam('webhookId') webhookId: string,
    @IdParam('deliveryId') deliveryId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.deliveries.replay(tenant, webhookId, deliveryId);
  }
}
