import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Suspects, WorkQueue } from '#libs/work';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';

/** Records that were taken up this often without an outcome are retried apart from others. */
export const SUSPECT_CLAIMS = 2;
/** How long a suspect that does not end may block the others, in leases. */
const BLOCKED_LEASES = 6;

/** The two kinds of work: events to be expanded, and notifications whose next step is due. */
@Injectable()
export class DeliveryQueues {
  readonly events: WorkQueue<TriggerEventRecord>;
  readonly notifications: WorkQueue<NotificationRecord>;
  /** Shared by both queues: any of their records may have killed the process in which both were in flight. */
  readonly suspects: Suspects;

  constructor(
    private readonly clock: Clock,
    eventStore: TriggerEventStore,
    notificationStore: NotificationStore,
    config: AppConfig,
  ) {
    const leaseMs = config.get('DELIVERY_LEASE_MS');
    const maxClaims = config.get('DELIVERY_MAX_CLAIMS');
    const shared = { groupBy: '_environmentId', clock, leaseMs, suspectClaims: SUSPECT_CLAIMS } as const;
    this.events = new WorkQueue({ ...shared, collection: () => eventStore.collection, countClaimsIn: 'claims' });
    this.notifications = new WorkQueue({ ...shared, collection: () => notificationStore.collection });
    this.suspects = new Suspects(
      { suspectClaims: SUSPECT_CLAIMS, maxClaims, maxBlockMs: BLOCKED_LEASES * leaseMs },
      clock,
    );
  }

  now(): Date {
    return this.clock.now();
  }
}
