import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { storeFault } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Background, ClaimedWork, FairSlots, InFlight, Suspects, Worker } from '#libs/work';
import { type ErasureRecord, Erasures } from '../../audience/subscribers/index.js';
import { Erasure } from './erasure.js';
import { ErasureQueue } from './erasure-queue.js';

/** Concurrent erasures per process, and those of one environment among them. */
const SLOTS = 4;
const SLOTS_OF_ONE_ENVIRONMENT = 2;
/** Erasures of this process are announced, so it polls less often. */
const MIN_POLL_MS = 2_000;

@Injectable()
export class ErasureWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly slots = new FairSlots(SLOTS, SLOTS_OF_ONE_ENVIRONMENT);
  private readonly inFlight = new InFlight<ErasureRecord>();
  private readonly worker: Worker;

  constructor(
    private readonly queue: ErasureQueue,
    private readonly erasure: Erasure,
    private readonly erasures: Erasures,
    private readonly background: Background,
    private readonly config: AppConfig,
  ) {
    const capacity = new Map([[undefined, this.slots]]);
    const claimed = new ClaimedWork({
      queue,
      suspects: new Suspects({ clock: queue.clock, maxBlockMs: queue.leaseMs }),
      inFlight: this.inFlight,
      background,
      capacity: () => capacity,
      begin: (rows) => Promise.resolve(this.begin(rows)),
      setAside: () => Promise.resolve(),
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
    if (this.config.get('DELIVERY_WORKER') !== 'on') return;
    this.erasures.whenBegun(() => this.worker.wake());
    this.worker.start();
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  onModuleDestroy(): void {
    this.worker.close();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  private begin(rows: readonly ErasureRecord[]): void {
    for (const row of rows) {
      this.slots.take(row._environmentId.toHexString());
      this.inFlight.add(row);
      this.background.start(() => this.carryOut(row));
    }
  }

  /** On failure the lease ends, and the erasure is due again. */
  private async carryOut(row: ErasureRecord): Promise<void> {
    try {
      await this.erasure.carryOut(row);
    } catch (error) {
      if (storeFault(error) !== undefined) this.queue.forgive([row]);
      throw error;
    } finally {
      this.inFlight.delete(row);
      this.slots.release(row._environmentId.toHexString());
      this.worker.wake();
    }
  }
}
