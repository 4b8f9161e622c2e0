import { setImmediate } from 'node:timers/promises';
import { ConditionBudgetError } from './condition.errors.js';

/** For how long conditions may compute before others have their turn, in milliseconds. */
const SLICE_MS = 10;
/** What all conditions of a step may compute together, in milliseconds; as people write them they take less than one. */
const MAX_COMPUTING_MS = 2_000;
/** Values with expressions, in all conditions of a step. */
const MAX_RENDERED_VALUES = 1_000;

/** What the conditions of one step may still use up. Waiting for others does not count. */
export class ConditionBudget {
  private computedMs = 0;
  private sliceMs = 0;
  private rendered = 0;

  /** Does a piece of work, and lets others have their turn where it was time for it. @throws {ConditionBudgetError} */
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

  /** Counts a value that has to be rendered. @throws {ConditionBudgetError} */
  countRendering(): void {
    this.rendered += 1;
    if (this.rendered <= MAX_RENDERED_VALUES) return;
    throw new ConditionBudgetError(`The conditions have more than ${MAX_RENDERED_VALUES} values with expressions.`);
  }
}
