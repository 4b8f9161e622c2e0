import { Logger } from '@nestjs/common';
import { RedisConnection } from './redis-connection.js';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { WakeUps } from './wake-ups.js';

const CHANNEL = 'herald:work';
/** Calls within this time are one call to the others. */
const GATHER_MS = 10;

/**
 * Wakes the workers of every process that listens on the same Redis. Workers of this process are woken directly, so
 * without Redis only the others wait, and no longer than their polling interval.
 */
export class RedisWakeUps extends WakeUps {
  private readonly logger = new Logger(RedisWakeUps.name);
  private readonly own = new InProcessWakeUps();
  private readonly publisher: RedisConnection;
  private readonly subscriber: RedisConnection;
  private gathering: NodeJS.Timeout | undefined;
  private isFaulty = false;

  /** @param url `redis://` or `rediss://` */
  constructor(url: string) {
    super();
    const onFault = (error: Error): void => this.complain(error);
    this.publisher = new RedisConnection({ url, onFault, onValue: () => undefined });
    this.subscriber = new RedisConnection({
      url,
      greeting: ['SUBSCRIBE', CHANNEL],
      onFault,
      onValue: (value) => {
        this.isFaulty = false;
        if (Array.isArray(value) && value[0] === 'message') this.own.notify();
      },
    });
  }

  notify(): void {
    this.own.notify();
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.publisher.send(['PUBLISH', CHANNEL, '1']);
    }, GATHER_MS);
  }

  listen(listener: () => void): () => void {
    return this.own.listen(listener);
  }

  async close(): Promise<void> {
    clearTimeout(this.gathering);
    this.publisher.close();
    this.subscriber.close();
    await this.own.close();
  }

  /** Once for each time that it goes away. */
  private complain({ message }: Error): void {
    if (this.isFaulty) return;
    this.isFaulty = true;
    this.logger.warn(`Redis cannot be used (${message}); workers look for work by themselves until it can.`);
  }
}
