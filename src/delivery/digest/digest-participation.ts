import { Injectable } from '@nestjs/common';
import { DETAIL } from '../../execution-details/index.js';
import { EventRetention } from '../run/event-retention.js';
import { OutcomeWriter } from '../run/outcome-writer.js';
import type { Run } from '../run/run.js';
import { StepRunner } from '../run/step-runner.js';
import { currentStep } from '../run/transitions.js';
import { ActiveRuns } from '../queues/active-runs.js';
import { DigestCollector } from './digest-collector.js';
import { DigestLedger } from './digest-ledger.js';

/** The digests' part in a run's way: in, out, and what they collected. */
@Injectable()
export class DigestParticipation {
  constructor(
    private readonly ledger: DigestLedger,
    private readonly collector: DigestCollector,
    private readonly writer: OutcomeWriter,
    private readonly steps: StepRunner,
    private readonly retention: EventRetention,
    private readonly board: ActiveRuns,
  ) {}

  /**
   * Lets runs whose digest step says so take part. Afterwards each leads a digest or is merged, and is stored so.
   * @returns those that were called off meanwhile: somebody has to end them
   */
  async enter(runs: readonly Run[]): Promise<readonly Run[]> {
    const stored = await this.store(runs);
    const { canceled, lost } = await this.ledger.join(stored);
    const ours = stored.filter((run) => !lost.includes(run));
    await this.writer.writeEffects(ours);
    await this.retention.keep(ours.flatMap((run) => (run.digestEntry ? [[run, run.digestEntry.until]] : [])));
    for (const run of stored) delete run.digestEntry;
    return canceled;
  }

  /**
   * Ends the digests among the runs that have reached their due time; the runs go on to the next step.
   * @returns those that another worker has by now: nothing of them may go on here
   */
  async close(runs: readonly Run[]): Promise<Set<Run>> {
    const due = runs.filter((run) => isDigestDue(run));
    if (due.length === 0) return new Set();
    const lost = await this.collector.close(due);
    const now = this.board.now();
    for (const run of due) {
      const state = currentStep(run.record);
      if (state === undefined || lost.has(run)) continue;
      run.effects.detail(state, DETAIL.startDigesting, now);
      run.effects.detail(state, DETAIL.digestTriggeredEvents, now, { raw: shownEvents(run.digestEvents ?? []) });
      this.steps.finish(run, { kind: 'completed' });
    }
    return lost;
  }

  /** Gives back to runs what their digests collected, where a digest lies behind them. */
  async recall(runs: readonly Run[]): Promise<void> {
    await this.collector.recall(
      runs.filter(
        (run) =>
          run.digestEvents === undefined &&
          run.record.steps.some(({ type, status }) => type === 'digest' && status === 'completed'),
      ),
    );
  }

  /** The ledger's rules hold between records, so runs that only this process knows are written first. */
  private async store(runs: readonly Run[]): Promise<Run[]> {
    const fresh = runs.filter(({ isStored }) => !isStored);
    for (const run of fresh) this.board.holdLease(run, 'store');
    const results = await Promise.all(fresh.map(async (run) => [run, await this.writer.write(run)] as const));
    const lost = new Set(results.filter(([, result]) => result !== 'written').map(([run]) => run));
    return runs.filter((run) => !lost.has(run));
  }
}

/** A detail names the first events: the payloads of all of a large digest are no use there, and redacting them takes long. */
const SHOWN_EVENTS = 100;

function shownEvents(events: readonly unknown[]): unknown {
  return events.length <= SHOWN_EVENTS ? events : { count: events.length, events: events.slice(0, SHOWN_EVENTS) };
}

function isDigestDue({ record }: Run): boolean {
  const state = currentStep(record);
  return state?.type === 'digest' && state.status === 'delayed';
}
