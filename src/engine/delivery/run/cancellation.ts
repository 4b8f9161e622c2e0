import { Injectable } from '@nestjs/common';
import { FailPoint } from '#libs/common';
import { Batcher } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import { SUBSCRIBER_DELETED } from '../records/anonymous.js';
import { type NotificationKey, NotificationStore } from '../records/notification.js';
import { TriggerEventStore } from '../records/trigger-event.js';
import { InterruptedRuns } from './interrupted-runs.js';
import { OutcomeWriter } from './outcome-writer.js';
import { planRun, type Run, RunClock, workflowStep } from './run.js';
import { StepHandlers } from './step-handler.js';
import { detailOf, Effects, interruptionDetails } from './step-recorder.js';
import {
  cancelRun,
  continueForOthers,
  currentStep,
  mergeRun,
  requestCancellation,
  type TransitionContext,
} from './transitions.js';

/** Before canceled runs are ended. */
export const CANCELING = new FailPoint<readonly Run[]>('run.cancel');

const BATCH = 1_000;
/** A step that takes longer, or whose process was suspended, asks again before it delivers. */
const RECENT_MS = 500;

@Injectable()
export class RunCanceler {
  private readonly marks = new Batcher<NotificationKey, boolean>((records) => this.readMarks(records), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(
    private readonly handlers: StepHandlers,
    private readonly writer: OutcomeWriter,
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly interrupted: InterruptedRuns,
    private readonly clock: RunClock,
  ) {}

  /** Whether a run was canceled while its step called others; it is marked then. */
  async isCanceled({ record }: Run): Promise<boolean> {
    if (!(await this.marks.submit(record))) return false;
    requestCancellation(record);
    return true;
  }

  /** Whether the store has shown so recently that a run was not canceled that it need not be asked. */
  wasSeenRecently({ seenAt }: Run): boolean {
    const ageMs = this.clock.now().getTime() - seenAt.getTime();
    // After the clock was set back, the age is unknown.
    return ageMs >= 0 && ageMs <= RECENT_MS;
  }

  /** The runs that were canceled since they were read: a cancellation or a deletion may have been acknowledged by now. */
  async canceledSince(runs: readonly Run[]): Promise<Set<Run>> {
    const [stored, fresh] = [runs.filter(({ isStored }) => isStored), runs.filter(({ isStored }) => !isStored)];
    const [marked, events, ofDeleted] = await Promise.all([
      stored.length === 0 ? new Set<string>() : this.notifications.canceledAmong(stored.map(({ record }) => record)),
      fresh.length === 0 ? [] : this.events.findCanceled([...new Set(fresh.map(({ event }) => event))]),
      // A deletion marks those that are stored.
      fresh.length === 0 ? [] : this.writer.ofDeleted(fresh),
    ]);
    const canceled = new Set(events.map(({ _id }) => _id.toHexString()));
    return new Set([
      ...stored.filter(({ record }) => marked.has(record._id.toHexString())),
      ...fresh.filter(({ event }) => canceled.has(event._id.toHexString())),
      ...ofDeleted,
    ]);
  }

  /**
   * Ends runs that this worker has leased. Followers of an open digest keep it under a new master. A run whose digest is
   * closed with the events of others continues for those, without its own event.
   */
  async cancel(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    await CANCELING.pass(runs);
    const ending = runs.filter((run) => run.facts.isSubscriberDeleted === true || !hasCollectedOthers(run));
    const { merged, lost } = await this.leaveGatherings(ending);
    const held = runs.filter((run) => !lost.has(run));
    const context = this.clock.context();
    for (const run of held) {
      if (!ending.includes(run)) withdrawOwnEvent(run, context.now);
      else if (merged.has(run)) mergeRun(run.record, context.now, context);
      else end(run, context);
    }
    await Promise.all(held.map((run) => this.writer.write(run)));
  }

  /** Stores new runs as canceled: what they have done in this process has not happened. */
  async cancelUnstored(runs: readonly Run[]): Promise<void> {
    const { now } = this.clock.context();
    const planned = runs.map((run) => planAgain(run, now));
    await this.cancel(planned);
  }

  /** The same for claimed runs: a worker may have died over them. */
  async cancelClaimed(runs: readonly Run[]): Promise<void> {
    await this.interrupted.endSteps(runs);
    await this.cancel(runs);
  }

  private async leaveGatherings(runs: readonly Run[]): Promise<{ merged: Set<Run>; lost: Set<Run> }> {
    const merged = new Set<Run>();
    const lost = new Set<Run>();
    for (const [gathering, own] of this.handlers.gatheringsOf(runs)) {
      const departures = await gathering.leave(own);
      for (const run of departures.merged) merged.add(run);
      for (const run of departures.lost) lost.add(run);
    }
    return { merged, lost };
  }

  private async readMarks(records: NotificationKey[]): Promise<boolean[]> {
    const canceled = await this.notifications.canceledAmong(records);
    return records.map(({ _id }) => canceled.has(_id.toHexString()));
  }
}

function planAgain({ entry: _entry, ...run }: Run, now: Date): Run {
  const { subscriber } = run.facts;
  const record = planRun(run.workflow, run.event, subscriber, now);
  const effects = new Effects();
  effects.add({ details: record.steps.map((step) => detailOf(step, DETAIL.stepCreated, now)) });
  return { ...run, record, effects };
}

/** Its digest is closed and holds events of others, so ending it would lose theirs. */
function hasCollectedOthers({ record }: Run): boolean {
  return record.digestClosed !== undefined && (record.digestSize ?? 0) > 0;
}

function end({ record, effects, facts }: Run, context: TransitionContext): void {
  const step = currentStep(record);
  const canceled = cancelRun(record, context, facts.isSubscriberDeleted === true ? SUBSCRIBER_DELETED : undefined);
  if (step !== undefined) effects.add({ details: interruptionDetails(step, context.now) });
  const details = canceled.map((step) => detailOf(step, DETAIL.stepCanceled, context.now, { status: 'Success' }));
  effects.add({ details });
}

function withdrawOwnEvent(run: Run, now: Date): void {
  const state = currentStep(run.record);
  // Everything was sent before its worker died.
  if (state === undefined) return;
  run.effects.add({ details: [detailOf(state, DETAIL.eventWithdrawn, now, { status: 'Success' })] });
  continueForOthers(run.record, workflowStep(run)?.lane ?? 'store', now);
}
