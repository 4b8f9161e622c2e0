import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { DueWork, Worker } from './worker.js';

/** A worker with the life of the application: it begins where `DELIVERY_WORKER` is on, and ends before the store is closed. */
export abstract class AppWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  protected abstract readonly worker: Worker;

  constructor(protected readonly config: AppConfig) {}

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.start();
  }

  start(): void {
    this.worker.start();
  }

  /** Looks for what is due now. */
  wake(): void {
    this.worker.wake();
  }

  get due(): DueWork {
    return this.worker;
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  /** Claims no more. */
  onModuleDestroy(): void {
    this.worker.close();
  }

  /** Waits for the work in flight, and gives the rest back. */
  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
