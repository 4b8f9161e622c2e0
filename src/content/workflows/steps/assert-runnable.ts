import { STEP_TYPES, STORED_TYPES } from '#libs/plugins';
import { StepsNotRunnable } from '../workflows.errors.js';
import type { Step, StepVariant } from './step.schema.js';

/**
 * Rejects steps that could only fail. Checks them as they would be stored: an update without content keeps it.
 */
export function assertRunnable(steps: readonly Step[]): void {
  const faults = steps.flatMap((step, index) => [
    ...faultsOf(step, `steps.${index}`),
    ...step.variants.flatMap((variant, place) => faultsOf(variant, `steps.${index}.variants.${place}`)),
  ]);
  if (faults.length > 0) throw new StepsNotRunnable(faults);
}

function faultsOf({ template }: Pick<StepVariant, 'template'>, path: string): string[] {
  const { type } = template;
  if (STORED_TYPES.includes(type)) {
    return [`${path}.template.type must not be ${type}: such steps are not run here. Use one of ${typesInWords()}`];
  }
  const fault = STEP_TYPES.get(type)?.runFault?.(template);
  return fault === undefined ? [] : [`${path}.template.${fault}`];
}

function typesInWords(): string {
  const { run } = STEP_TYPES;
  return `${run.slice(0, -1).join(', ')} and ${run.at(-1) ?? ''}`;
}
