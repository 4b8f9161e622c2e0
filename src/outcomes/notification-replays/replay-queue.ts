import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { type Suspects, WorkQueue } from '#libs/work';
import { DeliveryQueues } from '../../engine/delivery/index.js';
import { NotificationReplay } from './notification-replay.schema.js';

/** Workers lost over one batch before the replay fails. */
const MAX_LOSSES = 10;

@Injectable()
export class ReplayQueue extends WorkQueue<NotificationReplay> {
  readonly suspectsOfProcess: Suspects;

  constructor(
    @InjectModel(NotificationReplay.name) replays: TenantModel<NotificationReplay>,
    clock: Clock,
    config: AppConfig,
    delivery: DeliveryQueues,
  ) {
    super({
      collection: () => replays.collection as unknown as mongo.Collection<NotificationReplay>,
      groupBy: '_environmentId',
      clock,
      // Extended while a batch takes longer.
      leaseMs: config.get('DELIVERY_LEASE_MS'),
      maxLosses: MAX_LOSSES,
    });
    this.suspectsOfProcess = delivery.suspects;
  }
}
