import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import { AuditTrail } from './audit-trail.js';

const INTERVAL_MS = 60_000;

/** Looks for entries of processes that ended before they had told webhooks. */
@Injectable()
export class AuditTeller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private look(): Promise<void> {
    return (this.running ??= this.trail
      .tellUntold()
      .catch((error: unknown) => this.logger.error(error, 'Audit log'))
      .finally(() => (this.running = undefined)));
  }
}
