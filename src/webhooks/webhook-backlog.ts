import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Page } from '#libs/http-kit';
import { readPage, type TenantFilter, type TenantModel } from '#libs/persistence';
import type { ListWebhookDeliveriesQuery } from './dto/list-webhook-deliveries.query.dto.js';
import { showWebhookDelivery, type WebhookDeliveryResponse } from './dto/webhook-delivery.response.js';
import { WebhookDelivery } from './webhook-delivery.schema.js';
import { WebhookDeliveryNotFound, WebhookDeliveryPending } from './webhooks.errors.js';

const DAY_MS = 86_400_000;

/** The deliveries of webhooks as callers see and change them. */
@Injectable()
export class WebhookBacklog {
  private readonly retentionDays: number;

  constructor(
    @InjectModel(WebhookDelivery.name) private readonly deliveries: TenantModel<WebhookDelivery>,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** One page of a webhook's deliveries, newest first. */
  async list(
    tenant: TenantContext,
    webhookId: string,
    { page, limit, status }: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    const filter = { ...ofWebhook(tenant, webhookId), ...(status !== undefined && { status }) };
    const found = this.deliveries.find(filter).sort({ createdAt: -1, _id: -1 }).lean();
    const { rows, hasMore } = await readPage<WebhookDelivery>(found, { page, limit });
    return new Page(
      rows.map((row) => showWebhookDelivery(row)),
      page,
      limit,
      hasMore,
    );
  }

  /** Sends a delivery again that is over, as if for the first time. @throws {WebhookDeliveryNotFound} @throws {WebhookDeliveryPending} */
  async replay(tenant: TenantContext, webhookId: string, id: string): Promise<WebhookDeliveryResponse> {
    const one = { ...ofWebhook(tenant, webhookId), _id: id };
    const row = await this.deliveries
      .findOneAndUpdate(
        { ...one, status: { $ne: 'pending' } },
        {
          $set: { status: 'pending', attempt: 0, wakeAt: this.clock.now() },
          $unset: { expireAt: 1, deliveredAt: 1, lastError: 1, lastStatusCode: 1, takenUp: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    if (row !== null) return showWebhookDelivery(row);
    throw (await this.deliveries.exists(one)) ? new WebhookDeliveryPending(id) : new WebhookDeliveryNotFound(id);
  }

  /** Ends everything that waits for a webhook; it can be replayed. */
  async giveUp(tenant: TenantContext, webhookId: string, lastError: string): Promise<void> {
    const expireAt = new Date(this.clock.now().getTime() + this.retentionDays * DAY_MS);
    await this.deliveries.updateMany(
      { ...ofWebhook(tenant, webhookId), status: 'pending' },
      {
        $set: { status: 'failed', lastError, ...(this.retentionDays > 0 && { expireAt }) },
        $unset: { wakeAt: 1, lease: 1 },
      },
    );
  }
}

function ofWebhook(tenant: TenantContext, webhookId: string): TenantFilter<WebhookDelivery> {
  return { _environmentId: tenant.environmentId, _endpointId: webhookId };
}
