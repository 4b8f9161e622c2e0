import type { Clock } from '#libs/common';
import type { Claimable } from './work-queue.js';

/** What is known against a record that a worker has left behind. */
export interface Evidence {
  readonly takenUp: number;
  /** Largest group of suspects in which it is tried next. */
  readonly suspectGroup: number;
}

/** Size of the first groups of what a lost worker has left behind. */
const FIRST_GROUP = 500;
/** Memory, and the writes of one batch. */
const LARGEST_GROUP = 1_000;
/** A loss costs a lease and a new process, a group that ends well a fraction of a second: so the next ones are much smaller. */
const DIVISOR = 4;
/** Losses of a worker over a record that was tried alone which have to be among those that set it aside. */
const LOSSES_ALONE = 3;
/** For so long, a suspect that has to be alone keeps new groups back. */
const ALONE_FIRST_MS = 1_000;

type Suspicion = Pick<Claimable, 'takenUp' | 'suspectGroup'>;

/**
 * The rules by which records that kill their worker are told from those that were in the same process. Claims prove nothing: a
 * record is a suspect when the lease of its worker has ended. Losses in company count up to a limit below the one that sets a
 * record aside, so that only losses over a record that was tried alone lead there.
 */
export class SuspectRules {
  private readonly mostInCompany: number;

  /** @param maxLosses losses of workers after which a record is set aside */
  constructor(readonly maxLosses: number) {
    this.mostInCompany = Math.max(0, maxLosses - LOSSES_ALONE);
  }

  /** Of a record whose lease has ended without an outcome. */
  after({ takenUp = 0, suspectGroup }: Suspicion): Evidence {
    if (takenUp >= this.maxLosses) return { takenUp, suspectGroup: 1 };
    if (suspectGroup === 1) return { takenUp: takenUp + 1, suspectGroup: 1 };
    return {
      takenUp: Math.min(takenUp + 1, this.mostInCompany),
      suspectGroup: suspectGroup === undefined ? FIRST_GROUP : Math.max(1, Math.floor(suspectGroup / DIVISOR)),
    };
  }

  isHopeless({ takenUp = 0 }: Suspicion): boolean {
    return takenUp >= this.maxLosses;
  }

  /** A worker was lost over it while it was tried alone. */
  hasToBeAlone({ takenUp = 0 }: Suspicion): boolean {
    return takenUp > this.mostInCompany;
  }
}

interface Group {
  readonly of: object;
  readonly size: number;
  readonly until: number;
}

export interface Trial {
  /** What a loss of this process tells: with how many suspects a record was tried. */
  readonly size: number;
  /** @param how `unknown`: nothing was tried */
  end(how: 'well' | 'badly' | 'unknown'): void;
}

export interface SuspectsOptions {
  readonly clock: Clock;
  /** How long a group that does not end may hold up others, in milliseconds. */
  readonly maxBlockMs: number;
  readonly random?: () => number;
}

/**
 * The suspects that this process tries, of all kinds of work: any of them may kill it. Groups of different kinds run side by
 * side; a suspect that is alone runs without any other. After a loss, groups are a fraction of the one that was lost, whose size
 * is in the records. When as many have ended well as that one would make, they may be twice as large, and so on.
 */
export class Suspects {
  private readonly groups = new Set<Group>();
  private readonly listeners: (() => void)[] = [];
  private readonly random: () => number;
  private factor = 1;
  private endedWell = 0;
  private aloneAskedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: SuspectsOptions) {
    this.random = options.random ?? Math.random;
  }

  /** @param listener called when a group has ended */
  whenEnded(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** @param kind of work; each has one group at a time */
  isOpenTo(kind: object): boolean {
    return this.blocking().every(({ of, size }) => of !== kind && size > 1);
  }

  /**
   * Chooses the next group, as large as each of its records allows. Workers that choose at the same time mostly choose others.
   * @param heads those with the largest groups first
   */
  pick<T extends Suspicion>(heads: readonly T[], rules: SuspectRules, most = LARGEST_GROUP): T[] {
    const open = heads.filter((head) => !rules.hasToBeAlone(head));
    if (open.length === 0) return this.portionOf(heads, 1);
    const largest = Math.min(most, LARGEST_GROUP);
    const allowed = ({ suspectGroup = 1 }: T): number => Math.min(largest, suspectGroup * this.factor);
    let size = 0;
    for (const head of open) {
      if (size >= allowed(head)) break;
      size += 1;
    }
    const fit = open.filter((head) => allowed(head) >= size);
    return this.portionOf(fit, size);
  }

  /** @returns undefined while others are tried that it must not run beside */
  begin(kind: object, count: number): Trial | undefined {
    const now = this.options.clock.now().getTime();
    const blocking = this.blocking();
    if (count === 1 && blocking.length > 0) this.aloneAskedAt = now;
    const isHeldBack = count > 1 && Math.abs(now - this.aloneAskedAt) < ALONE_FIRST_MS;
    if (!this.isOpenTo(kind) || isHeldBack || (count === 1 && blocking.length > 0)) return undefined;
    if (count === 1) this.aloneAskedAt = Number.NEGATIVE_INFINITY;
    // One that does not end is company for all after it.
    const size = this.groups.size > 0 ? Math.max(2, count) : count;
    const group: Group = { of: kind, size, until: now + this.options.maxBlockMs };
    this.groups.add(group);
    return {
      size,
      end: (how) => {
        this.groups.delete(group);
        this.learn(how);
        for (const listener of this.listeners) listener();
      },
    };
  }

  private learn(how: 'well' | 'badly' | 'unknown'): void {
    if (how === 'unknown') return;
    this.endedWell = how === 'well' ? this.endedWell + 1 : 0;
    if (how === 'badly') this.factor = 1;
    else if (this.endedWell % DIVISOR === 0) this.factor = Math.min(2 * this.factor, LARGEST_GROUP);
  }

  private blocking(): Group[] {
    const now = this.options.clock.now().getTime();
    return [...this.groups].filter(({ until }) => until > now);
  }

  private portionOf<T>(heads: readonly T[], size: number): T[] {
    const portions = Math.max(1, Math.floor(heads.length / size));
    const from = Math.floor(this.random() * portions) * size;
    return heads.slice(from, from + size);
  }
}
