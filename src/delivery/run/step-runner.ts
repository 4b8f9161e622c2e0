import { Injectable } from '@nestjs/common';
import { mongo } from 'mongoose';
import { Clock, storeFault } from '#libs/common';
import { ConditionBudgetError, ConditionTemplateError } from '#libs/conditions';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { RenderingBusy } from '#libs/templates';
import { LeaseLost } from '#libs/work';
import type { Turns } from '#libs/worker-pool';
import { DETAIL, type NewDetail } from '../../execution-details/index.js';
import { attemptsOf } from './attempts.js';
import { type Run, workflowStep } from './run.js';
import { StepHandlers, type StepTask } from './step-handler.js';
import { combine, detailOf, interruptionOf, reportOf, type StepReport } from './step-report.js';
import { idsOf, noteCanceledSteps, noteStep } from './run-telemetry.js';
import { applyOutcome, currentStep, startStep } from './transitions.js';

/** How long a step waits whose message could not be rendered because too many others were waiting. */
const BUSY_MS = 1_000;

@Injectable()
export class StepRunner {
  private readonly retentionDays: number;

  constructor(
    private readonly handlers: StepHandlers,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

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
      const report = await this.carryOut(task);
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

  /** @param before details of what came before the step was carried out */
  finish(run: Run, report: StepReport, before: readonly NewDetail[] = []): void {
    const { outcome } = report;
    if (outcome.kind === 'gather') run.entry = { slot: outcome.slot, until: outcome.until };
    // A step that only waited for its turn leaves no trail.
    if (outcome.kind !== 'busy' || outcome.hasBegun) {
      run.effects.add({ details: before });
      run.effects.add(report);
    }
    const now = this.clock.now();
    const step = currentStep(run.record);
    const shouldStopOnFail = workflowStep(run)?.shouldStopOnFail === true;
    if (step !== undefined) run.effects.attempts.push(...attemptsOf(run, step, report, now));
    const canceled = applyOutcome(run.record, report, { now, shouldStopOnFail, retentionDays: this.retentionDays });
    if (step !== undefined) noteStep(run, step, report, this.logger);
    if (canceled.length === 0) return;
    noteCanceledSteps(canceled);
    const details = canceled.map((one) => detailOf(one, DETAIL.stepCanceled, now, { raw: { reason: one.reason } }));
    run.effects.add({ details });
  }

  /** @throws what leaves the step undecided: the store is unavailable, or the lease is lost */
  private async carryOut(task: StepTask): Promise<StepReport> {
    const { run, state, now } = task;
    if (run.facts.isTenantMissing === true) {
      const error = 'The tenant of the event is no longer there.';
      const detail = detailOf(state, DETAIL.tenantNotFound, now, { raw: { tenant: run.event.tenant } });
      return reportOf({ kind: 'failed', reason: 'tenant_missing', error }, [detail]);
    }
    const handler = this.handlers.get(state.type);
    if (handler === undefined) return unsupported(task);
    try {
      return await handler.run(task);
    } catch (error) {
      return this.interrupted(task, error);
    }
  }

  private interrupted({ run, state, now }: StepTask, error: unknown): StepReport {
    const { reason, effects } = interruptionOf(error);
    // While the store is unavailable nothing is decided: the lease ends, and the next attempt begins where this one did.
    const isUndecided = reason instanceof mongo.MongoError || storeFault(reason) !== undefined;
    if (isUndecided || reason instanceof LeaseLost) throw error;
    if (reason instanceof RenderingBusy) {
      const outcome = { kind: 'busy', at: new Date(now.getTime() + BUSY_MS), hasBegun: true } as const;
      return { outcome, progress: {}, ...effects };
    }
    const message = reason instanceof Error ? reason.message : 'unknown fault';
    const isCondition = reason instanceof ConditionBudgetError || reason instanceof ConditionTemplateError;
    if (!isCondition)
      this.logger.event('error', message, { ...idsOf(run.record), err: reason, context: StepRunner.name });
    const detail = isCondition ? DETAIL.processingFilterFailed : DETAIL.notificationError;
    return {
      outcome: isCondition
        ? { kind: 'failed', reason: 'conditions_failed', error: message }
        : { kind: 'failed', reason: 'internal_error', error: message, deadLetter: true },
      progress: {},
      ...combine(effects, { details: [detailOf(state, detail, now, { raw: { error: message } })] }),
    };
  }
}

/** Workflows that were saved before such types were refused still have such steps. */
function unsupported({ state, now }: StepTask): StepReport {
  const error = `Steps of the type ${state.type} are not run here. Remove the step from the workflow.`;
  const detail = detailOf(state, DETAIL.stepTypeNotRun, now, { raw: { type: state.type, error } });
  return reportOf({ kind: 'failed', reason: 'step_type_not_run', error }, [detail]);
}
