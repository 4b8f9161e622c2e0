import { StepError } from '#libs/plugins';
import type { StepResult } from '../records/plugin-step.types.js';

const MAX_OUTPUT_LENGTH = 10_000;
const RESULTS: readonly StepResult['status'][] = ['completed', 'skipped', 'waiting'];

/** @throws {StepError} if a plugin without types returned something else than a result, which would pass for a completed step */
export function checkedResult(result: unknown): StepResult {
  if (result === undefined || result === null) return { status: 'completed' };
  const { status, until } = result as { status?: unknown; until?: unknown };
  if (!RESULTS.some((known) => known === status)) {
    const what = typeof status === 'string' ? `the status '${status}'` : 'a value without a status';
    throw new StepError(`The step returned ${what}. The status must be one of ${RESULTS.join(', ')}.`, {
      retryable: false,
    });
  }
  if (status === 'waiting' && !(until instanceof Date && !Number.isNaN(until.getTime()))) {
    throw new StepError('The step returned `waiting` with an `until` that is not a valid Date.', { retryable: false });
  }
  const { output } = result as { output?: unknown };
  if (status !== 'completed' || output === undefined) return result as StepResult;
  return { status, output: plainOutput(output) };
}

/** @throws {StepError} if it is not a small object: it is stored with the run, at every step that follows */
function plainOutput(output: unknown): Readonly<Record<string, unknown>> {
  const text = typeof output === 'object' && !Array.isArray(output) && output !== null ? jsonOf(output) : undefined;
  if (text === undefined) {
    throw new StepError('The output of the step must be an object of plain data.', { retryable: false });
  }
  if (text.length > MAX_OUTPUT_LENGTH) {
    throw new StepError(`The output of the step is longer than ${MAX_OUTPUT_LENGTH} characters as JSON.`, {
      retryable: false,
    });
  }
  return JSON.parse(text) as Record<string, unknown>;
}

/** Undefined for what JSON cannot hold, such as a circle. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
