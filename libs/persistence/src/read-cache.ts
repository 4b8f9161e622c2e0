import { LRUCache } from 'lru-cache';

/**
 * Caches reads for a short time. Concurrent callers share one read; failed reads are not kept. Unlike `fetchMethod` of
 * lru-cache, a read in progress when its key is forgotten is not kept either: it may have seen the state before the
 * write.
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

  /** Call it after every write. */
  forget(key: string): void {
    this.reads.delete(key);
  }
}
