import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { storeFault } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Background, ClaimedWork, FairSlots, InFlight, Worker } from '#libs/work';
import { NotificationReplay } from './notification-replay.schema.js';
import { ReplayPortions } from './replay-portions.js';
import { ReplayQueue } from './replay-queue.js';

/** Concurrent replays per process, and those of one environment among them. */
const SLOTS = 4;
const SLOTS_OF_ONE_ENVIRONMENT = 2;
/** Replays are rare, so an idle process polls less often. */
const MIN_POLL_MS = 5_000;

@Injectable()
export class ReplayWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly slots = new FairSlots(SLOTS, SLOTS_OF_ONE_ENVIRONMENT);
  private readonly inFlight = new InFlight<NotificationReplay>();
  private readonly worker: Worker;

  constructor(
    private readonly queue: ReplayQueue,
    private readonly portions: ReplayPortions,
    private readonly background: Background,
    private readonly config: AppConfig,
  ) {
    const capacity = new Map([[undefined, this.slots]]);
    const claimed = new ClaimedWork({
      queue,
      suspects: queue.suspectsOfProcess,
      mostSuspects: SLOTS,
      inFlight: this.inFlight,
      background,
      capacity: () => capacity,
      begin: (rows) => Promise.resolve(this.begin(rows)),
      setAside: (rows) => portions.setAside(rows),
    });
    this.worker = new Worker({
      sources: [claimed],
      background,
      clock: queue.clock,
      leaseMs: queue.leaseMs,
      pollMs: Math.max(MIN_POLL_MS, config.get('DELIVERY_POLL_MS')),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.worker.start();
  }

  wake(): void {
    this.worker.wake();
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  onModuleDestroy(): void {
    this.worker.close();
  }

  /** Waits for the batches in progress. */
  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  private begin(rows: readonly NotificationReplay[]): void {
    for (const row of rows) {
      this.slots.take(row._environmentId.toHexString());
      this.inFlight.add(row);
      this.background.start(() => this.carryOut(row));
    }
  }

  /** On failure the lease ends, and the replay is due again. */
  private async carryOut(row: NotificationReplay): Promise<void> {
    try {
      await this.portions.next(row);
    } catch (error) {
      // A store outage must not count against this replay.
      if (storeFault(error) !== undefined) this.queue.forgive([row]);
      throw error;
    } finally {
      this.inFlight.delete(row);
      this.slots.release(row._environmentId.toHexString());
      this.worker.wake();
    }
  }
}
