import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { WorkQueue } from '#libs/work';
import { NotificationReplay } from './notification-replay.schema.js';

/** Longer than a portion takes; longer ones are extended. */
const LEASE_MS = 30_000;

@Injectable()
export class ReplayQueue extends WorkQueue<NotificationReplay> {
  constructor(@InjectModel(NotificationReplay.name) replays: TenantModel<NotificationReplay>, clock: Clock) {
    super({
      collection: () => replays.collection as unknown as mongo.Collection<NotificationReplay>,
      groupBy: '_environmentId',
      clock,
      leaseMs: LEASE_MS,
    });
  }
}
