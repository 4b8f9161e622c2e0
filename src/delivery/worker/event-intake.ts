import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { Batcher, WakeUps } from '#libs/work';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { DeliveryWorker } from './delivery-worker.js';

const BATCH = 500;

/** A checked event that is ready to be accepted. */
export type NewEvent = Omit<
  TriggerEventRecord,
  'status' | 'lane' | 'checkpoint' | 'expanded' | 'claims' | 'createdAt' | 'updatedAt' | 'wakeAt' | 'lease'
>;

/**
 * Accepts events: one insert for all that come at the same time. If this process delivers as well and has room, they are
 * inserted under its lease and expanded at once, without a claim.
 */
@Injectable()
export class EventIntake {
  private readonly batcher = new Batcher<TriggerEventRecord, boolean>((events) => this.insert(events), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(
    private readonly events: TriggerEventStore,
    private readonly queues: DeliveryQueues,
    private readonly worker: DeliveryWorker,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Resolves when the event is stored. @returns false when the environment has this transaction id already */
  accept(event: NewEvent): Promise<boolean> {
    const now = this.queues.now();
    return this.batcher.submit({
      ...event,
      status: 'expanding',
      lane: 'expand',
      checkpoint: { source: 0 },
      expanded: 0,
      claims: 0,
      createdAt: now,
      updatedAt: now,
    });
  }

  /** The event that has this transaction id, if there is one. */
  find(tenant: TenantContext, transactionId: string): Promise<TriggerEventRecord | null> {
    return this.events.findByTransaction(tenant, transactionId);
  }

  private async insert(events: TriggerEventRecord[]): Promise<boolean[]> {
    const isOurs = this.worker.hasRoomFor(events.length);
    const lease = isOurs ? this.queues.events.newLease() : undefined;
    for (const event of events) {
      event.wakeAt = isOurs ? this.queues.events.leaseEnd() : this.queues.now();
      if (lease !== undefined) event.lease = lease;
      else event.claims = -1;
    }
    const doubled = await this.events.insert(events);
    const accepted = events.filter((_event, place) => !doubled.has(place));
    if (isOurs) this.worker.expand(accepted);
    else this.wakeUps.notify();
    return events.map((_event, place) => !doubled.has(place));
  }
}
