import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { storeFault } from '#libs/common';
import { AppConfig } from '#libs/config';
import { type DueWork, Background, ClaimedWork, FairSlots, InFlight, Worker } from '#libs/work';
import type { WebhookDelivery } from './webhook-delivery.schema.js';
import { WebhookOutcomes } from './webhook-outcomes.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSender } from './webhook-sender.js';

const SHARE_OF_ONE_ENDPOINT = 1 / 5;

@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly slots: FairSlots;
  private readonly inFlight = new InFlight<WebhookDelivery>();
  private readonly worker: Worker;

  constructor(
    private readonly queue: WebhookQueue,
    private readonly sender: WebhookSender,
    private readonly outcomes: WebhookOutcomes,
    private readonly recorder: WebhookRecorder,
    private readonly background: Background,
    private readonly config: AppConfig,
  ) {
    const concurrency = config.get('WEBHOOK_CONCURRENCY');
    this.slots = new FairSlots(concurrency, Math.ceil(concurrency * SHARE_OF_ONE_ENDPOINT));
    const capacity = new Map([[undefined, this.slots]]);
    const claimed = new ClaimedWork({
      queue,
      suspects: queue.suspectsOfProcess,
      mostSuspects: concurrency,
      inFlight: this.inFlight,
      background,
      capacity: () => capacity,
      begin: (rows) => Promise.resolve(this.begin(rows)),
      setAside: (rows) => outcomes.setAside(rows),
      renew: (rows) => queue.leases.lengthen(rows),
    });
    this.worker = new Worker({
      sources: [claimed],
      background,
      clock: queue.clock,
      leaseMs: queue.leaseMs,
      pollMs: config.get('DELIVERY_POLL_MS'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.start();
  }

  start(): void {
    this.recorder.whenWritten(() => this.worker.wake());
    this.worker.start();
  }

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

  onModuleDestroy(): void {
    this.worker.close();
  }

  /** Stops claiming, waits for attempts in flight and releases the rest. */
  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  private begin(rows: readonly WebhookDelivery[]): void {
    this.queue.leases.began(rows);
    for (const row of rows) {
      this.slots.take(row._endpointId.toHexString());
      this.inFlight.add(row);
      this.background.start(() => this.deliver(row));
    }
  }

  /** On failure the lease ends, and the delivery is due again. */
  private async deliver(row: WebhookDelivery): Promise<void> {
    const { _id, _environmentId, _messageId, lease } = row;
    const claim = { _id, _environmentId, _messageId, ...(lease !== undefined && { lease }) };
    try {
      const isHeld = await this.queue.leases.holds({ record: row, lease: row.lease ?? '' });
      if (isHeld) await this.outcomes.write(row, await this.sender.send(row));
    } catch (error) {
      // A store outage must not count against this delivery.
      if (storeFault(error) !== undefined) this.queue.forgive([claim]);
      throw error;
    } finally {
      this.inFlight.delete(row);
      if (this.slots.release(row._endpointId.toHexString())) this.worker.wake();
    }
  }
}
