import type { Background } from './background.js';
import type { LaneCapacity } from './fair-slots.js';
import type { InFlight } from './in-flight.js';
import type { Suspects } from './suspects.js';
import type { Claimable, WorkQueue } from './work-queue.js';

export interface ClaimedWorkOptions<T extends Claimable> {
  readonly queue: WorkQueue<T>;
  readonly suspects: Suspects;
  readonly inFlight: InFlight<T>;
  readonly background: Background;
  readonly capacity: () => LaneCapacity;
  /**
   * Starts work on claimed records; takes their slots before its first pause. Once it resolves, the records that are
   * still being worked on are in flight.
   */
  readonly begin: (records: T[]) => Promise<void>;
  /** Ends records that were claimed too often without an outcome. */
  readonly setAside: (records: T[]) => Promise<void>;
  /** Extends leases; by default as the queue does. */
  readonly renew?: (records: T[]) => Promise<unknown>;
}

/** Claims due records of one queue and starts work on them; suspects are kept apart. */
export class ClaimedWork<T extends Claimable> {
  constructor(private readonly options: ClaimedWorkOptions<T>) {}

  /** @returns how many records were claimed */
  async claim(): Promise<number> {
    const { queue, suspects, background, capacity, setAside } = this.options;
    const records = await queue.claim(capacity());
    if (records.length === 0) return 0;
    const { clean, alone, later, hopeless } = suspects.admit(records);
    if (hopeless.length > 0) background.start(() => setAside(hopeless));
    for (const group of later) await queue.postpone(group.records, group.at);
    if (clean.length > 0) background.start(() => this.options.begin(clean));
    if (alone.length > 0) {
      await queue.count(alone);
      background.start(() => this.beginAlone(alone));
    }
    return records.length;
  }

  nextWakeAt(): Promise<Date | undefined> {
    return this.options.queue.nextWakeAt();
  }

  /** Extends the leases of records in flight for longer than this. */
  async renew(olderThanMs: number): Promise<void> {
    const records = this.options.inFlight.olderThan(olderThanMs);
    if (records.length === 0) return;
    await (this.options.renew?.(records) ?? this.options.queue.renew(records));
  }

  /** Waits for the records in flight and releases those that do not end in time. */
  async settle(withinMs: number): Promise<void> {
    const unfinished = await this.options.inFlight.settle(withinMs);
    if (unfinished.length > 0) await this.options.queue.release(unfinished);
  }

  private async beginAlone(records: T[]): Promise<void> {
    try {
      await this.options.begin(records);
      await this.options.inFlight.left(records);
    } finally {
      this.options.suspects.done();
    }
  }
}
