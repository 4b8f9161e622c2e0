import { setImmediate } from 'node:timers/promises';
import { ConditionBudgetError } from './condition.errors.js';

/** Conditions yield to the event loop after this time. */
const SLICE_MS = 10;
/** For all conditions of a step; ordinary ones take less than a millisecond. */
const MAX_COMPUTING_MS = 2_000;
/** Values with expressions in all conditions of a step. */
const MAX_RENDERED_VALUES = 1_000;

/** Per step. Time spent waiting does not count. */
export class ConditionBudget {
  private computedMs = 0;
  private sliceMs = 0;
  private rendered = 0;

  /** Yields when the slice is used up. @throws {ConditionBudgetError} */
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

  /** @throws {ConditionBudgetError} */
  countRendering(): void {
    this.rendered += 1;
    if (this.rendered <= MAX_RENDERED_VALUES) return;
    throw new ConditionBudgetError(`The conditions have more than ${MAX_RENDERED_VALUES} values with expressions.`);
  }
}
