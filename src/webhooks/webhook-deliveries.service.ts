import { Injectable } from '@nestjs/common';
import type { Page } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import type { ListWebhookDeliveriesQuery } from './dto/list-webhook-deliveries.query.dto.js';
import type { WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import { WebhookBacklog } from './webhook-backlog.js';
import { WebhookInactive } from './webhooks.errors.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookWorker } from './work/webhook-worker.js';

/** What became of the events of a webhook. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly backlog: WebhookBacklog,
    private readonly worker: WebhookWorker,
  ) {}

  /** @throws {WebhookNotFound} */
  async list(
    tenant: TenantContext,
    webhookId: string,
    query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    await this.webhooks.get(tenant, webhookId);
    return this.backlog.list(tenant, webhookId, query);
  }

  /**
   * Sends a delivery again that was given up or delivered.
   * @throws {WebhookNotFound} @throws {WebhookInactive} @throws {WebhookDeliveryNotFound} @throws {WebhookDeliveryPending}
   */
  async replay(tenant: TenantContext, webhookId: string, deliveryId: string): Promise<WebhookDeliveryResponse> {
    const { active } = await this.webhooks.get(tenant, webhookId);
    if (!active) throw new WebhookInactive(webhookId);
    const delivery = await this.backlog.replay(tenant, webhookId, deliveryId);
    this.worker.wake();
    return delivery;
  }
}
