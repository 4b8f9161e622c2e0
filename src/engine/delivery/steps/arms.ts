import { described, named, object } from '#libs/validation';
import { z } from 'zod';
import type { RunStep } from '../records/workflow-version.js';
import type { Run } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { StepOutcome } from '../run/transitions.js';
import type { TrailText } from '#libs/plugins';

/** What steps of types with arms show in a dry run. */
export const foreseenArm = named(
  'DryRunArmResponse',
  object({ name: described(z.string(), { description: 'Name of the arm.', example: 'else' }) }),
  'Which arm a step would take.',
);

/** Ends a step that has chosen an arm. The choice is kept as what it hands on, so later steps and templates know it. */
export function takes(
  task: StepTask,
  arm: string,
  text: TrailText,
  why: Readonly<Record<string, unknown>>,
): StepOutcome {
  const output = { arm };
  if (task.witness) task.witness.foreseen['arm'] = { name: arm };
  task.recorder.note(text, { raw: { ...output, ...why } });
  // What templates see includes the output.
  delete task.run.variables;
  return { kind: 'completed', progress: { output } };
}

/** Whether a step stands in no arm, or in one that the run has taken. */
export function isInTakenArm({ record, workflow }: Run, { branch }: RunStep): boolean {
  if (branch === undefined) return true;
  const decider = workflow.steps.find(({ uuid, stepId }) => uuid === branch.step || stepId === branch.step);
  const state = decider && record.steps.find(({ stepId }) => stepId.equals(decider._id));
  return state?.output?.['arm'] === branch.arm;
}
