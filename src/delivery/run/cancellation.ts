import { Injectable } from '@nestjs/common';
import { Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Batcher } from '#libs/work';
import { DETAIL } from '../../execution-details/index.js';
import { type NotificationKey, NotificationStore } from '../records/notification.js';
import { OutcomeWriter } from './outcome-writer.js';
import { type Run, workflowStep } from './run.js';
import { StepHandlers } from './step-handler.js';
import { detailOf } from './step-report.js';
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

@Injectable()
export class RunCanceler {
  private readonly retentionDays: number;
  private readonly marks = new Batcher<NotificationKey, boolean>((records) => this.readMarks(records), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(
    private readonly handlers: StepHandlers,
    private readonly writer: OutcomeWriter,
    private readonly notifications: NotificationStore,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** Whether a run was canceled while its step called others; it is marked then. */
  async isCanceled({ record }: Run): Promise<boolean> {
    if (!(await this.marks.submit(record))) return false;
    requestCancellation(record);
    return true;
  }

  /**
   * Ends runs that this worker has leased. Followers of an open digest keep it under a new master. A run whose digest is
   * closed with the events of others continues for those, without its own event.
   */
  async cancel(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    await CANCELING.pass(runs);
    const ending = runs.filter((run) => !hasCollectedOthers(run));
    const { merged, lost } = await this.leaveGatherings(ending);
    const held = runs.filter((run) => !lost.has(run));
    const context = { now: this.clock.now(), retentionDays: this.retentionDays };
    for (const run of held) {
      if (!ending.includes(run)) withdrawOwnEvent(run, context.now);
      else if (merged.has(run)) mergeRun(run.record, context.now, context);
      else end(run, context);
    }
    await Promise.all(held.map((run) => this.writer.write(run)));
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

/** Its digest is closed and holds events of others, so ending it would lose theirs. */
function hasCollectedOthers({ record }: Run): boolean {
  return record.digestClosed !== undefined && (record.digestSize ?? 0) > 0;
}

function end({ record, effects }: Run, context: TransitionContext): void {
  const canceled = cancelRun(record, context);
  const details = canceled.map((step) => detailOf(step, DETAIL.stepCanceled, context.now, { status: 'Success' }));
  effects.add({ details });
}

function withdrawOwnEvent(run: Run, now: Date): void {
  const state = currentStep(run.record);
  if (state !== undefined) {
    run.effects.add({ details: [detailOf(state, DETAIL.eventWithdrawn, now, { status: 'Success' })] });
  }
  continueForOthers(run.record, workflowStep(run)?.lane ?? 'store', now);
}
