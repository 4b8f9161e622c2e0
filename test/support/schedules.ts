/** A number from 0 to 1, without 1. */
export type Random = () => number;

/** Random numbers that a seed repeats. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Paused {
  readonly worker: number;
  readonly resume: () => void;
}

/** Lets several workers go on one step at a time, in an order that the test chooses. */
export class Schedule {
  private readonly paused: Paused[] = [];
  private readonly dead = new Set<number>();
  readonly stalled = new Set<number>();
  private underWay = 0;

  constructor(readonly random: () => number) {}

  /** A place at which a worker waits for its turn. A dead one waits for ever. */
  point(worker: number): Promise<void> {
    return new Promise((resume) => {
      if (!this.dead.has(worker)) this.paused.push({ worker, resume });
    });
  }

  /** Calls of a store that answers later: who waits for one is not at rest. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }

  /** One of the numbers below `count`. */
  pick(count: number): number {
    return count === 1 ? 0 : Math.floor(this.random() * count);
  }

  kill(worker: number): void {
    this.dead.add(worker);
    this.stalled.delete(worker);
    for (let place = this.paused.length - 1; place >= 0; place -= 1) {
      if (this.paused[place]?.worker === worker) this.paused.splice(place, 1);
    }
  }

  /** Lets one worker do its next step. @returns false when nobody can go on */
  async step(): Promise<boolean> {
    await turn();
    let ready = this.ready();
    // Work that is handed on within a worker takes a few turns of the event loop.
    for (let look = 0; this.underWay > 0 || (ready.length === 0 && look < 4); look += 1) {
      await turn();
      ready = this.ready();
    }
    const next = ready[Math.floor(this.random() * ready.length)];
    if (next === undefined) return false;
    this.paused.splice(this.paused.indexOf(next), 1);
    next.resume();
    return true;
  }

  private ready(): Paused[] {
    return this.paused.filter(({ worker }) => !this.stalled.has(worker));
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
