import type { Failure } from '../api/failure.js';
import type { DraftStep } from '../drafts/draft.js';

/** The steps that a refused save names, such as `steps.2.template.content must not be empty`. */
export function faultySteps(steps: readonly DraftStep[], failure: Failure | undefined): ReadonlySet<string> {
  const named = (failure?.texts ?? []).flatMap((text) => {
    const [, place] = /^steps\.(\d+)\./.exec(text) ?? [];
    const step = place === undefined ? undefined : steps[Number(place)];
    return step === undefined ? [] : [step.uuid];
  });
  return new Set(named);
}
