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
    return this.reads.get(key) ?? this.keep(key, read());
  }

  /**
   * The records of a scope (an environment, for example) with these ids, by id. Those that are not known come from one
   * read. The key of each, to forget it, is `scope:id`.
   */
  async getAll<V>(
    this: ReadCache<V | undefined>,
    scope: string,
    ids: Iterable<string>,
    read: (missing: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  ): Promise<Map<string, V>> {
    const reads = new Map([...ids].map((id) => [id, this.reads.get(`${scope}:${id}`)]));
    const missing = [...reads.keys()].filter((id) => reads.get(id) === undefined);
    if (missing.length > 0) {
      const reading = read(missing);
      for (const id of missing) {
        const one = reading.then((found) => found.get(id));
        reads.set(id, this.keep(`${scope}:${id}`, one));
      }
    }
    const found = new Map<string, V>();
    for (const [id, one] of reads) {
      const value = await one;
      if (value !== undefined) found.set(id, value);
    }
    return found;
  }

  /** Call it after every write. */
  forget(key: string): void {
    this.reads.delete(key);
  }

  private keep(key: string, reading: Promise<T>): Promise<T> {
    this.reads.set(key, reading);
    reading.catch(() => {
      if (this.reads.peek(key) === reading) this.reads.delete(key);
    });
    return reading;
  }
}
