import type { Background } from './background.js';
import type { LaneCapacity } from './fair-slots.js';
import type { InFlight } from './in-flight.js';
import type { Suspects, Trial } from './suspects.js';
import type { Claimable, WorkQueue } from './work-queue.js';

export interface ClaimedWorkOptions<T extends Claimable> {
  /** A queue that tells suspects apart. */
  readonly queue: WorkQueue<T>;
  /** One for all work of the process. */
  readonly suspects: Suspects;
  /** Suspects of this kind that are tried together at most. */
  readonly mostSuspects?: number;
  readonly inFlight: InFlight<T>;
  readonly background: Background;
  readonly capacity: () => LaneCapacity;
  /**
   * Starts work on claimed records; takes their slots before its first pause. Once it resolves, the records that are
   * still being worked on are in flight.
   */
  readonly begin: (records: T[]) => Promise<void>;
  /** Ends records over which too many workers were lost. */
  readonly setAside: (records: T[]) => Promise<void>;
  /** Extends leases; by default as the queue does. */
  readonly renew?: (records: T[]) => Promise<unknown>;
}

/** Claims due records of one queue and starts work on them; suspects are tried in groups of their own. */
export class ClaimedWork<T extends Claimable> {
  private readonly onTrial = new Set<T>();

  constructor(private readonly options: ClaimedWorkOptions<T>) {}

  /** @param listener called when there is room for other suspects */
  whenTried(listener: () => void): void {
    this.options.suspects.whenEnded(listener);
  }

  /** @returns how many records were claimed or put in order */
  async claim(): Promise<number> {
    const { queue, background, capacity, setAside } = this.options;
    const { records, parked } = await queue.claimDue(capacity());
    const hopeless = records.filter((record) => queue.suspects?.rules.isHopeless(record) === true);
    const clean = hopeless.length === 0 ? records : records.filter((record) => !hopeless.includes(record));
    if (hopeless.length > 0) background.start(() => setAside(hopeless));
    if (clean.length > 0) background.start(() => this.options.begin(clean));
    return records.length + parked + (await this.tryGroup(records.length > 0));
  }

  nextWakeAt(): Promise<Date | undefined> {
    return this.options.queue.nextWakeAt();
  }

  /** Extends the leases of records in flight for longer than this, and of all suspects: theirs are short. */
  async renew(olderThanMs: number): Promise<void> {
    const { inFlight, queue } = this.options;
    const tried = [...this.onTrial].filter((record) => inFlight.has(record));
    const records = [...new Set([...inFlight.olderThan(olderThanMs), ...tried])];
    if (records.length === 0) return;
    await (this.options.renew?.(records) ?? queue.renew(records));
  }

  /** Waits for the records in flight and releases those that do not end in time. */
  async settle(withinMs: number): Promise<void> {
    const unfinished = await this.options.inFlight.settle(withinMs);
    if (unfinished.length > 0) await this.options.queue.release(unfinished);
  }

  /** Tries the next group of suspects, unless this process tries others. @returns how many it claimed */
  private async tryGroup(isBusy: boolean): Promise<number> {
    const { queue, suspects, background, mostSuspects } = this.options;
    if (queue.suspects === undefined || !suspects.isOpenTo(this)) return 0;
    const heads = await queue.suspects.find(isBusy);
    if (heads.length === 0) return 0;
    const group = suspects.pick(heads, queue.suspects.rules, mostSuspects);
    const trial = suspects.begin(this, group.length);
    if (trial === undefined) return 0;
    const records = await this.claimGroup(group, trial);
    if (records.length > 0) background.start(() => this.tryRecords(records, trial));
    return records.length;
  }

  private async claimGroup(group: Parameters<WorkQueue<T>['renew']>[0], trial: Trial): Promise<T[]> {
    let records: T[] = [];
    try {
      records = (await this.options.queue.suspects?.claim(group, trial.size)) ?? [];
      return records;
    } finally {
      if (records.length === 0) trial.end('unknown');
    }
  }

  private async tryRecords(records: T[], trial: Trial): Promise<void> {
    const { begin, inFlight, queue } = this.options;
    for (const record of records) this.onTrial.add(record);
    let end: 'well' | 'badly' = 'badly';
    try {
      await begin(records);
      await inFlight.left(records);
      end = 'well';
    } finally {
      for (const record of records) this.onTrial.delete(record);
      trial.end(end);
      await queue.suspects?.release(records);
    }
  }
}
