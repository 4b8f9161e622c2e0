import type { StepState, StepType } from '../records/notification.record.js';
import type { Run } from './run.js';
import type { RunStep } from '../records/run-workflow.js';
import type { StepResult } from './transitions.js';

/** A step of a run that a handler is to carry out, at a moment. */
export interface StepTask {
  readonly run: Run;
  readonly step: RunStep;
  readonly state: StepState;
  readonly now: Date;
  /** It waited for its moment, and the moment has come. */
  readonly isResumed: boolean;
}

/** Carries out the steps of one type. What it makes goes into the run's effects; what becomes of the step is its result. */
export interface StepHandler {
  readonly type: StepType;
  run(task: StepTask): Promise<StepResult>;
}
