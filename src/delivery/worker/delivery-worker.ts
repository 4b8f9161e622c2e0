import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { Background, WakeUps, Worker } from '#libs/work';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { EventWork } from './event-work.js';
import { RunWork } from './run-work.js';

/** Delivers as long as the process lives: expands events, and moves their runs on as steps become due. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: Worker;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly events: EventWork,
    private readonly runs: RunWork,
    background: Background,
    clock: Clock,
    private readonly wakeUps: WakeUps,
    private readonly config: AppConfig,
  ) {
    this.worker = new Worker({
      sources: [events.claimed, runs.claimed],
      background,
      clock,
      leaseMs: config.get('DELIVERY_LEASE_MS'),
      pollMs: config.get('DELIVERY_POLL_MS'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.start();
  }

  start(): void {
    if (this.worker.isRunning) return;
    const wake = (): void => this.worker.wake();
    this.stopListening = this.wakeUps.listen(wake);
    this.events.whenFree(wake);
    this.runs.whenFree(wake);
    this.worker.start();
  }

  /** Whether this process can expand events that it accepts now at once. */
  hasRoomFor(events: number): boolean {
    return this.worker.isRunning && this.events.hasRoomFor(events);
  }

  /** Expands events that were inserted under this process's lease. */
  expand(events: readonly TriggerEventRecord[]): void {
    this.events.expand(events);
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  /** Claims no more, waits for the work in flight, and gives the rest back. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.worker.stop();
  }
}
