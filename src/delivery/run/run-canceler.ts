import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { DETAIL } from '../../execution-details/index.js';
import { DigestCollector } from '../digest/digest-collector.js';
import { DigestSuccession } from '../digest/digest-succession.js';
import { CancelWatch } from './cancel-watch.js';
import { OutcomeWriter } from './outcome-writer.js';
import { type Run, workflowStep } from './run.js';
import { cancelRun, currentStep, mergeRun, queueIn } from './transitions.js';

/** Ends runs whose transaction was called off. */
@Injectable()
export class RunCanceler {
  private readonly retentionDays: number;

  constructor(
    private readonly digests: DigestCollector,
    private readonly successions: DigestSuccession,
    private readonly writer: OutcomeWriter,
    private readonly watch: CancelWatch,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /** Whether a run that was outside was called off meanwhile; it is marked then. */
  async isCalledOff({ record }: Run): Promise<boolean> {
    if (!(await this.watch.isCalledOff(record._id))) return false;
    record.cancelRequested = true;
    return true;
  }

  /**
   * Ends runs that this worker has leased. Followers of an open digest keep it under a new master. Where a digest is
   * closed and others were counted in, it goes on for those, without the run's own event.
   */
  async cancel(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    const ending = runs.filter((run) => !speaksForOthers(run));
    const unled = await this.successions.handOver(ending.filter(({ isStored }) => isStored));
    const { counted, lost } = await this.digests.withdraw(ending.filter((run) => !unled.has(run)));
    const ours = runs.filter((run) => !unled.has(run) && !lost.has(run));
    const now = this.clock.now();
    for (const run of ours) {
      if (!ending.includes(run)) this.goOnForOthers(run, now);
      else if (counted.has(run)) this.merge(run, now);
      else this.end(run, now);
    }
    await Promise.all(ours.map((run) => this.writer.write(run)));
  }

  private end({ record, effects }: Run, now: Date): void {
    for (const step of cancelRun(record, now, this.retentionDays)) {
      effects.detail(step, DETAIL.stepCanceled, now, { status: 'Success' });
    }
  }

  private merge({ record }: Run, now: Date): void {
    mergeRun(record, now, now, this.retentionDays);
    delete record.cancelRequested;
  }

  private goOnForOthers(run: Run, now: Date): void {
    const { record, effects } = run;
    record.digestForOthers = true;
    record.updatedAt = now;
    delete record.cancelRequested;
    const state = currentStep(record);
    if (state === undefined) return;
    effects.detail(state, DETAIL.eventWithdrawn, now, { status: 'Success' });
    const lane = state.status === 'delayed' ? 'store' : (workflowStep(run)?.lane ?? 'store');
    queueIn(record, lane, state.dueAt ?? now);
  }
}

/** Its digest is closed and has others in it, so it cannot be ended without losing theirs. */
function speaksForOthers({ record }: Run): boolean {
  return record.digestClosed !== undefined && (record.digestSize ?? 0) > 0;
}
