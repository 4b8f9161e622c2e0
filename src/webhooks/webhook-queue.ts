import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { Leases, WorkQueue } from '#libs/work';
import { DELIVERY_SHARD_KEY, WebhookDelivery } from './webhook-delivery.schema.js';

/** A lease outlasts the longest attempt by this time. */
const LEASE_MARGIN_MS = 20_000;

@Injectable()
export class WebhookQueue extends WorkQueue<WebhookDelivery> {
  /** Leases that outlast an attempt that begins now. */
  readonly leases: Leases;

  constructor(
    @InjectModel(WebhookDelivery.name) deliveries: TenantModel<WebhookDelivery>,
    clock: Clock,
    config: AppConfig,
  ) {
    super({
      collection: () => deliveries.collection as unknown as mongo.Collection<WebhookDelivery>,
      groupBy: '_endpointId',
      shardKey: DELIVERY_SHARD_KEY,
      clock,
      leaseMs: config.get('WEBHOOK_TIMEOUT_MS') + LEASE_MARGIN_MS,
    });
    this.leases = new Leases(this, LEASE_MARGIN_MS / 2);
  }
}
