import { Logger } from '@nestjs/common';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { WakeUps } from './wake-ups.js';

const QUEUE = 'herald-work';
/** Calls within this time are one call to the others. */
const GATHER_MS = 10;
const MAX_RECONNECT_MS = 2_000;

/**
 * Wakes workers of other processes through BullMQ. Workers of this process are woken directly, so without Redis only the
 * others wait, and no longer than their polling interval. A job says 'there is work' and nothing else; losing all of them
 * loses nothing.
 */
export class BullMqWakeUps extends WakeUps {
  private readonly logger = new Logger(BullMqWakeUps.name);
  private readonly own = new InProcessWakeUps();
  private readonly connections: Redis[] = [];
  private readonly queue: Queue;
  private worker: Worker | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private isFaulty = false;
  private isClosing = false;

  /** @param url `redis://` or `rediss://` */
  constructor(private readonly url: string) {
    super();
    // Without Redis a call fails at once instead of waiting in memory: the polling of workers makes up for it.
    const connection = this.connect({ enableOfflineQueue: false });
    this.queue = new Queue(QUEUE, { connection, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } });
    this.queue.on('error', (error) => this.complain(error));
  }

  notify(): void {
    this.own.notify();
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.queue.add('due', {}).then(
        () => (this.isFaulty = false),
        (error: unknown) => this.complain(error as Error),
      );
    }, GATHER_MS);
  }

  /** Only a process that listens takes jobs: one that merely accepts triggers leaves them to the workers. */
  listen(listener: () => void): () => void {
    this.worker ??= this.startWorker();
    return this.own.listen(listener);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    clearTimeout(this.gathering);
    await this.worker?.close(true).catch(() => undefined);
    await this.queue.close().catch(() => undefined);
    for (const connection of this.connections) connection.disconnect();
    await this.own.close();
  }

  private startWorker(): Worker {
    const connection = this.connect({});
    const worker = new Worker(QUEUE, () => Promise.resolve(this.own.notify()), { connection });
    worker.on('error', (error) => this.complain(error));
    return worker;
  }

  private connect(options: RedisOptions): Redis {
    const redis = new Redis(this.url, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_MS),
      ...options,
    });
    redis.on('error', (error: Error) => this.complain(error));
    this.connections.push(redis);
    return redis;
  }

  /** Once for each time that it goes away. */
  private complain({ message }: Error): void {
    if (this.isFaulty || this.isClosing) return;
    this.isFaulty = true;
    this.logger.warn(`Redis cannot be used (${message}); workers look for work by themselves until it can.`);
  }
}
