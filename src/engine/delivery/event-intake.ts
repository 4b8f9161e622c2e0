import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { EVENTS_ACCEPTED } from '#libs/telemetry';
import { Batcher, WakeUps } from '#libs/work';
import type { ResolvedWorkflow } from '../../content/workflows/index.js';
import { ReadAhead } from './expansion/read-ahead.js';
import { DeliveryQueues } from './queues/delivery-queues.js';
import { AttachmentStore, type NewAttachment } from './records/attachments.js';
import { type NewEvent, START, type TriggerEventRecord, TriggerEventStore } from './records/trigger-event.js';
import { WorkflowSnapshots } from './records/workflow-version.js';
import { EventWork } from './worker/event-work.js';

const BATCH = 500;

/**
 * Stores events: one insert for all that come at the same time. If this process delivers as well and has room, they are
 * inserted under its lease and expanded at once, without a claim.
 */
@Injectable()
export class EventInserts {
  private readonly batcher = new Batcher<TriggerEventRecord, boolean>((events) => this.insertAll(events), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(
    private readonly events: TriggerEventStore,
    private readonly queues: DeliveryQueues,
    private readonly work: EventWork,
    private readonly readAhead: ReadAhead,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Resolves when the event is stored. @returns false when the environment has this transaction id already */
  insert(event: NewEvent): Promise<boolean> {
    const now = this.queues.now();
    return this.batcher.submit({
      ...event,
      status: 'expanding',
      lane: 'expand',
      checkpoint: START,
      expanded: 0,
      claims: 0,
      dueSince: now,
      createdAt: now,
      updatedAt: now,
    });
  }

  private async insertAll(events: TriggerEventRecord[]): Promise<boolean[]> {
    const isOurs = this.work.canExpand(events.length);
    const lease = isOurs ? this.queues.events.newLease() : undefined;
    for (const event of events) {
      event.wakeAt = isOurs ? this.queues.events.leaseEnd() : this.queues.now();
      if (lease !== undefined) event.lease = lease;
      else event.claims = -1;
    }
    const inserting = this.events.insert(events);
    if (isOurs) this.readAhead.begin(events);
    const doubled = await inserting;
    const accepted = events.filter((_event, place) => !doubled.has(place));
    EVENTS_ACCEPTED.add({}, accepted.length);
    if (isOurs) this.work.expand(accepted);
    else this.wakeUps.notify();
    return events.map((_event, place) => !doubled.has(place));
  }
}

export interface EventToAccept {
  readonly event: NewEvent;
  /** Stored apart from the event. */
  readonly files: readonly NewAttachment[];
  readonly workflow: ResolvedWorkflow;
}

/** The front door of the engine. What it has accepted is delivered, whatever becomes of this process. */
@Injectable()
export class EventIntake {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly attachments: AttachmentStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly inserts: EventInserts,
  ) {}

  /**
   * Stores an event with its files and the version of its workflow. A concurrent trigger with the same transaction id may have
   * been first; both get the same answer.
   */
  async accept(tenant: TenantContext, { event, files, workflow }: EventToAccept): Promise<void> {
    const attachments = files.length > 0 ? await this.attachments.save(tenant, files, new Date()) : undefined;
    await this.snapshots.keep(workflow);
    await this.inserts.insert(attachments === undefined ? event : { ...event, attachments });
  }

  find(tenant: TenantContext, transactionId: string): Promise<TriggerEventRecord | null> {
    return this.events.findByTransaction(tenant, transactionId);
  }
}
