import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { DETAIL, type DetailBatch, ExecutionDetailsService } from '../../execution-details/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { type NotificationKey, type NotificationRecord, NotificationStore } from '../records/notification.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { ownerOf } from '../run/run.js';
import { cancelMerged, carryForOthers, MERGED_STEPS, REQUEST_CANCELLATION } from '../run/store-transitions.js';
import { type Deadline, Looks } from './looks.js';
import { MarkedRuns } from './marked-runs.js';

const BATCH = 500;

/** Runs that a cancellation ends. Runs that continue for others are canceled already. */
const endable = { status: 'active', digestForOthers: { $exists: false } } as const;

/** The notifications of an event, one of them, or those of a subscriber. */
export type OwnRuns = { readonly _environmentId: Types.ObjectId } & (
  { readonly transactionId: string } | { readonly _id: Types.ObjectId } | { readonly _subscriberId: Types.ObjectId }
);

export function ownRunsOf({ _environmentId, transactionId }: TriggerEventRecord): OwnRuns {
  return { _environmentId, transactionId };
}

/** Cancels the runs of an event, or one of them. Each is canceled or has ended otherwise: its record says which. */
@Injectable()
export class RunCancellations {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly marked: MarkedRuns,
    private readonly queues: DeliveryQueues,
    private readonly details: ExecutionDetailsService,
    private readonly looks: Looks,
  ) {}

  /** How many are canceled, or have left a digest that continues for others. */
  async count(own: OwnRuns): Promise<number> {
    const { collection } = this.notifications;
    const counts = await Promise.all([
      collection.countDocuments({ ...own, status: 'canceled' }),
      collection.countDocuments({ ...own, digestForOthers: true }),
    ]);
    return counts.reduce((sum, count) => sum + count);
  }

  /** Notes that somebody has asked for the cancellation of a run and has no answer yet. */
  async oweAnswer(own: OwnRuns): Promise<void> {
    await this.notifications.collection.updateOne(own, { $set: { cancelUnanswered: true } });
  }

  /** @returns whether an answer was owed */
  async takeAnswer(own: OwnRuns): Promise<boolean> {
    const { modifiedCount } = await this.notifications.collection.updateOne(
      { ...own, cancelUnanswered: true },
      { $unset: { cancelUnanswered: 1 } },
    );
    return modifiedCount === 1;
  }

  /** Marks runs as canceled, and ends those that nobody holds. A worker that holds one, or claims it now, sees the mark when it writes. */
  async request(own: OwnRuns): Promise<void> {
    await this.leaveDigests(own);
    await this.notifications.collection.updateMany(
      { ...own, ...endable, cancelRequested: { $exists: false } },
      REQUEST_CANCELLATION,
    );
    for (let idle = await this.idle(own); idle.length > 0; idle = await this.idle(own)) await this.marked.end(idle);
  }

  /** As `request`, and waits until all of them have their outcome. @throws {CancellationPending} */
  async requestAndWait(own: OwnRuns, deadline: Deadline): Promise<void> {
    await this.request(own);
    let open = await this.marked.open(await this.requested(own));
    while (open.held.length + open.free.length > 0) {
      await this.marked.end(open.free);
      await this.looks.next(deadline);
      open = await this.marked.open([...open.held, ...open.free]);
    }
  }

  private idle(own: OwnRuns): Promise<NotificationKey[]> {
    return this.keys({ ...own, ...endable, lease: { $exists: false } })
      .limit(BATCH)
      .toArray();
  }

  private requested(own: OwnRuns): Promise<NotificationKey[]> {
    return this.keys({ ...own, cancelRequested: true }).toArray();
  }

  private keys(filter: mongo.Filter<NotificationRecord>): mongo.FindCursor<NotificationKey> {
    return this.notifications.collection.find(filter).project<NotificationKey>({ _environmentId: 1, _subscriberId: 1 });
  }

  private async leaveDigests(own: OwnRuns): Promise<void> {
    const now = this.queues.now();
    const { collection } = this.notifications;
    const joined = { ...own, status: 'merged', digestInto: { $exists: true } } as const;
    const uncounted = { ...joined, digestCollected: { $exists: false }, digestHeirOf: { $exists: false } };
    // The events that a run has brought along from an earlier digest stay.
    await collection.updateMany(
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
    await collection.updateMany({ ...joined, digestHeirOf: { $exists: true } }, REQUEST_CANCELLATION);
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
  const ended = record.steps.filter(({ status }) => status === 'canceled');
  return {
    ...ownerOf(record),
    entries: ended.map(({ _id, type }) => ({
      jobId: _id,
      channel: type,
      detail: DETAIL.stepCanceled,
      status: 'Success',
      at: record.updatedAt,
    })),
  };
}
