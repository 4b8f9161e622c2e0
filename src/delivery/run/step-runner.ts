import { Injectable } from '@nestjs/common';
import { mongo } from 'mongoose';
import { Clock } from '#libs/common';
import { ConditionBudgetError, ConditionTemplateError } from '#libs/conditions';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { RenderingBusy } from '#libs/templates';
import { LeaseLost } from '#libs/work';
import type { Turns } from '#libs/worker-pool';
import { DETAIL } from '../../execution-details/index.js';
import { StepHandlers } from '../steps/step-handlers.js';
import type { StepTask } from '../steps/step-handler.js';
import { type Run, workflowStep } from './run.js';
import { applyResult, currentStep, startStep, type StepResult } from './transitions.js';

/** Until a step comes again whose message could not be rendered yet, because too many were waiting. */
const BUSY_MS = 1_000;

/** Carries out steps of runs in memory; what they did is written by others. */
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

  /** Goes on while the current step needs nothing but the store and this process. */
  async runStoreSteps(run: Run, turns: Turns): Promise<void> {
    for (;;) {
      await turns.offer();
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) return;
      if (step.lane !== 'store') return;
      await this.runCurrent(run);
      if (run.digestEntry !== undefined || state.status === 'delayed' || state.status === 'queued') return;
    }
  }

  /** Carries out the run's current step and moves the run on. */
  async runCurrent(run: Run): Promise<void> {
    const state = currentStep(run.record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined) return;
    const now = this.clock.now();
    const task: StepTask = { run, step, state, now, isResumed: state.status === 'delayed' };
    const result = await this.handle(task);
    // Nothing has happened that the trail should tell.
    if (result.kind === 'busy' && !result.hasBegun) run.effects.clear();
    this.finish(run, result);
  }

  /** Moves a run on by what became of its current step. */
  finish(run: Run, result: StepResult): void {
    if (result.kind === 'digest') run.digestEntry = { slot: result.slot, until: result.until };
    const now = this.clock.now();
    const pending = run.record.steps.filter(({ status }) => status === 'pending');
    applyResult(run.record, result, {
      now,
      shouldStopOnFail: workflowStep(run)?.shouldStopOnFail === true,
      retentionDays: this.retentionDays,
    });
    for (const step of pending) {
      if (step.status !== 'canceled') continue;
      run.effects.detail(step, DETAIL.stepCanceled, now, { raw: { reason: step.reason } });
    }
  }

  private async handle(task: StepTask): Promise<StepResult> {
    const { run, state, now } = task;
    if (state.status === 'pending') run.effects.detail(state, DETAIL.stepQueued, now);
    startStep(state, now);
    if (run.facts.isTenantMissing === true) {
      run.effects.detail(state, DETAIL.tenantNotFound, now, { raw: { tenant: run.event.tenant } });
      return { kind: 'failed', reason: 'tenant_missing', error: 'The tenant of the event is no longer there.' };
    }
    const handler = this.handlers.get(state.type);
    if (handler === undefined) return notRun(task);
    try {
      return await handler.run(task);
    } catch (error) {
      // While the store is away nothing is decided: the lease ends, and another attempt begins where this one did.
      if (error instanceof mongo.MongoError || error instanceof LeaseLost) throw error;
      // Nothing was begun: it comes again when others have had their turn.
      if (error instanceof RenderingBusy)
        return { kind: 'busy', at: new Date(now.getTime() + BUSY_MS), hasBegun: true };
      if (error instanceof ConditionBudgetError || error instanceof ConditionTemplateError) {
        run.effects.detail(state, DETAIL.processingFilterFailed, now, { raw: { error: error.message } });
        return { kind: 'failed', reason: 'conditions_failed', error: error.message };
      }
      this.logger.error(error, StepRunner.name);
      const message = error instanceof Error ? error.message : 'unknown fault';
      run.effects.detail(state, DETAIL.notificationError, now, { raw: { error: message } });
      return { kind: 'failed', reason: 'internal_error', error: message, deadLetter: true };
    }
  }
}

/** A workflow of before such types were refused still has one. */
function notRun({ run, state, now }: StepTask): StepResult {
  const error = `Steps of the type ${state.type} are not run here. Remove the step from the workflow.`;
  run.effects.detail(state, DETAIL.stepTypeNotRun, now, { raw: { type: state.type, error } });
  return { kind: 'failed', reason: 'step_type_not_run', error };
}
