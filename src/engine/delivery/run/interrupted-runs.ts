import { Injectable } from '@nestjs/common';
import { openCalls } from '../records/step-state.js';
import { MessageFailed } from '../records/delivery.events.js';
import type { NotificationRecord } from '../records/notification.js';
import { OutcomeWriter } from './outcome-writer.js';
import type { Run } from './run.js';
import { RunLoader } from './run-loader.js';
import { StepRunner } from './step-runner.js';
import { currentStep } from './transitions.js';
import { UnwrittenSends } from './unwritten-sends.js';

/** What workers had begun when they died, of runs that are not carried on. Nobody is called for it. */
@Injectable()
export class InterruptedRuns {
  constructor(
    private readonly steps: StepRunner,
    private readonly loader: RunLoader,
    private readonly unwritten: UnwrittenSends,
    private readonly writer: OutcomeWriter,
  ) {}

  /** Ends the steps in which calls of providers were begun or messages were stored, as far as the store shows it. */
  async endSteps(runs: readonly Run[]): Promise<void> {
    await Promise.all(
      runs.map(async (run) => {
        const judged = await this.steps.judgeInterrupted(run);
        if (judged !== undefined) this.steps.endJudged(judged);
      }),
    );
    await this.unwritten.recover(runs);
  }

  /** Stores and announces the messages of interrupted calls as failed. The states of the runs stay as they are. */
  async announceCalls(records: readonly NotificationRecord[]): Promise<void> {
    const begun = records.filter(hasOpenCalls);
    if (begun.length === 0) return;
    const { runs } = await this.loader.load(begun);
    await Promise.all(
      runs.map(async (run) => {
        const judged = await this.steps.judgeInterrupted(run);
        if (judged === undefined) return;
        const { messages, updates, events } = judged.task.recorder;
        run.effects.add({ messages, updates, events: events.filter((event) => event instanceof MessageFailed) });
      }),
    );
    await this.writer.writeEffects(runs);
  }
}

function hasOpenCalls(record: NotificationRecord): boolean {
  const step = currentStep(record);
  return step !== undefined && openCalls(step).length > 0;
}
