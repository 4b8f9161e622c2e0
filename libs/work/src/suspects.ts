import type { Clock } from '#libs/common';
import type { Claimable } from './work-queue.js';

export interface Admitted<T> {
  /** Start at once, together. */
  readonly clean: T[];
  /** Count as claimed and start now, with no other suspect in flight. */
  readonly alone: T[];
  /** Release until the given time. */
  readonly later: readonly { readonly records: T[]; readonly at: Date }[];
  /** Set aside: claimed too often. */
  readonly hopeless: T[];
}

export interface SuspectRules {
  /** Records taken up this often without an outcome are suspects. */
  readonly suspectClaims: number;
  /** Records taken up more often than this are hopeless. */
  readonly maxClaims: number;
  /** How long one suspect that does not end may block the others, in milliseconds. */
  readonly maxBlockMs: number;
}

/** The first retry takes a few suspects at a time, later ones one: in the end only the record that kills remains. */
const GROUP_SIZE = 25;
const PAUSE_MS = 250;

/**
 * Tells records that kill their worker from records that were only in flight in the same process: after a crash they look
 * alike. So each process retries suspects one after the other. Their claims do not count, only the start of work on them:
 * a record that is waiting cannot kill a worker.
 */
export class Suspects {
  private busyUntil = 0;

  constructor(
    private readonly rules: SuspectRules,
    private readonly clock: Clock,
  ) {}

  admit<T extends Claimable>(records: readonly T[]): Admitted<T> {
    const { suspectClaims, maxClaims, maxBlockMs } = this.rules;
    const hopeless = records.filter(({ takenUp = 0 }) => takenUp > maxClaims);
    const clean = records.filter(({ takenUp = 0 }) => takenUp < suspectClaims && takenUp <= maxClaims);
    const suspects = records.filter(({ takenUp = 0 }) => takenUp >= suspectClaims && takenUp <= maxClaims);
    const now = this.clock.now().getTime();
    const alone = now < this.busyUntil ? [] : this.firstGroup(suspects);
    if (alone.length > 0) this.busyUntil = now + maxBlockMs;
    return { clean, alone, later: inGroups(suspects, alone, now), hopeless };
  }

  done(): void {
    this.busyUntil = 0;
  }

  private firstGroup<T extends Claimable>(suspects: readonly T[]): T[] {
    const group = suspects.filter(({ takenUp }) => takenUp === this.rules.suspectClaims).slice(0, GROUP_SIZE);
    return group.length > 0 ? group : suspects.slice(0, 1);
  }
}

/** A few at a time, so that later claims do not return all of them again. */
function inGroups<T>(suspects: readonly T[], alone: readonly T[], now: number): { records: T[]; at: Date }[] {
  const waiting = suspects.filter((one) => !alone.includes(one));
  const groups: { records: T[]; at: Date }[] = [];
  for (let from = 0; from < waiting.length; from += GROUP_SIZE) {
    const at = new Date(now + PAUSE_MS * (groups.length + 1));
    groups.push({ records: waiting.slice(from, from + GROUP_SIZE), at });
  }
  return groups;
}
