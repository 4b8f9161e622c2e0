import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { Leases, type Suspects, WorkQueue } from '#libs/work';
import { DeliveryQueues } from '../../engine/delivery/index.js';
import { DELIVERY_SHARD_KEY, WebhookDelivery } from './webhook-delivery.schema.js';

/** Workers lost over a delivery before it fails. */
const MAX_LOSSES = 10;

@Injectable()
export class WebhookQueue extends WorkQueue<WebhookDelivery> {
  readonly leases: Leases;
  readonly suspectsOfProcess: Suspects;

  constructor(
    @InjectModel(WebhookDelivery.name) deliveries: TenantModel<WebhookDelivery>,
    clock: Clock,
    config: AppConfig,
    delivery: DeliveryQueues,
  ) {
    super({
      collection: () => deliveries.collection as unknown as mongo.Collection<WebhookDelivery>,
      groupBy: '_endpointId',
      shardKey: DELIVERY_SHARD_KEY,
      clock,
      // Extended while an attempt takes longer, so work of a lost worker is late by one lease.
      leaseMs: config.get('DELIVERY_LEASE_MS'),
      maxLosses: MAX_LOSSES,
    });
    this.leases = new Leases(this);
    this.suspectsOfProcess = delivery.suspects;
  }
}
