import { withStepNames } from '../portable-steps.js';
import { type Difference, differencesOf } from './differences.js';

type Definition = object | null;

/** With the names of steps that definitions leave out, by which steps are compared. */
function named(definition: Definition): Definition {
  return definition === null || !('steps' in definition)
    ? definition
    : { ...definition, steps: withStepNames(definition.steps) };
}

/** What differs between definitions of two environments, of which null is none. */
export const workflowDifferences = {
  named: (before: Definition, after: Definition): [Definition, Definition] => [named(before), named(after)],
  of: (before: Definition, after: Definition): Difference[] =>
    after === null ? [] : before === null ? ofNew(after) : differencesOf(before, after),
};

/** Each step is one of its own, after what the workflow says. */
function ofNew(after: object): Difference[] {
  const { steps, ...rest } = after as { readonly steps?: unknown };
  return [...differencesOf({}, rest), ...(steps === undefined ? [] : differencesOf([], steps, ['steps']))];
}
