import { Injectable } from '@nestjs/common';
import type { Claimable } from '../records/notification.record.js';
import { SUSPECT_CLAIMS } from './work-queue.js';
import { WorkQueues } from './work-queues.js';

/** What is to be done with records that were claimed together. */
export interface Admitted<T> {
  /** Nobody has died over these, or once at most: at once, together. */
  readonly clean: T[];
  /** To be counted and worked on now, with nothing else beside it that somebody may have died over. */
  readonly alone: T[];
  /** To be given back until then. */
  readonly later: readonly { readonly records: T[]; readonly at: Date }[];
  /** Taken up too often: to be set aside. */
  readonly hopeless: T[];
}

/** What was left behind once goes a few at a time, afterwards each goes alone: so at last only the one remains that kills. */
const GROUP = 25;
const PAUSE_MS = 250;
/** Work that does not come back must not keep all other suspects waiting. */
const LEASES = 6;

/**
 * Tells the work that kills its worker from the work that was only beside it. Whatever a dead worker had in hand looks the
 * same afterwards; so what was left behind is tried one after the other in each process. The claims of suspects do not
 * count, only that somebody begins with them: many of them wait, and who waits kills nobody.
 */
@Injectable()
export class Suspects {
  private busyUntil = 0;

  constructor(private readonly queues: WorkQueues) {}

  admit<T extends Claimable>(records: readonly T[]): Admitted<T> {
    const { maxClaims } = this.queues;
    const claims = ({ takenUp = 0 }: T): number => takenUp;
    const suspects = records.filter((one) => claims(one) >= SUSPECT_CLAIMS && claims(one) <= maxClaims);
    const isBusy = this.queues.now().getTime() < this.busyUntil;
    const alone = isBusy ? [] : firstGroup(suspects, claims);
    if (alone.length > 0) this.busyUntil = this.queues.now().getTime() + LEASES * this.queues.notifications.leaseMs;
    return {
      clean: records.filter((one) => claims(one) < SUSPECT_CLAIMS),
      alone,
      later: this.inTime(suspects.filter((one) => !alone.includes(one))),
      hopeless: records.filter((one) => claims(one) > maxClaims),
    };
  }

  /** The ones that were admitted alone are done. */
  done(): void {
    this.busyUntil = 0;
  }

  /** A few at a time, so that a claim does not meet all of them again and again. */
  private inTime<T>(records: readonly T[]): { records: T[]; at: Date }[] {
    const now = this.queues.now().getTime();
    const groups: { records: T[]; at: Date }[] = [];
    for (let from = 0; from < records.length; from += GROUP) {
      const at = new Date(now + PAUSE_MS * (groups.length + 1));
      groups.push({ records: records.slice(from, from + GROUP), at });
    }
    return groups;
  }
}

function firstGroup<T>(suspects: readonly T[], claims: (one: T) => number): T[] {
  const few = suspects.filter((one) => claims(one) === SUSPECT_CLAIMS).slice(0, GROUP);
  return few.length > 0 ? few : suspects.slice(0, 1);
}
