import type { Doc } from '../bson/codec.js';
import { noSuchTransaction, StoreError, writeConflict } from '../errors.js';
import type { Change } from './change-log.js';
import { nameOf } from './changes.js';
import { Collection } from './collection.js';
import type { Documents } from './documents.js';
import type { Engine } from './engine.js';
import { Overlay, type PendingWrite } from './overlay.js';
import type { Entry, RangeOptions } from './ranges.js';
import { newCollection } from './record.js';
import type { DocumentAccess, Store } from './store.js';

/** What one transaction may write: it is stored in one step, during which nobody else is served. */
const MAX_WRITES = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Numbers of collections that a transaction creates, until it is stored. */
const PROVISIONAL = 0xf000_0000;

/**
 * A transaction: it reads one state of the store, and its writes wait beside it until all of them are stored together. Of two
 * transactions that change the same document or the same entry of a unique index, the first one to be stored wins.
 */
export class Transaction implements Store {
  private readonly snapshot: ReturnType<Engine['snapshot']>;
  private readonly writes = new Overlay();
  private readonly claimed = new Set<string>();
  private readonly collections = new Map<string, Collection | undefined>();
  private readonly created = new Set<Collection>();
  private isOpen = true;

  constructor(private readonly engine: Engine) {
    this.snapshot = engine.snapshot();
    engine.changes.begin(this);
  }

  get damageOf(): Engine['damageOf'] {
    return this.engine.damageOf;
  }

  get hasWrites(): boolean {
    return this.writes.size > 0 || this.created.size > 0;
  }

  // --- bytes

  get(key: Buffer): Buffer | undefined {
    this.assertOpen();
    const pending = this.writes.get(key);
    return pending ? pending.value : this.engine.get(key, this.snapshot.at);
  }

  has(key: Buffer): boolean {
    this.assertOpen();
    const pending = this.writes.get(key);
    return pending ? pending.value !== undefined : this.engine.has(key, this.snapshot.at);
  }

  put(key: Buffer, value: Buffer): void {
    this.wait({ key, value });
  }

  remove(key: Buffer): void {
    this.wait({ key, value: undefined });
  }

  claim(key: Buffer): void {
    const name = nameOf(key);
    if (!this.engine.changes.claim(this, name)) throw writeConflict();
    this.claimed.add(name);
  }

  note(): void {
    // those who watch hear of it when it is stored
  }

  range(options: RangeOptions): Iterable<Entry> {
    this.assertOpen();
    return this.writes.over((wanted) => this.engine.range(wanted, this.snapshot.at), options);
  }

  countKeys(start: Buffer, end: Buffer, limit?: number): number {
    this.assertOpen();
    const { at } = this.snapshot;
    let [added, removed] = [0, 0];
    for (const { key, value } of this.writes.within(start, end)) {
      const wasThere = this.engine.has(key, at);
      if (value && !wasThere) added++;
      else if (!value && wasThere) removed++;
    }
    const found = this.engine.countKeys(start, end, limit === undefined ? undefined : limit + removed, at);
    return Math.min(found + added - removed, limit ?? Number.POSITIVE_INFINITY);
  }

  documentsOf(collectionId: number): DocumentAccess {
    this.assertOpen();
    return new WaitingDocuments(this.engine.documentsOf(collectionId).asOf(this.snapshot.at), this.writes, (write) =>
      this.wait({ ...write, collectionId }),
    );
  }

  compress(): void {
    // documents are compressed when they are stored
  }

  private wait(write: PendingWrite): void {
    this.assertOpen();
    this.writes.set(write);
    if (this.writes.size > MAX_WRITES || this.writes.bytes > MAX_BYTES)
      throw new StoreError(
        'TransactionTooLarge',
        `a transaction may change ${MAX_WRITES} documents and entries of indexes, and ${MAX_BYTES} bytes; use several`,
        {},
        257,
      );
  }

  // --- collections

  find(ns: string): Collection | undefined {
    this.assertOpen();
    if (!this.collections.has(ns)) this.collections.set(ns, this.engine.collectionAsOf(ns, this.snapshot.at, this));
    return this.collections.get(ns);
  }

  ensure(ns: string, options: Doc = {}): Collection {
    const present = this.find(ns);
    if (present) return present;
    const record = newCollection(PROVISIONAL + this.created.size, options);
    const collection = new Collection(this, ns, record, () => undefined);
    this.collections.set(ns, collection);
    this.created.add(collection);
    return collection;
  }

  async write<T>(operation: () => T): Promise<T> {
    // others get their turn between the steps of a long command
    await new Promise((resolve) => setImmediate(resolve));
    this.assertOpen();
    return operation();
  }

  // --- the end

  /**
   * Stores everything, or nothing if any of it has changed meanwhile.
   *
   * @param also is stored with it
   */
  commit(also: () => void): Promise<void> {
    return this.engine.write(() => {
      this.assertOpen();
      this.assertCurrent();
      try {
        this.store();
        also();
      } catch (cause) {
        // not one of the errors after which the other writes of the same turn are kept
        throw new Error('a transaction could not be stored', { cause });
      }
    });
  }

  /** Lets go of the state that it has read. What was not committed is gone. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.engine.changes.end(this, this.claimed);
    this.snapshot.release();
  }

  private assertOpen(): void {
    if (!this.isOpen) throw noSuchTransaction('the transaction has ended');
  }

  private get changedCollections(): Collection[] {
    const ids = new Set(this.writes.all().map(({ collectionId }) => collectionId));
    return [...this.collections.values()].filter(
      (collection) => collection !== undefined && (ids.has(collection.record.id) || this.created.has(collection)),
    ) as Collection[];
  }

  private assertCurrent(): void {
    for (const collection of this.changedCollections) {
      const current = this.engine.find(collection.ns);
      const isSame = this.created.has(collection) ? !current : current && haveSameIndexes(current, collection);
      if (!isSame) throw writeConflict();
    }
    for (const key of this.claimed) if (this.engine.changes.hasChanged(this, key)) throw writeConflict();
  }

  private store(): void {
    const { engine } = this;
    const targets = new Map<number, { from: Collection; to: Collection }>();
    for (const from of this.changedCollections) {
      const to = engine.ensure(from.ns, from.record.options);
      targets.set(from.record.id, { from, to });
      to.adopt(from);
    }
    for (const { key, value, collectionId } of this.writes.all()) {
      const target = collectionId === undefined ? undefined : targets.get(collectionId);
      // what a new collection had as its number is known only now
      const place = target ? target.to.keyOf(key.subarray(target.from.prefix.length)) : key;
      if (target) engine.note(() => changeOf(target.to, place, value));
      if (value === undefined) engine.remove(place);
      else if (target) target.to.documents.put(place, value);
      else engine.put(place, value);
    }
    for (const key of this.claimed) engine.claim(Buffer.from(key, 'latin1'));
  }
}

function changeOf({ ns, documents }: Collection, key: Buffer, after: Buffer | undefined): Change {
  const before = documents.get(key);
  const type = !after ? 'delete' : before ? 'update' : 'insert';
  return { type, ns, ...(before && { before }), ...(after && { after }) };
}

const haveSameIndexes = (one: Collection, other: Collection): boolean =>
  one.record.id === other.record.id &&
  one.indexes.map(({ record }) => record.id).join() === other.indexes.map(({ record }) => record.id).join();

/** The documents of a collection with the writes of a transaction. */
class WaitingDocuments implements DocumentAccess {
  constructor(
    private readonly stored: Documents,
    private readonly writes: Overlay,
    private readonly wait: (write: PendingWrite) => void,
  ) {}

  get(key: Buffer): Buffer | undefined {
    const pending = this.writes.get(key);
    return pending ? pending.value : this.stored.get(key);
  }

  put(key: Buffer, value: Buffer): void {
    this.wait({ key, value });
  }

  add(key: Buffer, value: Buffer): boolean {
    const isNew = this.get(key) === undefined;
    if (isNew) this.wait({ key, value });
    return isNew;
  }

  remove(key: Buffer): void {
    this.wait({ key, value: undefined });
  }

  range(options: RangeOptions): Iterable<Entry> {
    return this.writes.over((wanted) => this.stored.range(wanted), options);
  }
}
