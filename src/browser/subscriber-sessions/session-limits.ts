import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { networkOf } from '#libs/http-kit';
import { TooManySessions } from './sessions.errors.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 100_000;

interface Window {
  readonly startedAt: number;
  created: number;
}

/** Per minute and process, before bodies are read. */
@Injectable()
export class SessionLimits {
  // `max` would allocate room for all addresses at once.
  private readonly windows = new LRUCache<string, Window>({ maxSize: MAX_ADDRESSES, sizeCalculation: () => 1 });
  private readonly limit: number;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.limit = config.get('SESSION_LIMIT_PER_ADDRESS');
  }

  admit(address: string): void {
    if (this.limit === 0) return;
    const network = networkOf(address);
    const now = this.clock.now().getTime();
    const known = this.windows.get(network);
    // A window that begins later is of before the clock was set back.
    const isCurrent = known !== undefined && Math.abs(now - known.startedAt) < WINDOW_MS;
    const window = isCurrent ? known : { startedAt: now, created: 0 };
    if (window.created >= this.limit) {
      throw new TooManySessions(Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1_000)));
    }
    window.created++;
    this.windows.set(network, window);
  }
}
