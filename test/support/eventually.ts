import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 20;
/** Long enough for a busy machine, and shorter than the limit of a test, so that the last fault is shown. */
const WITHIN_MS = 120_000;

/** Repeats a check until it holds. Fails with its last fault when it never does within the time. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(STEP_MS);
    }
  }
}
