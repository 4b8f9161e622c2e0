import { Logger } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';
import { nanoid } from 'nanoid';
import { RedisState } from './redis-state.js';
import { InProcessWakeUps, WakeUps } from './wake-ups.js';

const CHANNEL = 'herald:work';
const GATHER_MS = 10;
const MAX_RECONNECT_MS = 2_000;

/**
 * Wakes the workers of all processes through Redis publish and subscribe; nothing is stored in Redis. Workers of this
 * process are woken directly, so without Redis only other processes wait, and no longer than their polling interval.
 */
export class RedisWakeUps extends WakeUps {
  private readonly logger = new Logger(RedisWakeUps.name);
  private readonly local = new InProcessWakeUps();
  private readonly processId = nanoid();
  private readonly publisher: Redis;
  private readonly state = new RedisState(
    'workers of other processes look for work at their polling interval.',
    ({ level, text, reason }) => {
      const line = reason === undefined ? text : `${text} (${reason})`;
      this.logger[level](line);
    },
  );
  private subscriber: Redis | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private isClosing = false;

  /** @param url `redis://` or `rediss://` */
  constructor(private readonly url: string) {
    super();
    // While Redis is unavailable, calls fail at once instead of waiting in memory. Polling finds the work.
    this.publisher = this.connect({ enableOfflineQueue: false });
  }

  notify(): void {
    this.local.notify();
    if (this.isClosing) return;
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.publisher.publish(CHANNEL, this.processId).catch((error: unknown) => this.failed(error as Error));
    }, GATHER_MS);
  }

  /** Opens the subscription at first use: a process that only accepts triggers needs none. */
  listen(listener: () => void): () => void {
    this.subscriber ??= this.subscribe();
    return this.local.listen(listener);
  }

  async close(): Promise<void> {
    // A second disconnect would keep the process alive for a while.
    if (this.isClosing) return;
    this.isClosing = true;
    clearTimeout(this.gathering);
    this.publisher.disconnect();
    this.subscriber?.disconnect();
    await this.local.close();
  }

  /** The client renews the subscription after each reconnect. */
  private subscribe(): Redis {
    const redis = this.connect({});
    redis.on('message', (_channel: string, sender: string) => {
      if (sender !== this.processId) this.local.notify();
    });
    redis.subscribe(CHANNEL).catch((error: unknown) => this.failed(error as Error));
    return redis;
  }

  private connect(options: RedisOptions): Redis {
    const redis = new Redis(this.url, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_MS),
      ...options,
    });
    redis.on('error', (error: Error) => this.failed(error));
    redis.on('ready', () => this.state.isBack());
    return redis;
  }

  private failed(error: Error): void {
    if (!this.isClosing) this.state.failed(error);
  }
}
