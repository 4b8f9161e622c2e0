import { Injectable } from '@nestjs/common';
import { mongo } from 'mongoose';
import { inTenantScope, storeFault } from '#libs/common';
import { isChannel } from '#libs/channels';
import { AppLogger } from '#libs/http-kit';
import { STEP_TYPES, STORED_TYPES } from '#libs/plugins';
import { RenderingBusy } from '#libs/templates';
import { LeaseLost } from '#libs/work';
import type { Turns } from '#libs/worker-pool';
import { DETAIL } from '../../execution-details/index.js';
import type { NewMessage } from '../../messages/store/index.js';
import { openCalls } from '../records/step-state.js';
import type { RunStep } from '../records/workflow-version.js';
import { RunCanceled } from './begun-calls.js';
import { attemptsOf, detailsOfEnded, interruptionDetails, StepRecorder } from './step-recorder.js';
import { type Run, RunClock, tenantOf, workflowStep } from './run.js';
import { StepEnded, StepHandlers, type StepTask } from './step-handler.js';
import { UnwrittenSends } from './unwritten-sends.js';
import { idsOf, noteEndedSteps, noteStep } from './run-telemetry.js';
import { applyOutcome, currentStep, startStep, type StepOutcome, type StepProgress } from './transitions.js';

/** A step whose call an earlier holder of the run has begun, and how it ends. */
export interface JudgedStep {
  readonly task: StepTask;
  readonly outcome: StepOutcome;
}

@Injectable()
export class StepRunner {
  constructor(
    private readonly handlers: StepHandlers,
    private readonly unwritten: UnwrittenSends,
    private readonly clock: RunClock,
    private readonly logger: AppLogger,
  ) {}

  /** Restores in claimed runs what workers had delivered that died before they wrote it. */
  recall(runs: readonly Run[]): Promise<void> {
    return this.unwritten.recall(runs.filter(wasLeftBehind));
  }

  /**
   * Carries out steps as long as they need only the store and this process. What the step before has learned outside is stored
   * first: whoever takes the run up later cannot learn it again.
   */
  async runStoreSteps(run: Run, turns: Turns): Promise<void> {
    for (;;) {
      const pause = turns.offer();
      if (pause !== undefined) await pause;
      const state = currentStep(run.record);
      const step = workflowStep(run);
      if (state === undefined || step === undefined) return;
      if (step.lane !== 'store' || (run.hasNews === true && STEP_TYPES.get(state.type)?.onlyWaits !== true)) return;
      await this.runCurrent(run);
      if (run.entry !== undefined || state.status === 'delayed' || state.status === 'queued') return;
    }
  }

  async runCurrent(run: Run): Promise<void> {
    const task = this.taskOf(run);
    if (task === undefined) return;
    const { state, now, recorder } = task;
    if (state.status === 'pending') recorder.note(DETAIL.stepQueued);
    startStep(state, now);
    let outcome: StepOutcome | undefined;
    try {
      const over = this.unwritten.outcomeOf(task);
      outcome = over && { ...over, progress: { ...over.progress, ...(await this.recallStep(task)) } };
      outcome ??= await runStep(this.handlers, task, (message, err) => {
        this.logger.event('error', message, { ...idsOf(run.record), err, context: StepRunner.name });
      });
    } finally {
      // What was sent before a fault stays in the run: it is kept even if another worker holds the run by now.
      this.addEffects(task, outcome);
    }
    this.finish(run, outcome, recorder.messages);
    if (state !== currentStep(run.record) && isDecisive(task.step)) run.hasNews = true;
  }

  /** How the current step ends if it is not carried on after an interrupted call; nothing without one. Nobody is called. */
  async judgeInterrupted(run: Run): Promise<JudgedStep | undefined> {
    const task = this.taskOf(run);
    if (task === undefined || openCalls(task.state).length === 0) return undefined;
    const outcome = await this.handlers.get(task.state.type)?.endInterrupted?.(task);
    return outcome && { task, outcome };
  }

  /** Ends a step that was judged. */
  endJudged({ task, outcome }: JudgedStep): void {
    this.addEffects(task, outcome);
    this.finish(task.run, outcome, task.recorder.messages);
  }

  /** Moves a run on by the outcome of its current step. @param messages of the step */
  finish(run: Run, outcome: StepOutcome, messages: readonly NewMessage[] = []): void {
    if (outcome.kind === 'gather') run.entry = { slot: outcome.slot, until: outcome.until };
    const context = this.clock.context();
    const { now } = context;
    const step = currentStep(run.record);
    const shouldStopOnFail = workflowStep(run)?.shouldStopOnFail === true && !this.unwritten.hasGoneOn(run);
    // The handlers of providers judge interrupted calls themselves.
    if (step !== undefined && outcome.kind === 'failed' && !('calls' in (outcome.progress ?? {}))) {
      run.effects.add({ details: interruptionDetails(step, now) });
    }
    const canceled = applyOutcome(run.record, outcome, { ...context, shouldStopOnFail });
    if (step !== undefined) noteStep(run, step, outcome, messages, this.logger);
    if (canceled.length === 0) return;
    noteEndedSteps(canceled);
    run.effects.add({ details: detailsOfEnded(canceled, now) });
  }

  private async recallStep(task: StepTask): Promise<StepProgress | undefined> {
    return this.handlers.get(task.state.type)?.recall?.(task);
  }

  private taskOf(run: Run): StepTask | undefined {
    const state = currentStep(run.record);
    const step = workflowStep(run);
    if (state === undefined || step === undefined) return undefined;
    const now = this.clock.now();
    const recorder = new StepRecorder(state, now);
    return { run, step, state, now, isResumed: state.status === 'delayed', recorder };
  }

  /** Adds what a step has done to what its run has done. @param outcome absent: the step was interrupted by a fault */
  private addEffects({ run, state, recorder }: StepTask, outcome: StepOutcome | undefined): void {
    // A step that only waited for its turn leaves no trail.
    if (outcome?.kind === 'busy' && !outcome.hasBegun) return;
    run.effects.add(recorder);
    run.effects.attempts.push(...attemptsOf(run, state, recorder, outcome, this.clock.now()));
  }
}

/** A worker has died over it, or over the expansion of its event. */
function wasLeftBehind({ record, event }: Run): boolean {
  return record.suspectGroup !== undefined || (event.claims > 0 && record.current === 0);
}

/** It asks others, and its answer is what later steps use, or its failure ends the run. */
function isDecisive({ lane, type, shouldStopOnFail }: RunStep): boolean {
  return lane !== 'store' && (!isChannel(type) || shouldStopOnFail === true);
}

/** How long a step waits whose message could not be rendered because too many others were waiting. */
const BUSY_MS = 1_000;

/**
 * Runs one step with the handler of its type. Changes nothing of its run.
 * @param onFault called with faults that are nobody's but Herald's
 * @throws what leaves the step undecided: the store is unavailable, the lease is lost, or the run was canceled
 */
export async function runStep(
  handlers: StepHandlers,
  task: StepTask,
  onFault: (message: string, reason: unknown) => void,
): Promise<StepOutcome> {
  const { run, state, recorder } = task;
  if (run.facts.isTenantMissing === true) {
    const error = 'The tenant of the event is no longer there.';
    recorder.note(DETAIL.tenantNotFound, { raw: { tenant: run.event.tenant } });
    return { kind: 'failed', reason: 'tenant_missing', error };
  }
  const handler = handlers.get(state.type);
  if (handler === undefined) return outcomeOfUnknownType(task, onFault);
  try {
    // What has begun the work may have been the request of somebody else.
    return await inTenantScope({ tenant: tenantOf(run.event) }, () => handler.run(task));
  } catch (error) {
    return outcomeOfFault(task, error, onFault);
  }
}

function outcomeOfFault(
  { now, recorder }: StepTask,
  reason: unknown,
  onFault: (message: string, reason: unknown) => void,
): StepOutcome {
  // While the store is unavailable nothing is decided: the lease ends, and the next attempt begins where this one did.
  const isUndecided = reason instanceof mongo.MongoError || storeFault(reason) !== undefined;
  if (isUndecided || reason instanceof LeaseLost || reason instanceof RunCanceled) throw reason;
  if (reason instanceof StepEnded) return reason.outcome;
  if (reason instanceof RenderingBusy) {
    return { kind: 'busy', at: new Date(now.getTime() + BUSY_MS), hasBegun: true };
  }
  const error = reason instanceof Error ? reason.message : 'unknown fault';
  onFault(error, reason);
  recorder.note(DETAIL.notificationError, { raw: { error } });
  return { kind: 'failed', reason: 'internal_error', error, deadLetter: true };
}

/** Workflows still have steps that were saved before their types were refused, or while a plugin carried them out. */
function outcomeOfUnknownType(
  { state, recorder }: StepTask,
  onFault: (message: string, reason: unknown) => void,
): StepOutcome {
  const isOfPlugin = !STORED_TYPES.includes(state.type);
  const error = isOfPlugin
    ? `No plugin of this process has steps of the type ${state.type}. Enter the plugin in HERALD_PLUGINS of every process, or remove the step from the workflow.`
    : `Steps of the type ${state.type} are not run here. Remove the step from the workflow.`;
  if (isOfPlugin) onFault(error, undefined);
  recorder.note(DETAIL.stepTypeNotRun, { raw: { type: state.type, error } });
  return { kind: 'failed', reason: 'step_type_not_run', error };
}
