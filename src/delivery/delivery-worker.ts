import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { WakeUps } from '#libs/queue';
import type { TriggerEventRecord } from './records/trigger-event.record.js';
import { DeliveryWork } from './delivery-work.js';
import { WorkLoop } from './work/work-loop.js';

/** Time for what is under way when the process is asked to end. */
const DRAIN_MS = 8_000;

/** Delivers as long as the process lives: claims what is due, keeps leases, and gives them back at the end. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: WorkLoop;
  private renewal: NodeJS.Timeout | undefined;
  private isOn = false;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly work: DeliveryWork,
    private readonly wakeUps: WakeUps,
    private readonly config: AppConfig,
    private readonly logger: AppLogger,
  ) {
    this.loop = new WorkLoop({
      turn: () => this.work.claim(),
      nextAt: () => this.work.nextWakeAt(),
      pollMs: config.get('DELIVERY_POLL_MS'),
      now: () => this.work.now(),
      onError: (error) => logger.error(error, DeliveryWorker.name),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.start();
  }

  start(): void {
    if (this.isOn) return;
    this.isOn = true;
    this.stopListening = this.wakeUps.listen(() => this.loop.wake());
    this.work.whenFree(() => this.loop.wake());
    const { leaseMs } = this.work;
    this.renewal = setInterval(() => void this.renew(), leaseMs / 3);
    this.renewal.unref();
    this.loop.start();
  }

  /** Whether events that are accepted now can be expanded by this process at once. */
  hasRoomFor(events: number): boolean {
    return this.isOn && this.work.hasRoomFor(events);
  }

  /** Expands events that were inserted under this process's lease. */
  expand(events: readonly TriggerEventRecord[]): void {
    this.work.expand(events);
  }

  /** Claims no more, lets what is under way end, and gives the rest back at once. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isOn) return;
    this.isOn = false;
    this.stopListening();
    await this.loop.stop();
    await this.work.drain(DRAIN_MS);
    clearInterval(this.renewal);
  }

  private async renew(): Promise<void> {
    try {
      await this.work.renew();
    } catch (error) {
      this.logger.error(error, DeliveryWorker.name);
    }
  }
}
