import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FailPoint } from '#libs/common';
import { isStoreUnavailable } from '#libs/persistence';
import { Batcher, LeaseLost } from '#libs/work';
import { type BegunCall, openCalls } from '../records/step-state.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { NotificationStore, runKey, runKeys } from '../records/notification.js';
import type { Run } from './run.js';
import { currentStep } from './transitions.js';
import { messageIdFor, SentMessages } from '../../messages/store/index.js';
import type { StepTask } from './step-handler.js';

/** Before the mark of a call is stored. */
export const MARKING = new FailPoint<Run>('call.mark');
/** After that, before the call. */
export const CALLING = new FailPoint<Run>('call.begin');

const BATCH = 1_000;
/** A command with fewer marks costs more than they gain by not waiting for the one before. */
const WORTH_ITS_OWN = 50;
const REPEAT_AFTER_MS = 500;

interface Mark {
  readonly record: Run['record'];
  readonly lease: string;
  readonly place: number;
  readonly calls: readonly BegunCall[];
  /** Where nothing of the step was sent yet: a run that is canceled is not marked. */
  readonly unlessCanceled: boolean;
}

type MarkResult = 'begun' | 'lost' | 'canceled';

/** The run was canceled before its call began: nothing of its step has happened. */
export class RunCanceled extends Error {
  constructor({ record }: Pick<Run, 'record'>) {
    super(`The notification ${record._id.toHexString()} was canceled.`);
    this.name = 'RunCanceled';
  }
}

/** Stores that calls of providers begin, before they do. Calls that begin at the same time share one write. */
@Injectable()
export class BegunCalls implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<Mark, MarkResult>((marks) => this.storeInTheEnd(marks), {
    size: BATCH,
    concurrency: 2,
    beside: WORTH_ITS_OWN,
  });
  private isEnding = false;

  constructor(
    private readonly notifications: NotificationStore,
    private readonly queues: DeliveryQueues,
  ) {}

  /**
   * Resolves when the store has the mark; the lease begins anew with it. The caller must begin the call at once: a marked call
   * without an outcome counts as one that the provider may have accepted.
   * @throws {LeaseLost} when another worker has the run @throws {RunCanceled} at the first call of a step
   */
  async begin(run: Run, call: BegunCall): Promise<void> {
    const { record, lease } = run;
    const step = currentStep(record);
    if (step === undefined) throw new Error('A call begins in a run that is over.');
    await MARKING.pass(run);
    const before = step.calls ?? [];
    step.calls = [...before, call];
    const unlessCanceled = before.length === 0;
    const mark = { record, lease, place: record.current, calls: step.calls, unlessCanceled };
    const result = await this.batcher.submit(mark);
    if (result === 'lost') throw new LeaseLost(run);
    if (result === 'canceled') throw new RunCanceled(run);
    await CALLING.pass(run);
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  /** Repeated while the store is unavailable: the write may have happened, and then the message would count as uncertain. */
  private async storeInTheEnd(marks: readonly Mark[]): Promise<MarkResult[]> {
    for (;;) {
      try {
        return await this.store(marks);
      } catch (error) {
        if (this.isEnding || !isStoreUnavailable(error)) throw error;
        await pause(REPEAT_AFTER_MS);
      }
    }
  }

  private async store(marks: readonly Mark[]): Promise<MarkResult[]> {
    const { collection } = this.notifications;
    const wakeAt = this.queues.notifications.leaseEnd();
    const writes = marks.map(({ record, lease, place, calls, unlessCanceled }) => ({
      updateOne: {
        filter: { ...runKey(record), lease, ...(unlessCanceled && { cancelRequested: { $exists: false } }) },
        // The lease of a suspect is short, and only the worker renews it.
        update: { $set: { [`steps.${place}.calls`]: calls, ...(record.suspectGroup === undefined && { wakeAt }) } },
      },
    }));
    const { matchedCount } = await collection.bulkWrite(writes, { ordered: false, ignoreUndefined: true });
    if (matchedCount === marks.length) return marks.map(() => 'begun');
    const rows = await collection
      .find(runKeys(marks))
      .project<Pick<Mark['record'], '_id' | 'lease' | 'cancelRequested'>>({ lease: 1, cancelRequested: 1 })
      .toArray();
    const found = new Map(rows.map((row) => [row._id.toHexString(), row]));
    return marks.map(({ record, lease, unlessCanceled }) => {
      const row = found.get(record._id.toHexString());
      if (row?.lease !== lease) return 'lost';
      return unlessCanceled && row.cancelRequested === true ? 'canceled' : 'begun';
    });
  }
}

/** A call that an earlier holder of the run has begun and whose outcome it has not recorded. */
export interface InterruptedCall extends BegunCall {
  /** The provider has accepted the message: only the state of the run was not written. */
  readonly isSent: boolean;
}

/** By the key of the target. */
export type InterruptedCallsOfStep = ReadonlyMap<string, InterruptedCall>;

const NONE: InterruptedCallsOfStep = new Map();

@Injectable()
export class InterruptedCalls {
  constructor(private readonly sent: SentMessages) {}

  async of({ run, state }: StepTask): Promise<InterruptedCallsOfStep> {
    const calls = openCalls(state);
    if (calls.length === 0) return NONE;
    const messages = await this.sent.ofNotifications([run.record]);
    const ids = new Set(messages.map(({ _id }) => _id.toHexString()));
    return new Map(
      calls.map((call) => {
        const id = messageIdFor({ notificationId: run.record._id, jobId: state._id, target: call.target });
        return [call.target, { ...call, isSent: ids.has(id.toHexString()) }];
      }),
    );
  }
}
