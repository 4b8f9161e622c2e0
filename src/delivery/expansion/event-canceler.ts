import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { DETAIL, type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { type NotificationKey, type NotificationRecord, NotificationStore } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { RunCanceler } from '../run/cancellation.js';
import { ownerOf } from '../run/run.js';
import { RunLoader } from '../run/run-loader.js';
import { cancelMerged, carryForOthers, MERGED_STEPS, REQUEST_CANCELLATION } from '../run/store-transitions.js';

const BATCH = 500;

/** Runs that a cancellation ends. Runs that continue for others are canceled already. */
const endable = { status: 'active', digestForOthers: { $exists: false } } as const;

/** The notifications of an event, or one of them. */
type OwnRuns = { readonly _environmentId: Types.ObjectId } & (
  { readonly transactionId: string } | { readonly _id: Types.ObjectId } | { readonly _subscriberId: Types.ObjectId }
);

@Injectable()
export class EventCanceler {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly notifications: NotificationStore,
    private readonly loader: RunLoader,
    private readonly canceler: RunCanceler,
    private readonly queues: DeliveryQueues,
    private readonly details: ExecutionDetailsService,
  ) {}

  /** Cancels an event: recipients that were not reached yet never will be. @returns whether anything was left to cancel */
  async cancel(tenant: TenantContext, transactionId: string): Promise<boolean> {
    const lookAgain = this.queues.events.leaseEnd();
    const event = await this.events.cancel(tenant, transactionId, this.queues.now(), lookAgain);
    if (event === null) return false;
    this.loader.forget(event);
    const canceled = await this.cancelRuns(event);
    return canceled > 0 || event.status === 'expanding';
  }

  /** Cancels what the notifications of an event have not done yet. @returns how many had anything left */
  cancelRuns({ _environmentId, transactionId }: TriggerEventRecord): Promise<number> {
    return this.cancelWhere({ _environmentId, transactionId });
  }

  /** Cancels what one notification has not done yet. @returns 1 if anything was left, else 0 */
  cancelRun({ _environmentId, _id }: Pick<NotificationRecord, '_environmentId' | '_id'>): Promise<number> {
    return this.cancelWhere({ _environmentId, _id });
  }

  /** Cancels what the notifications of a deleted subscriber have not done yet. */
  cancelPerson(own: Pick<NotificationRecord, '_environmentId' | '_subscriberId'>): Promise<number> {
    return this.cancelWhere(own);
  }

  private async cancelWhere(own: OwnRuns): Promise<number> {
    const left = await this.leaveDigests(own);
    // A worker that holds a run, or claims it at this moment, ends it: it sees the mark when it writes.
    const marked = await this.notifications.collection.updateMany(
      { ...own, ...endable, cancelRequested: { $exists: false } },
      REQUEST_CANCELLATION,
    );
    for (;;) {
      const idle = await this.idle(own);
      if (idle.length === 0) return left + marked.modifiedCount;
      const taken = await this.queues.notifications.take(idle, { cancelRequested: true });
      const { runs } = await this.loader.load(taken);
      await this.canceler.cancel(runs);
    }
  }

  private async idle(own: OwnRuns): Promise<NotificationKey[]> {
    return this.notifications.collection
      .find({ ...own, ...endable, lease: { $exists: false } })
      .project<NotificationKey>({ _environmentId: 1, _subscriberId: 1 })
      .limit(BATCH)
      .toArray();
  }

  private async leaveDigests(own: OwnRuns): Promise<number> {
    const now = this.queues.now();
    const { collection } = this.notifications;
    const joined = { ...own, status: 'merged', digestInto: { $exists: true } } as const;
    const uncounted = { ...joined, digestCollected: { $exists: false }, digestHeirOf: { $exists: false } };
    // The events that a run has brought along from an earlier digest stay.
    const carriers = await collection.updateMany(
      { ...uncounted, digestSize: { $gt: 0 }, digestForOthers: { $exists: false } },
      carryForOthers(now),
    );
    const { modifiedCount } = await collection.updateMany(
      { ...uncounted, digestForOthers: { $exists: false } },
      cancelMerged(now),
      MERGED_STEPS,
    );
    if (modifiedCount > 0) await this.describe({ ...own, status: 'canceled', updatedAt: now });
    // A run that is about to lead a digest ends as soon as it does.
    const successors = await collection.updateMany(
      { ...joined, digestHeirOf: { $exists: true } },
      REQUEST_CANCELLATION,
    );
    return carriers.modifiedCount + modifiedCount + successors.modifiedCount;
  }

  private async describe(which: mongo.Filter<NotificationRecord>): Promise<void> {
    const batch: DetailBatch[] = [];
    for await (const record of this.notifications.collection.find(which)) {
      batch.push(cancellationOf(record));
      if (batch.length === BATCH) await this.details.append(batch.splice(0));
    }
    await this.details.append(batch);
  }
}

function cancellationOf(record: NotificationRecord): DetailBatch {
  const canceled = record.steps.filter(({ status }) => status === 'canceled');
  return {
    ...ownerOf(record),
    entries: canceled.map(({ _id, type }) => ({
      jobId: _id,
      channel: type,
      detail: DETAIL.stepCanceled,
      status: 'Success',
      at: record.updatedAt,
    })),
  };
}
