import type { AppConfig } from '#libs/config';
import { AppWorker } from './app-worker.js';
import type { Background } from './background.js';
import { FairSlots } from './fair-slots.js';
import type { Claimable, WorkQueue } from './work-queue.js';
import { Worker } from './worker.js';

export interface BatchWorkerOptions<T extends Claimable> {
  readonly config: AppConfig;
  readonly background: Background;
  readonly queue: WorkQueue<T>;
  /** Records of a batch, and those of one environment among them. */
  readonly most: number;
  readonly mostOfOne: number;
  /** An idle process looks for work at most so often, in milliseconds. */
  readonly minPollMs?: number;
}

/** Works on a queue batch by batch: one is carried out before the next is claimed, so that nothing is in flight in between. */
export abstract class BatchWorker<T extends Claimable> extends AppWorker {
  protected readonly worker: Worker;
  private readonly queued: WorkQueue<T>;
  private readonly onError: Background['onError'];
  private readonly capacity: Map<undefined, FairSlots>;

  constructor({ config, background, queue, most, mostOfOne, minPollMs = 0 }: BatchWorkerOptions<T>) {
    super(config);
    this.queued = queue;
    this.onError = background.onError;
    this.capacity = new Map([[undefined, new FairSlots(most, mostOfOne)]]);
    const nothingToDo = (): Promise<void> => Promise.resolve();
    this.worker = new Worker({
      sources: [
        {
          claim: async () => {
            const records = await this.claim();
            if (records.length > 0) await this.carryOut(records);
            return records.length;
          },
          nextWakeAt: () => queue.nextWakeAt(),
          renew: nothingToDo,
          settle: nothingToDo,
        },
      ],
      background,
      clock: queue.clock,
      leaseMs: queue.leaseMs,
      pollMs: Math.max(minPollMs, config.get('DELIVERY_POLL_MS')),
    });
  }

  claim(): Promise<T[]> {
    return this.queued.claim(this.capacity);
  }

  abstract carryOut(records: readonly T[]): Promise<void>;

  /** Works on all records at once. One that fails is told, and stops no other: its lease ends, and it is due again. */
  protected async each(records: readonly T[], work: (record: T) => Promise<void>): Promise<void> {
    const results = await Promise.allSettled(records.map(work));
    for (const result of results) if (result.status === 'rejected') this.onError(result.reason);
  }
}
