import { Injectable } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import type { Turns } from '#libs/worker-pool';
import { DETAIL, type NewDetail } from '../../execution-details/index.js';
import { openCalls } from '../records/begun-call.js';
import { carryOut } from './carry-out.js';
import { attemptsOf } from './attempts.js';
import { type Run, workflowStep } from './run.js';
import { RunClock } from './run-clock.js';
import { StepHandlers, type StepTask } from './step-handler.js';
import { detailOf, detailsOfCanceled, interruptionDetails, interruptionOf, type StepReport } from './step-report.js';
import { idsOf, noteCanceledSteps, noteStep } from './run-telemetry.js';
import { applyOutcome, currentStep, startStep } from './transitions.js';

@Injectable()
export class StepRunner {
  constructor(
    private readonly handlers: StepHandlers,
    private readonly clock: RunClock,
    private readonly logger: AppLogger,
  ) {}

  /** Carries out steps as long as they need only the store and this process. */
  async runStoreSteps(run: Run, turns: Turns): Promise<void> {
    for (;;) {
      const pause = turns.offer();
      if (pause !== undefined) await pause;
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) return;
      if (step.lane !== 'store') return;
      await this.runCurrent(run);
      if (run.entry !== undefined || state.status === 'delayed' || state.status === 'queued') return;
    }
  }

  async runCurrent(run: Run): Promise<void> {
    const state = currentStep(run.record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined) return;
    const now = this.clock.now();
    const task: StepTask = { run, step, state, now, isResumed: state.status === 'delayed' };
    const details = state.status === 'pending' ? [detailOf(state, DETAIL.stepQueued, now)] : [];
    startStep(state, now);
    try {
      const report = await carryOut(this.handlers, task, (message, err) => {
        this.logger.event('error', message, { ...idsOf(run.record), err, context: StepRunner.name });
      });
      this.finish(run, report, details);
    } catch (error) {
      // What was sent before the fault stays in the run: it is kept even if another worker holds the run by now.
      const { reason, effects } = interruptionOf(error);
      run.effects.add({ details });
      run.effects.add(effects);
      run.effects.attempts.push(...attemptsOf(run, state, effects, this.clock.now()));
      throw reason;
    }
  }

  /** How the current step ends if it is not carried on after an interrupted call; nothing without one. Nobody is called. */
  async judgeInterrupted(run: Run): Promise<StepReport | undefined> {
    const state = currentStep(run.record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined || openCalls(state).length === 0) return undefined;
    const task: StepTask = { run, step, state, now: this.clock.now(), isResumed: false };
    return this.handlers.get(state.type)?.endInterrupted?.(task);
  }

  /** @param before details of what came before the step was carried out */
  finish(run: Run, report: StepReport, before: readonly NewDetail[] = []): void {
    const { outcome } = report;
    if (outcome.kind === 'gather') run.entry = { slot: outcome.slot, until: outcome.until };
    // A step that only waited for its turn leaves no trail.
    if (outcome.kind !== 'busy' || outcome.hasBegun) {
      run.effects.add({ details: before });
      run.effects.add(report);
    }
    const context = this.clock.context();
    const { now } = context;
    const step = currentStep(run.record);
    const shouldStopOnFail = workflowStep(run)?.shouldStopOnFail === true;
    if (step !== undefined) run.effects.attempts.push(...attemptsOf(run, step, report, now));
    // The handlers of providers judge interrupted calls themselves.
    if (step !== undefined && outcome.kind === 'failed' && !('calls' in report.progress)) {
      run.effects.add({ details: interruptionDetails(step, now) });
    }
    const canceled = applyOutcome(run.record, report, { ...context, shouldStopOnFail });
    if (step !== undefined) noteStep(run, step, report, this.logger);
    if (canceled.length === 0) return;
    noteCanceledSteps(canceled);
    run.effects.add({ details: detailsOfCanceled(canceled, now) });
  }
}
