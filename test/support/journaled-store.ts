import { mongo } from 'mongoose';
import type { Doc } from '../../packages/embedded-mongo/src/bson/codec.js';
import { MemoryCollection, MemoryDocuments, type Yield } from './memory-collection.js';

interface Entry {
  readonly collection: string;
  readonly doc: Doc;
}

interface Waiting {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

type Method = (...given: unknown[]) => unknown;

const lost = (): Error => new mongo.MongoNetworkError('The store has died.');

/**
 * A store as MongoDB is one: everybody sees a write at once, and it is on disk some time later, in the order of all writes. When it
 * dies, it loses the last writes that are not on disk.
 */
export class JournaledStore {
  private readonly collections = new Map<string, MemoryDocuments>();
  private journal: Entry[] = [];
  private onDisk = 0;
  private life = 0;
  private waiting: Waiting[] = [];
  private isRestoring = false;

  /**
   * @param isJournaled whether a write is answered only when it is on disk
   * @param uniqueFields by collection, besides `_id`
   */
  constructor(
    private readonly isJournaled: boolean,
    private readonly uniqueFields: Readonly<Record<string, string>>,
  ) {}

  rows(collection: string): Doc[] {
    return this.documentsOf(collection).plain();
  }

  /** As much of a connection as `rawCollection` uses. */
  connection(yields: Yield): { readonly db: { collection(name: string): unknown } } {
    return { db: { collection: (name) => this.collectionFor(name, yields) } };
  }

  flush(): void {
    this.onDisk = this.journal.length;
    const { waiting } = this;
    this.waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** Dies and starts again. Calls under way fail. @param kept which part of what is not on disk it keeps, 0 to 1 */
  crash(kept: number): void {
    this.life += 1;
    this.onDisk += Math.floor((this.journal.length - this.onDisk + 1) * kept);
    this.journal = this.journal.slice(0, this.onDisk);
    for (const documents of this.collections.values()) documents.clear();
    this.isRestoring = true;
    for (const { collection, doc } of this.journal) this.documentsOf(collection).put(doc);
    this.isRestoring = false;
    const { waiting } = this;
    this.waiting = [];
    for (const { reject } of waiting) reject(lost());
  }

  private collectionFor(name: string, yields: Yield): unknown {
    const documents = this.documentsOf(name);
    const inOneLife = (): MemoryCollection => {
      const { life } = this;
      return new MemoryCollection(documents, async () => {
        await yields();
        if (life !== this.life) throw lost();
      });
    };
    return new Proxy(inOneLife(), {
      get: (_target, method) => {
        const { life } = this;
        const collection = inOneLife();
        const value: unknown = Reflect.get(collection, method);
        if (typeof value !== 'function') return value;
        const call = (...given: unknown[]): unknown => (value as Method).apply(collection, given);
        if (method === 'find') return call;
        return async (...given: unknown[]) => {
          try {
            return await (call(...given) as Promise<unknown>);
          } finally {
            // What a command has written before one of its documents was refused is waited for as well.
            if (this.isJournaled) await this.untilOnDisk(life);
          }
        };
      },
    });
  }

  private untilOnDisk(life: number): Promise<void> {
    if (life !== this.life) return Promise.reject(lost());
    const upTo = this.journal.length;
    if (upTo <= this.onDisk) return Promise.resolve();
    return new Promise((resolve, reject) => this.waiting.push({ upTo, resolve, reject }));
  }

  private documentsOf(collection: string): MemoryDocuments {
    let documents = this.collections.get(collection);
    if (documents === undefined) {
      documents = new MemoryDocuments(this.uniqueFields[collection], (doc) => {
        if (!this.isRestoring) this.journal.push({ collection, doc });
      });
      this.collections.set(collection, documents);
    }
    return documents;
  }
}
