import { setTimeout as pause } from 'node:timers/promises';

/** A check that fails describes how, which costs more than the wait: the longer something takes, the less often it is looked at. */
const FIRST_MS = 10;
const LONGEST_MS = 100;
const SHARE = 0.2;
/** Long enough for a busy machine, and shorter than the limit of a test, so that the last fault is shown. */
const WITHIN_MS = 120_000;

/** Repeats a check until it holds. Fails with its last fault when it never does within the time. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const begun = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const elapsed = performance.now() - begun;
      if (elapsed > withinMs) throw error;
      await pause(Math.min(LONGEST_MS, FIRST_MS + elapsed * SHARE));
    }
  }
}
