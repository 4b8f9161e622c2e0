import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { WorkLoop } from '#libs/work';
import type { WebhookDelivery } from '../webhook-delivery.schema.js';
import { WebhookRecorder } from '../webhook-recorder.js';
import { WebhookSettings } from '../webhook-settings.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { DeliveryQueue } from './delivery-queue.js';
import { EndpointSlots } from './endpoint-slots.js';
import { WebhookSender } from './webhook-sender.js';

/** Time for what is under way when the process is asked to end. */
const DRAIN_MS = 8_000;
const SHARE = 5;
/** More than other work: a delivery kills nobody, but it may have been beside something that did. */
const MAX_CLAIMS = 10;

/** Delivers to webhooks as long as the process lives: claims what is due, and gives back at the end what it holds. */
@Injectable()
export class WebhookWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly slots: EndpointSlots;
  private readonly loop: WorkLoop;
  private isOn = false;
  private readonly inFlight = new Map<WebhookDelivery, Promise<void>>();

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly outcomes: DeliveryOutcomes,
    private readonly recorder: WebhookRecorder,
    private readonly settings: WebhookSettings,
  ) {
    const { concurrency, pollMs, now, onError } = settings;
    this.slots = new EndpointSlots(concurrency, Math.ceil(concurrency / SHARE));
    this.loop = new WorkLoop({
      turn: () => this.claim(),
      nextAt: () => this.queue.nextWakeAt(),
      pollMs,
      now,
      onError,
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.isOn) this.start();
  }

  start(): void {
    if (this.isOn) return;
    this.isOn = true;
    this.recorder.whenWritten(() => this.loop.wake());
    this.loop.start();
  }

  /** There may be something due. */
  wake(): void {
    this.loop.wake();
  }

  /** Claims no more, lets what is under way end, and gives the rest back at once. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.all(this.inFlight.values()), timeout]);
    clearTimeout(timer);
    await this.queue.release([...this.inFlight.keys()]);
  }

  private async claim(): Promise<number> {
    const rows = await this.queue.claim(this.slots);
    await this.outcomes.setAside(rows.filter(isHopeless));
    for (const row of rows) {
      if (isHopeless(row)) continue;
      this.slots.take(row._endpointId.toHexString());
      this.inFlight.set(row, this.deliver(row));
    }
    return rows.length;
  }

  private async deliver(row: WebhookDelivery): Promise<void> {
    try {
      if (await this.queue.holds(row)) await this.outcomes.write(row, await this.sender.send(row));
    } catch (error) {
      // Its lease ends, and then it is tried again.
      this.settings.onError(error);
    } finally {
      this.inFlight.delete(row);
      if (this.slots.release(row._endpointId.toHexString())) this.loop.wake();
    }
  }
}

function isHopeless({ takenUp = 0 }: WebhookDelivery): boolean {
  return takenUp > MAX_CLAIMS;
}
