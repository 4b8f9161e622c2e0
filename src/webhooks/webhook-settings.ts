import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';

/** How this process works on webhooks. */
@Injectable()
export class WebhookSettings {
  /** Whether it works on them at all, or leaves that to workers. */
  readonly isOn: boolean;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;

  constructor(config: AppConfig, clock: Clock, logger: AppLogger) {
    this.isOn = config.get('DELIVERY_WORKER') === 'on';
    this.concurrency = config.get('WEBHOOK_CONCURRENCY');
    this.pollMs = config.get('DELIVERY_POLL_MS');
    this.now = () => clock.now();
    this.onError = (error) => logger.error(error, 'Webhooks');
  }
}
