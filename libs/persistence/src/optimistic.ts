import { setTimeout as sleep } from 'node:timers/promises';
import { storeFault } from '#libs/common';

const ATTEMPTS = 60;
/** Few, because an engine may need a second to notice that two writes block each other. */
const MAX_CONFLICTS = 5;
const MAX_PAUSE_MS = 20;

/**
 * Retries lost races and write conflicts.
 * @param attempt returns undefined if another writer was faster
 * @param giveUp makes the error after the last attempt
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>, giveUp = contention): Promise<T> {
  let conflicts = 0;
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const result = await attempt().catch((error: unknown) => {
      if (storeFault(error) !== 'conflict' || ++conflicts > MAX_CONFLICTS) throw error;
      return undefined;
    });
    if (result !== undefined) return result;
    await sleep(Math.random() * Math.min(MAX_PAUSE_MS, tries + 1));
  }
  throw giveUp();
}

function contention(): Error {
  return new Error('Other writers changed the record in every attempt.');
}
