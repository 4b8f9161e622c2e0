import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/tenancy';
import { type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import {
  type NotificationRecord,
  NotificationStore,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../../notifications/index.js';
import { ownerOf } from '../run/details-of.js';
import { RunLoader } from '../facts/run-loader.js';
import { RunCanceler, STEP_CANCELED } from '../run/run-canceler.js';
import { WorkQueues } from '../work/work-queues.js';

const BATCH = 500;

/** Calls off what a transaction has not done yet (delivery-behaviour 3.6, without its gaps). */
@Injectable()
export class EventCanceler {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly notifications: NotificationStore,
    private readonly loader: RunLoader,
    private readonly canceler: RunCanceler,
    private readonly queues: WorkQueues,
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
    let canceled = await this.leaveDigests(own);
    // Who is at work ends the run itself: it sees the mark when it writes.
    const marked = await this.notifications.collection.updateMany(
      { ...own, status: 'active', lease: { $exists: true } },
      { $set: { cancelRequested: true } },
    );
    canceled += marked.modifiedCount;
    for (;;) {
      const ids = await this.idle(own);
      if (ids.length === 0) return canceled;
      const { runs } = await this.loader.load(await this.queues.notifications.take(ids, { cancelRequested: true }));
      await this.canceler.cancel(runs);
      canceled += runs.length;
    }
  }

  private async idle(own: { _environmentId: Types.ObjectId; transactionId: string }): Promise<Types.ObjectId[]> {
    const rows = await this.notifications.collection
      .find({ ...own, status: 'active', lease: { $exists: false } }, { projection: { _id: 1 } })
      .limit(BATCH)
      .toArray();
    return rows.map(({ _id }) => _id);
  }

  /** Takes events out of digests that have not ended yet. */
  private async leaveDigests(own: { _environmentId: Types.ObjectId; transactionId: string }): Promise<number> {
    const now = this.queues.now();
    const { modifiedCount } = await this.notifications.collection.updateMany(
      { ...own, status: 'merged', digestInto: { $exists: true }, digestCollected: { $ne: true } },
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
    return modifiedCount;
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
      detail: STEP_CANCELED,
      status: 'Success',
      at: record.updatedAt,
    })),
  };
}
