import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { type Caller, Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Page } from '#libs/http-kit';
import { NEWEST_FIRST, type TenantFilter, type TenantModel, toObjectId } from '#libs/persistence';
import { assertMayHear, mayHear } from './audit-listening.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { WebhookDelivery } from './webhook-delivery.schema.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookWorker } from './webhook-worker.js';
import type { ListWebhookDeliveriesQuery } from './webhooks.dto.js';
import {
  WebhookDeliveryNotFound,
  WebhookDeliveryPending,
  WebhookInactive,
  WebhookNotFound,
} from './webhooks.errors.js';
import { showWebhookDelivery, type WebhookDeliveryResponse } from './webhooks.response.js';

const DAY_MS = 86_400_000;

@Injectable()
export class WebhookDeliveriesService {
  private readonly retentionDays: number;

  constructor(
    @InjectModel(WebhookDelivery.name) private readonly deliveries: TenantModel<WebhookDelivery>,
    private readonly directory: EndpointDirectory,
    private readonly recorder: WebhookRecorder,
    private readonly worker: WebhookWorker,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** A delivery in flight ends without a record. */
  async removeOf(environmentId: string, messageIds: readonly Types.ObjectId[]): Promise<void> {
    await this.deliveries.collection.deleteMany({
      _environmentId: toObjectId(environmentId),
      _messageId: { $in: [...messageIds] },
    });
  }

  /** Newest first. Entries of the audit log are shown to those who may read it. */
  async list(
    tenant: Caller,
    webhookId: string,
    { page, limit, status }: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    await this.directory.get(tenant, webhookId);
    const where = { _endpointId: toObjectId(webhookId), ...(status !== undefined && { status }) };
    const { rows, hasMore } = await this.deliveries.page(tenant, where, { page, limit, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showWebhookDelivery(mayHear(tenant, row.type) ? row : { ...row, data: {} })),
      page,
      limit,
      hasMore,
    );
  }

  /** Sends an event without content, as others are sent. */
  async test(tenant: TenantContext, webhookId: string): Promise<WebhookDeliveryResponse> {
    const { active } = await this.directory.get(tenant, webhookId);
    if (!active) throw new WebhookInactive(webhookId);
    const id = await this.recorder.recordTest(tenant, webhookId);
    const row = await this.deliveries.one(tenant, { _id: id });
    if (row === undefined) throw new WebhookNotFound(webhookId);
    return showWebhookDelivery(row);
  }

  /** Restarts a delivery that failed or was delivered. @throws {ScopeMissing} */
  async replay(tenant: Caller, webhookId: string, id: string): Promise<WebhookDeliveryResponse> {
    const { active, events } = await this.directory.get(tenant, webhookId);
    assertMayHear(tenant, events);
    const found = await this.deliveries.one(tenant, { _id: toObjectId(id) }, { fields: ['type'] });
    if (found !== undefined) assertMayHear(tenant, [found.type]);
    if (!active) throw new WebhookInactive(webhookId);
    const one = { ...ofWebhook(tenant, webhookId), _id: id };
    const now = this.clock.now();
    const row = await this.deliveries
      .findOneAndUpdate(
        { ...one, status: { $ne: 'pending' } },
        {
          $set: { status: 'pending', attempt: 0, wakeAt: now, dueSince: now },
          $unset: {
            ...{ expireAt: 1, deliveredAt: 1, lastError: 1, lastStatusCode: 1 },
            ...{ takenUp: 1, suspectGroup: 1, setAsideAt: 1 },
          },
        },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    if (row !== null) {
      this.worker.wake();
      return showWebhookDelivery(row);
    }
    throw (await this.deliveries.exists(one)) ? new WebhookDeliveryPending(id) : new WebhookDeliveryNotFound(id);
  }

  async giveUp(tenant: TenantContext, webhookId: string, lastError: string): Promise<void> {
    const expireAt = new Date(this.clock.now().getTime() + this.retentionDays * DAY_MS);
    await this.deliveries.updateMany(
      { ...ofWebhook(tenant, webhookId), status: 'pending' },
      {
        $set: { status: 'failed', lastError, ...(this.retentionDays > 0 && { expireAt }) },
        $unset: { wakeAt: 1, dueSince: 1, lease: 1, takenUp: 1, suspectGroup: 1 },
      },
    );
  }
}

function ofWebhook(tenant: TenantContext, webhookId: string): TenantFilter<WebhookDelivery> {
  return { _environmentId: tenant.environmentId, _endpointId: webhookId };
}
