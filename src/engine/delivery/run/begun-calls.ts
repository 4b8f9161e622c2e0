import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FailPoint } from '#libs/common';
import { isStoreUnavailable } from '#libs/persistence';
import { Batcher, LeaseLost } from '#libs/work';
import { type BegunCall, openCalls } from '../records/step-state.js';
import { NotificationStore, runKey, runKeys } from '../records/notification.js';
import type { Run } from './run.js';
import { currentStep } from './transitions.js';
import { messageIdFor, SentMessages } from '../../messages/index.js';
import type { StepTask } from './step-handler.js';

/** Before the mark of a call is stored. */
export const MARKING = new FailPoint<Run>('call.mark');
/** After that, before the call. */
export const CALLING = new FailPoint<Run>('call.begin');

const BATCH = 1_000;
const REPEAT_AFTER_MS = 500;

interface Mark {
  readonly record: Run['record'];
  readonly lease: string;
  readonly place: number;
  readonly calls: readonly BegunCall[];
}

/** Stores that calls of providers begin, before they do. Calls that begin at the same time share one write. */
@Injectable()
export class BegunCalls implements BeforeApplicationShutdown {
  private readonly batcher = new Batcher<Mark, boolean>((marks) => this.storeInTheEnd(marks), {
    size: BATCH,
    concurrency: 2,
  });
  private isEnding = false;

  constructor(private readonly notifications: NotificationStore) {}

  /**
   * Resolves when the store has the mark. The caller must begin the call at once: a marked call without an outcome counts as
   * one that the provider may have accepted.
   * @throws {LeaseLost} when another worker has the run
   */
  async begin(run: Run, call: BegunCall): Promise<void> {
    const { record, lease } = run;
    const step = currentStep(record);
    if (step === undefined) throw new Error('A call begins in a run that is over.');
    await MARKING.pass(run);
    step.calls = [...(step.calls ?? []), call];
    const isHeld = await this.batcher.submit({ record, lease, place: record.current, calls: step.calls });
    if (!isHeld) throw new LeaseLost(run);
    await CALLING.pass(run);
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }

  /** Repeated while the store is unavailable: the write may have happened, and then the message would count as uncertain. */
  private async storeInTheEnd(marks: readonly Mark[]): Promise<boolean[]> {
    for (;;) {
      try {
        return await this.store(marks);
      } catch (error) {
        if (this.isEnding || !isStoreUnavailable(error)) throw error;
        await pause(REPEAT_AFTER_MS);
      }
    }
  }

  /** @returns for each mark whether the lease held */
  private async store(marks: readonly Mark[]): Promise<boolean[]> {
    const { collection } = this.notifications;
    const writes = marks.map(({ record, lease, place, calls }) => ({
      updateOne: {
        filter: { ...runKey(record), lease },
        update: { $set: { [`steps.${place}.calls`]: calls } },
      },
    }));
    const { matchedCount } = await collection.bulkWrite(writes, { ordered: false, ignoreUndefined: true });
    if (matchedCount === marks.length) return marks.map(() => true);
    const rows = await collection
      .find(runKeys(marks))
      .project<Pick<Mark['record'], '_id' | 'lease'>>({ lease: 1 })
      .toArray();
    const leases = new Map(rows.map(({ _id, lease }) => [_id.toHexString(), lease]));
    return marks.map(({ record, lease }) => leases.get(record._id.toHexString()) === lease);
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
