import { DAY_MS, HOUR_MS } from './tally.schema.js';

/** An hour is counted as soon as it is over, or a little later: processes write what they have done in batches. */
const SETTLING_MS = 60_000;
/** By then, most mails are opened and most delays have ended. */
const USUAL_MS = 11 * DAY_MS;
/** For hours with runs that have not ended, and messages that are read late. */
const LONGEST_MS = 35 * DAY_MS;
/** Records of the hour are still there, those of its beginning as well. */
const BEFORE_RETENTION_MS = HOUR_MS;

/** The age of an hour from which on it stays as it was counted last. @param retentionDays the shortest; 0 keeps everything */
export function finalAge(retentionDays: number, isOpen: boolean): number {
  const kept = retentionDays > 0 ? retentionDays * DAY_MS - BEFORE_RETENTION_MS : Infinity;
  return Math.min(kept, isOpen ? LONGEST_MS : USUAL_MS);
}

/**
 * At its end, and then each time that its age has doubled: late changes become rare.
 * @param finalMs of `finalAge`
 * @returns undefined if it is final
 */
export function recountAfter(at: Date, now: Date, finalMs: number): Date | undefined {
  const start = at.getTime();
  const end = start + HOUR_MS + SETTLING_MS;
  if (now.getTime() < end) return new Date(end);
  const age = 2 * (now.getTime() - start);
  return age > finalMs ? undefined : new Date(start + age);
}
