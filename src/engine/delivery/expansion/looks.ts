import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { CancellationPending } from './cancellation.errors.js';

/** How often the store is asked for what cancellations wait for: once for all of a process. */
const EVERY_MS = 25;
/** A worker that has died loses its lease; what it held is then ended within this time. */
const MARGIN_MS = 3_000;

/** Until when a request waits for its outcome; of a monotonic clock. */
export type Deadline = number & { readonly isDeadline?: never };

/** The moments at which all cancellations of a process look at the store together, so that many cost as much as one. */
@Injectable()
export class Looks implements BeforeApplicationShutdown {
  private readonly longestMs: number;
  private coming: Promise<void> | undefined;
  private isEnding = false;

  constructor(config: AppConfig) {
    this.longestMs = config.get('DELIVERY_LEASE_MS') + MARGIN_MS;
  }

  begin(): Deadline {
    return performance.now() + this.longestMs;
  }

  /** Waits for the next look. @throws {CancellationPending} after the deadline, and when the process ends */
  async next(deadline: Deadline): Promise<void> {
    if (this.isEnding || performance.now() > deadline) throw new CancellationPending();
    this.coming ??= pause(EVERY_MS).then(() => {
      this.coming = undefined;
    });
    await this.coming;
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
  }
}
