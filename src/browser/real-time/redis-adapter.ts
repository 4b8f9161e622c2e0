import { createAdapter } from '@socket.io/redis-adapter';
import { Redis, type RedisOptions } from 'ioredis';
import type { ServerOptions } from 'socket.io';
import type { RedisState } from '#libs/work';

const MAX_RECONNECT_MS = 2_000;

type SentCommand = Parameters<Redis['sendCommand']>;

/** Failed calls are dropped; no caller waits for them. */
class LossyRedis extends Redis {
  hasDropped = false;

  override sendCommand(...sent: SentCommand): unknown {
    const result = super.sendCommand(...sent);
    // Older servers refuse what a connection begins with, too.
    Promise.resolve(result).catch(() => (this.hasDropped ||= sent[0].name === 'publish'));
    return result;
  }
}

export interface RedisLinkOptions {
  readonly state: RedisState;
  /**
   * Announcements work again after some may have been lost.
   * @param hasDropped some of this process
   */
  readonly onRestored: (hasDropped: boolean) => void;
}

export interface AdapterLink {
  readonly adapter: ServerOptions['adapter'];
  close(): void;
}

/** The published adapter over two connections that reconnect by themselves. */
export function openRedisAdapter(url: string, { state, onRestored }: RedisLinkOptions): AdapterLink {
  const connect = (options: RedisOptions): LossyRedis => {
    const redis = new LossyRedis(url, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_MS),
      ...options,
    });
    redis.on('error', (error: Error) => state.failed(error));
    redis.on('ready', () => state.isBack());
    return redis;
  };
  // While Redis is unavailable, announcements are dropped, not queued in memory.
  const publisher = connect({ enableOfflineQueue: false });
  // Its first command, which connects it, is the subscription.
  const subscriber = connect({ lazyConnect: true });
  // Nothing is heard before the first subscription, as after a loss.
  let wasLost = true;
  const restore = async (): Promise<void> => {
    // Answered after the subscriptions, which were sent before, even if the user may not ping.
    await subscriber.ping().catch(() => undefined);
    // If the connection was lost again, the next one is restored.
    if (subscriber.status !== 'ready') return;
    const { hasDropped } = publisher;
    publisher.hasDropped = false;
    onRestored(hasDropped);
  };
  for (const redis of [publisher, subscriber]) {
    redis.on('close', () => (wasLost = true));
    redis.on('ready', () => {
      if (publisher.status !== 'ready' || subscriber.status !== 'ready') return;
      if (!wasLost && !publisher.hasDropped) return;
      wasLost = false;
      void restore();
    });
  }
  return {
    adapter: createAdapter(publisher, subscriber),
    close: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
