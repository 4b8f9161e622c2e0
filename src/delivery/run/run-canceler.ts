import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { AppConfig } from '#libs/config';
import { DigestCollector } from '../digest/digest-collector.js';
import { CancelWatch } from './cancel-watch.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { Run } from './run.js';
import { cancelRun, mergeRun } from './transitions.js';

/** Not among the labels of the compatible system, which says nothing about it. */
export const STEP_CANCELED = 'Step was canceled';

/** Ends runs whose transaction was called off. */
@Injectable()
export class RunCanceler {
  private readonly retentionDays: number;

  constructor(
    private readonly digests: DigestCollector,
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

  /** Ends runs that this worker has leased. Followers of a digest keep their digest under a new master. */
  async cancel(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    await this.digests.handOver(runs.filter(({ isStored }) => isStored));
    const counted = await this.digests.withdraw(runs);
    const now = this.clock.now();
    for (const run of runs) {
      if (counted.has(run)) {
        mergeRun(run.record, now, now, this.retentionDays);
        delete run.record.cancelRequested;
        continue;
      }
      for (const step of cancelRun(run.record, now, this.retentionDays)) {
        run.effects.detail(step, STEP_CANCELED, now, { status: 'Success' });
      }
    }
    await Promise.all(runs.map((run) => this.writer.write(run)));
  }
}
