import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { type NotificationRecord } from '../records/notification.record.js';
import { NotificationStore } from '../records/notification-store.js';
import { type TriggerEventRecord } from '../records/trigger-event.record.js';
import { TriggerEventStore } from '../records/trigger-event-store.js';
import { WorkQueue } from './work-queue.js';

/** The two kinds of work: events that have to be expanded, and notifications that have to go on. */
@Injectable()
export class WorkQueues {
  readonly events: WorkQueue<TriggerEventRecord>;
  readonly notifications: WorkQueue<NotificationRecord>;

  /** How often a record is taken up without an outcome before it is set aside. */
  readonly maxClaims: number;

  constructor(
    private readonly clock: Clock,
    eventStore: TriggerEventStore,
    notificationStore: NotificationStore,
    config: AppConfig,
  ) {
    const leaseMs = config.get('DELIVERY_LEASE_MS');
    this.maxClaims = config.get('DELIVERY_MAX_CLAIMS');
    this.events = new WorkQueue(() => eventStore.collection, clock, leaseMs, { $inc: { claims: 1 } });
    this.notifications = new WorkQueue(() => notificationStore.collection, clock, leaseMs);
  }

  now(): Date {
    return this.clock.now();
  }
}
