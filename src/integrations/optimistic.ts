import { setTimeout as sleep } from 'node:timers/promises';
import { TooMuchContention } from './integrations.errors.js';

const ATTEMPTS = 60;
const MOST_MS = 20;

/**
 * Repeats a change that is written only over the state it was made from, until it is.
 * @param attempt gives undefined when somebody else was quicker
 * @throws {TooMuchContention}
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(Math.random() * Math.min(MOST_MS, tries + 1));
  }
  throw new TooMuchContention();
}
