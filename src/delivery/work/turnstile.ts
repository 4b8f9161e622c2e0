/** Somebody else's work takes long, so this one leaves the line instead of holding a place for it. */
export class LineTooSlow extends Error {
  /** @param retryAfterMs when it should be this one's turn */
  constructor(readonly retryAfterMs: number) {
    super('Others wait for the same turn, and it takes long.');
    this.name = 'LineTooSlow';
  }
}

export interface TurnstileLimits {
  /** Most that are inside at once. */
  readonly most: number;
  /** Most that are inside or wait once it has become slow. */
  readonly hold: number;
}

interface Gate {
  inside: number;
  /** When the work that is under way began. */
  readonly begun: Set<{ readonly at: number }>;
  readonly waiting: (() => void)[];
  /** How long work takes, in milliseconds; the latest counts most. */
  pace: number;
  /** Until when turns are promised to those who left. */
  promisedUntil: number;
}

/** Waiting for so long is fine: it costs less than to come again. */
const PATIENCE_MS = 1_000;
/** Nobody is sent away for longer: the pace may change. */
const LONGEST_MS = 30_000;
const WEIGHT_OF_LATEST = 0.3;

/**
 * Lets only so many through at once for each key; the others wait in the order in which they came. Where that takes long,
 * a few wait, which is enough to keep everybody inside busy, and the rest is sent away with a time to come again: who waits
 * holds a place that work with other keys could use.
 */
export class Turnstile {
  private readonly gates = new Map<string, Gate>();

  /** @param now monotonic, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws {LineTooSlow} before `work` has begun */
  async through<T>(key: string, limits: TurnstileLimits, work: () => Promise<T>): Promise<T> {
    const gate = this.gates.get(key) ?? { inside: 0, begun: new Set(), waiting: [], pace: 0, promisedUntil: 0 };
    this.gates.set(key, gate);
    if (gate.inside < limits.most) gate.inside += 1;
    else await this.turn(gate, limits);
    const visit = { at: this.now() };
    gate.begun.add(visit);
    try {
      return await work();
    } finally {
      gate.begun.delete(visit);
      gate.pace += (this.now() - visit.at - gate.pace) * WEIGHT_OF_LATEST;
      const next = gate.waiting.shift();
      // Whoever goes on takes over the place, so that nobody slips in between.
      if (next) next();
      else if (--gate.inside === 0) this.gates.delete(key);
    }
  }

  private async turn(gate: Gate, limits: TurnstileLimits): Promise<void> {
    if (this.isTooSlow(gate, limits, gate.waiting.length)) throw this.sentAway(gate, limits);
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((enter, leave) => {
        gate.waiting.push(enter);
        timer = setInterval(() => {
          const place = gate.waiting.indexOf(enter);
          if (place < 0 || !this.isTooSlow(gate, limits, place)) return;
          gate.waiting.splice(place, 1);
          leave(this.sentAway(gate, limits));
        }, PATIENCE_MS);
      });
    } finally {
      clearInterval(timer);
    }
  }

  /** @param place in the line, from 0 */
  private isTooSlow(gate: Gate, { most, hold }: TurnstileLimits, place: number): boolean {
    return most + place >= hold && this.waitFor(gate, most, place) > PATIENCE_MS;
  }

  private waitFor(gate: Gate, most: number, place: number): number {
    return (this.paceOf(gate) * (place + 1)) / most;
  }

  /** What has not ended yet says more than what has. */
  private paceOf({ pace, begun }: Gate): number {
    const [oldest] = begun;
    return oldest === undefined ? pace : Math.max(pace, this.now() - oldest.at);
  }

  private sentAway(gate: Gate, { most }: TurnstileLimits): LineTooSlow {
    const now = this.now();
    const free = Math.max(gate.promisedUntil, now + this.waitFor(gate, most, gate.waiting.length));
    gate.promisedUntil = Math.min(free + this.paceOf(gate) / most, now + LONGEST_MS);
    return new LineTooSlow(Math.min(free - now, LONGEST_MS));
  }
}
