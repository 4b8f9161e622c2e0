import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { DETAIL, type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import {
  type NotificationRecord,
  NotificationStore,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../../notifications/index.js';
import { ownerOf } from '../run/details-of.js';
import { RunLoader } from '../facts/run-loader.js';
import { RunCanceler } from '../run/run-canceler.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';

const BATCH = 500;

/** Runs that a cancellation ends: those that go on for others have heard of it. */
const endable = { status: 'active', digestForOthers: { $exists: false } } as const;

/** Calls off what a transaction has not done yet. */
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

  /** The event is called off for good: recipients that were not reached yet never will be. @returns whether there was anything left */
  async cancel(tenant: TenantContext, transactionId: string): Promise<boolean> {
    const lookAgain = this.queues.events.leaseEnd();
    const event = await this.events.cancel(tenant, transactionId, this.queues.now(), lookAgain);
    if (event === null) return false;
    this.loader.forget(event);
    const canceled = await this.cancelRuns(event);
    return canceled > 0 || event.status === 'expanding';
  }

  /** Looks again at events that were called off while somebody expanded them. */
  async finish(events: readonly TriggerEventRecord[]): Promise<void> {
    for (const event of events) await this.cancelRuns(event);
    await this.events.endCanceled(events);
  }

  /** Calls off what notifications of the event have not done yet. @returns how many had anything left */
  async cancelRuns({ _environmentId, transactionId }: TriggerEventRecord): Promise<number> {
    const own = { _environmentId, transactionId };
    const left = await this.leaveDigests(own);
    // Who is at work, or takes one up at this moment, ends the run itself: it sees the mark when it writes.
    const marked = await this.notifications.collection.updateMany(
      { ...own, ...endable, cancelRequested: { $exists: false } },
      { $set: { cancelRequested: true } },
    );
    for (;;) {
      const ids = await this.idle(own);
      if (ids.length === 0) return left + marked.modifiedCount;
      const taken = await this.queues.notifications.take(ids, { cancelRequested: true });
      const { runs } = await this.loader.load(taken);
      await this.canceler.cancel(runs);
    }
  }

  private async idle(own: { _environmentId: Types.ObjectId; transactionId: string }): Promise<Types.ObjectId[]> {
    const rows = await this.notifications.collection
      .find({ ...own, ...endable, lease: { $exists: false } }, { projection: { _id: 1 } })
      .limit(BATCH)
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /** Takes events out of digests that have not ended yet. */
  private async leaveDigests(own: { _environmentId: Types.ObjectId; transactionId: string }): Promise<number> {
    const now = this.queues.now();
    const { collection } = this.notifications;
    const joined = { ...own, status: 'merged', digestInto: { $exists: true } } as const;
    const uncounted = { ...joined, digestCollected: { $exists: false }, digestHeirOf: { $exists: false } };
    // What others have brought along from a digest before stays.
    const carriers = await collection.updateMany(
      { ...uncounted, digestSize: { $gt: 0 }, digestForOthers: { $exists: false } },
      { $set: { digestForOthers: true, updatedAt: now } },
    );
    const { modifiedCount } = await collection.updateMany(
      { ...uncounted, digestForOthers: { $exists: false } },
      {
        $set: {
          status: 'canceled',
          updatedAt: now,
          'steps.$[merged].status': 'canceled',
          'steps.$[merged].reason': 'transaction_canceled',
        },
        $unset: { digestInto: 1 },
      },
      { arrayFilters: [{ 'merged.status': 'merged' }] },
    );
    if (modifiedCount > 0) await this.tell({ ...own, status: 'canceled', updatedAt: now });
    // Who is about to lead a digest ends when it does.
    const heirs = await collection.updateMany(
      { ...joined, digestHeirOf: { $exists: true } },
      { $set: { cancelRequested: true } },
    );
    return carriers.modifiedCount + modifiedCount + heirs.modifiedCount;
  }

  /** Says in the trail of notifications that they were called off. */
  private async tell(which: mongo.Filter<NotificationRecord>): Promise<void> {
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
