import { LRUCache } from 'lru-cache';

/**
 * Concurrent callers share one read; failed reads are not kept. Unlike with lru-cache's `fetchMethod`, neither is a
 * read whose key was forgotten meanwhile: it may have seen the state before the write.
 */
export class ReadCache<T> {
  private readonly reads: LRUCache<string, Promise<T>>;

  constructor(options: { readonly max: number; readonly ttlMs: number }) {
    // Limited by size: a limit of entries would reserve their places at once.
    this.reads = new LRUCache({ maxSize: options.max, sizeCalculation: () => 1, ttl: options.ttlMs });
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    return this.reads.get(key) ?? this.keep(key, read());
  }

  /** One read for all missing ids of a scope, such as an environment. The key to forget a record is `scope:id`. */
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

  /** Call after every write. */
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
