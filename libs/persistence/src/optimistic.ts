import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 60;
const MAX_PAUSE_MS = 20;

/**
 * Repeats a conditional write until it succeeds.
 * @param attempt returns undefined if another writer was faster
 * @param giveUp makes the error for the case that no attempt succeeds
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>, giveUp = contention): Promise<T> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(Math.random() * Math.min(MAX_PAUSE_MS, tries + 1));
  }
  throw giveUp();
}

function contention(): Error {
  return new Error('Other writers changed the record in every attempt.');
}
