import { useLayoutEffect } from 'preact/hooks';
import type { Failure } from '../api/failure.js';
import type { DraftStep } from '../drafts/draft.js';
import { titleOf } from '../drafts/step-words.js';

/** The steps that a refused save names, in their order. */
export function faultySteps(steps: readonly DraftStep[], failure: Failure | undefined): readonly string[] {
  const places = (failure?.faults ?? []).flatMap(({ path }) => /^steps\.(\d+)\./.exec(path)?.[1] ?? []);
  return steps.flatMap(({ uuid }, at) => (places.includes(String(at)) ? [uuid] : []));
}

/** What a refused save says, with the names of the steps. */
export function namedFailure(steps: readonly DraftStep[], failure: Failure): Failure {
  const named = (text: string): string =>
    text.replace(/^Step (\d+)/, (place, number: string) => {
      const step = steps[Number(number) - 1];
      return step === undefined ? place : `${place} (${titleOf(step)})`;
    });
  return { ...failure, texts: failure.texts.map(named) };
}

/** Opens the first step that a refused save names, and goes to the first field beside which a fault stands, or to what is said of it. */
export function useGoToFault(
  failure: Failure | undefined,
  steps: readonly DraftStep[],
  choose: (uuid: string | undefined) => void,
): void {
  const [first] = faultySteps(steps, failure);
  useLayoutEffect(() => {
    if (failure === undefined) return undefined;
    if (first !== undefined) choose(first);
    // The form of the step is drawn by then.
    const frame = requestAnimationFrame(() => {
      const field = document.querySelector('.editor .faulty');
      const place = field ?? document.querySelector('.notice.bad');
      place?.scrollIntoView({ block: 'center' });
      field?.querySelector<HTMLElement>('input, select, textarea, .cm-content')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [failure]);
}
