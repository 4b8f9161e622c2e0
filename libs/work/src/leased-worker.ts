import { storeFault } from '#libs/common';
import type { AppConfig } from '#libs/config';
import { AppWorker } from './app-worker.js';
import type { Background } from './background.js';
import { ClaimedWork, type ClaimedWorkOptions } from './claimed-work.js';
import { FairSlots } from './fair-slots.js';
import { InFlight } from './in-flight.js';
import { Suspects } from './suspects.js';
import { type Claimable, type WorkQueue } from './work-queue.js';
import { Worker } from './worker.js';

export interface LeasedWorkerOptions<T extends Claimable> extends Partial<
  Pick<ClaimedWorkOptions<T>, 'suspects' | 'setAside' | 'renew'>
> {
  readonly config: AppConfig;
  readonly background: Background;
  readonly queue: WorkQueue<T>;
  /** Records that are worked on at once in a process, and those of one group among them. */
  readonly slots: number;
  readonly slotsOfOne: number;
  readonly groupOf: (record: T) => string;
  /** An idle process looks for work at most so often, in milliseconds. */
  readonly minPollMs?: number;
  /** Records have several parts, of which the next one is due soon. */
  readonly hasParts?: boolean;
}

/** Works on each record of a queue while it holds its lease. After a failure the lease ends, and the record is due again. */
export abstract class LeasedWorker<T extends Claimable> extends AppWorker {
  protected readonly worker: Worker;
  private readonly slots: FairSlots;
  private readonly inFlight = new InFlight<T>();

  constructor(private readonly options: LeasedWorkerOptions<T>) {
    super(options.config);
    const { queue, background, config, minPollMs = 0, renew, setAside = () => Promise.resolve() } = options;
    this.slots = new FairSlots(options.slots, options.slotsOfOne);
    const capacity = new Map([[undefined, this.slots]]);
    const claimed = new ClaimedWork<T>({
      queue,
      suspects: options.suspects ?? new Suspects({ clock: queue.clock, maxBlockMs: queue.leaseMs }),
      mostSuspects: options.slots,
      inFlight: this.inFlight,
      background,
      capacity: () => capacity,
      begin: (records) => Promise.resolve(this.begin(records)),
      setAside,
      ...(renew && { renew }),
    });
    this.worker = new Worker({
      sources: [claimed],
      background,
      clock: queue.clock,
      leaseMs: queue.leaseMs,
      pollMs: Math.max(minPollMs, config.get('DELIVERY_POLL_MS')),
    });
  }

  protected abstract carryOut(record: T): Promise<void>;

  protected begin(records: readonly T[]): void {
    for (const record of records) {
      this.slots.take(this.options.groupOf(record));
      this.inFlight.add(record);
      this.options.background.start(() => this.work(record));
    }
  }

  private async work(record: T): Promise<void> {
    const { queue, groupOf, hasParts = false } = this.options;
    try {
      await this.carryOut(record);
    } catch (error) {
      // A fault of the store says nothing about this record.
      if (storeFault(error) !== undefined) queue.forgive([record]);
      throw error;
    } finally {
      this.inFlight.delete(record);
      if (this.slots.release(groupOf(record)) || hasParts) this.wake();
    }
  }
}
