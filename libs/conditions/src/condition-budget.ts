import { setImmediate } from 'node:timers/promises';
import { ConditionBudgetError } from './condition.errors.js';

/** How long conditions compute before they yield to the event loop. */
const SLICE_MS = 10;
/** Limit for all conditions of a step; ordinary ones take less than a millisecond. */
const MAX_COMPUTING_MS = 2_000;
/** Limit of values with expressions in all conditions of a step. */
const MAX_RENDERED_VALUES = 1_000;

/** The computing budget of a step's conditions. Time spent waiting does not count. */
export class ConditionBudget {
  private computedMs = 0;
  private sliceMs = 0;
  private rendered = 0;

  /** Runs a piece of work, then yields if the slice is used up. @throws {ConditionBudgetError} */
  async compute<T>(work: () => T): Promise<T> {
    const begun = performance.now();
    const result = work();
    const took = performance.now() - begun;
    this.computedMs += took;
    this.sliceMs += took;
    if (this.computedMs > MAX_COMPUTING_MS) {
      throw new ConditionBudgetError(`The conditions take longer than ${MAX_COMPUTING_MS} ms to evaluate.`);
    }
    if (this.sliceMs > SLICE_MS) {
      this.sliceMs = 0;
      await setImmediate();
    }
    return result;
  }

  /** @throws {ConditionBudgetError} if a step has too many values to render */
  countRendering(): void {
    this.rendered += 1;
    if (this.rendered <= MAX_RENDERED_VALUES) return;
    throw new ConditionBudgetError(`The conditions have more than ${MAX_RENDERED_VALUES} values with expressions.`);
  }
}
