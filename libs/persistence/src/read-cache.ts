import { LRUCache } from 'lru-cache';

/**
 * Keeps what was read from the store for a short time. Callers that ask at the same time share one read; a read that
 * fails is not kept. Unlike `fetchMethod` of lru-cache, a read that was under way when its key was forgotten is not
 * kept
 * either: it may have seen the state before the write.
 */
export class ReadCache<T> {
  private readonly reads: LRUCache<string, Promise<T>>;

  constructor(options: { readonly max: number; readonly ttlMs: number }) {
    this.reads = new LRUCache({ max: options.max, ttl: options.ttlMs });
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.reads.get(key);
    if (known !== undefined) return known;
    const reading = read();
    this.reads.set(key, reading);
    reading.catch(() => {
      if (this.reads.peek(key) === reading) this.reads.delete(key);
    });
    return reading;
  }

  /** Call after every write. */
  forget(key: string): void {
    this.reads.delete(key);
  }
}
