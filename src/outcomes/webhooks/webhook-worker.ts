import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Background, LeasedWorker } from '#libs/work';
import type { WebhookDelivery } from './webhook-delivery.schema.js';
import { WebhookOutcomes } from './webhook-outcomes.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSender } from './webhook-sender.js';

const SHARE_OF_ONE_ENDPOINT = 1 / 5;

@Injectable()
export class WebhookWorker extends LeasedWorker<WebhookDelivery> {
  constructor(
    private readonly queue: WebhookQueue,
    private readonly sender: WebhookSender,
    private readonly outcomes: WebhookOutcomes,
    private readonly recorder: WebhookRecorder,
    background: Background,
    config: AppConfig,
  ) {
    const concurrency = config.get('WEBHOOK_CONCURRENCY');
    super({
      config,
      background,
      queue,
      suspects: queue.suspectsOfProcess,
      slots: concurrency,
      slotsOfOne: Math.ceil(concurrency * SHARE_OF_ONE_ENDPOINT),
      groupOf: ({ _endpointId }) => _endpointId.toHexString(),
      setAside: (rows) => outcomes.setAside(rows),
      renew: (rows) => queue.leases.lengthen(rows),
    });
  }

  override start(): void {
    this.recorder.whenWritten(() => this.wake());
    super.start();
  }

  protected override begin(rows: readonly WebhookDelivery[]): void {
    this.queue.leases.began(rows);
    super.begin(rows);
  }

  protected async carryOut(row: WebhookDelivery): Promise<void> {
    const isHeld = await this.queue.leases.holds({ record: row, lease: row.lease ?? '' });
    if (isHeld) await this.outcomes.write(row, await this.sender.send(row));
  }
}
