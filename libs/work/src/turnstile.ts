/** Thrown when the queue for this key is too slow; retry after `retryAfterMs`. */
export class LineTooSlow extends Error {
  /** @param retryAfterMs estimated time until the caller's turn */
  constructor(readonly retryAfterMs: number) {
    super('Too many callers are already waiting for the same turn.');
    this.name = 'LineTooSlow';
  }
}

export interface TurnstileLimits {
  /** It may change while work is inside. */
  readonly most: number;
  /** Limit of callers inside or waiting once the work has become slow. */
  readonly hold: number;
}

interface Gate {
  inside: number;
  /** Start times of the work in flight. */
  readonly begun: Set<{ readonly at: number }>;
  readonly waiting: (() => void)[];
  /** Moving average of how long work takes, in milliseconds. */
  pace: number;
  /** Until when turns are promised to callers that were rejected. */
  promisedUntil: number;
}

/** Waiting this long is cheaper than coming again. */
const PATIENCE_MS = 1_000;
/** Longest time to retry after: the pace may change. */
const LONGEST_MS = 30_000;
const WEIGHT_OF_LATEST = 0.3;

/**
 * Limits concurrency per key; further callers wait in order of arrival. Where that takes long, only a few may wait, which
 * is enough to keep the limit used, and the rest is rejected with a time to retry after: a waiting caller holds a slot
 * that work with other keys could use.
 */
export class Turnstile {
  private readonly gates = new Map<string, Gate>();

  /** @param now monotonic, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws {LineTooSlow} before `work` has begun */
  async through<T>(key: string, limits: TurnstileLimits, work: () => Promise<T>): Promise<T> {
    const gate = this.gates.get(key) ?? { inside: 0, begun: new Set(), waiting: [], pace: 0, promisedUntil: 0 };
    this.gates.set(key, gate);
    this.admit(gate, limits);
    if (gate.inside < limits.most) gate.inside += 1;
    else await this.turn(gate, limits);
    const visit = { at: this.now() };
    gate.begun.add(visit);
    try {
      return await work();
    } finally {
      gate.begun.delete(visit);
      gate.pace += (this.now() - visit.at - gate.pace) * WEIGHT_OF_LATEST;
      gate.inside -= 1;
      this.admit(gate, limits);
      if (gate.inside === 0) this.gates.delete(key);
    }
  }

  /** Those who wait come first, so that a new caller cannot slip in between, also where the limit has just grown. */
  private admit(gate: Gate, limits: TurnstileLimits): void {
    while (gate.inside < limits.most) {
      const next = gate.waiting.shift();
      if (next === undefined) return;
      gate.inside += 1;
      next();
    }
  }

  private async turn(gate: Gate, limits: TurnstileLimits): Promise<void> {
    if (this.isTooSlow(gate, limits, gate.waiting.length)) throw this.rejection(gate, limits);
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((enter, leave) => {
        gate.waiting.push(enter);
        timer = setInterval(() => {
          const position = gate.waiting.indexOf(enter);
          if (position < 0 || !this.isTooSlow(gate, limits, position)) return;
          gate.waiting.splice(position, 1);
          leave(this.rejection(gate, limits));
        }, PATIENCE_MS);
      });
    } finally {
      clearInterval(timer);
    }
  }

  /** @param position in the line, from 0 */
  private isTooSlow(gate: Gate, { most, hold }: TurnstileLimits, position: number): boolean {
    return most + position >= hold && this.waitFor(gate, most, position) > PATIENCE_MS;
  }

  private waitFor(gate: Gate, most: number, position: number): number {
    return (this.paceOf(gate) * (position + 1)) / most;
  }

  /** Work that has not ended says more about the pace than work that has. */
  private paceOf({ pace, begun }: Gate): number {
    const [oldest] = begun;
    return oldest === undefined ? pace : Math.max(pace, this.now() - oldest.at);
  }

  private rejection(gate: Gate, { most }: TurnstileLimits): LineTooSlow {
    const now = this.now();
    const free = Math.max(gate.promisedUntil, now + this.waitFor(gate, most, gate.waiting.length));
    gate.promisedUntil = Math.min(free + this.paceOf(gate) / most, now + LONGEST_MS);
    return new LineTooSlow(Math.min(free - now, LONGEST_MS));
  }
}
