import { open, type RootDatabase } from 'lmdb';
import { createDirectory } from '../create-directory.js';
import { decode, encode, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { RAW_FORMAT } from './buffer-pool.js';
import { Collection, type CollectionRecord } from './collection.js';
import { after } from '../bson/keys.js';
import { boundaryKey, endOfDocuments, endOfEntries, type Numbered, setApart } from './boundary.js';
import { type Change, ChangeLog } from './change-log.js';
import { Changes } from './changes.js';
import { MIN_COMPRESSED_BYTES, SAMPLE_SIZE } from './dictionary.js';
import { sealed, unsealed, unsealedDocument } from './checksum.js';
import { CHANGED, Damage, placeOf } from './damage.js';
import { asStoreError, freeBytesAt, outOfSpace, RESERVED_BYTES } from './disk-space.js';
import { restrictToOwner } from './data-file.js';
import { Documents } from './documents.js';
import { FORMAT_NAME, FORMAT_RECORD, isCurrentFormat } from './format.js';
import type { Index } from './index.js';
import {
  catalogKey,
  CATALOG_RANGE,
  COMMITTED_RANGE,
  countKey,
  countKeys,
  doomedKey,
  DOOMED_RANGE,
  SEQUENCE_KEY,
} from './keyspace.js';
import { bounds, type Entry, inOrder, LATEST, type RangeOptions, type Snapshot } from './ranges.js';
import { asRecord, newCollection } from './record.js';
import { outcomeOf, type Outcome, type QueuedWrite, settle } from './queued-writes.js';
import type { Store } from './store.js';

const SWEEP_STEP = 5000;
/** What is left when every collection is dropped. */
const MOST_WITHOUT_CATALOG = 10;
const COUNTS_BYTES = 16;
const SEQUENCE_BYTES = 4;

/**
 * Bytes of a document before the one that tells whether the rest is compressed. That byte is the highest of the document's length,
 * which no document of 16 MB reaches, so that documents from before the dictionary are read as they are.
 */
const PLAIN_BYTES = 3;

const FORMAT = { ...RAW_FORMAT, encoding: 'binary', cache: false } as const;

/**
 * Collections over LMDB. Writes queue up and share one transaction, and so one flush to disk, with all others of the same turn of
 * the event loop; each is answered after that transaction is on disk.
 */
export class Engine implements Store {
  private readonly lmdb: RootDatabase<Buffer, Buffer>;
  private readonly collections = new Map<string, Collection>();
  private readonly dirty = new Set<Collection>();
  /** By collection, and not in it: a long search holds a collection from before an undone transaction. */
  private readonly compressed = new Map<number, Documents>();
  private readonly plain: Documents;
  /** Whether the data says that earlier versions cannot read it. */
  private isMarked = false;
  readonly damage: Damage;
  readonly changes = new Changes();
  /** For change streams. */
  readonly log = new ChangeLog();
  private queue: QueuedWrite[] = [];
  private scheduled = false;
  private closed = false;

  /**
   * @param freeBytes free space of the disk on which the directory is
   * @param tell hears of damage
   * @param readOnly another process may use the directory: this one sees one state of it until its turn of the event loop ends
   * @param openTree where the bytes lie
   */
  constructor(
    readonly directory: string,
    flush = true,
    private readonly freeBytes: () => number = () => freeBytesAt(directory),
    tell: (message: string) => void = () => undefined,
    readOnly = false,
    openTree: typeof open = open,
  ) {
    this.damage = new Damage(tell);
    createDirectory(directory);
    // without a flush per commit a power failure may damage the files; the end of the process alone does not
    const durability = flush ? {} : { noSync: true, overlappingSync: false };
    this.lmdb = openTree<Buffer, Buffer>({ path: directory, ...FORMAT, maxDbs: 1, readOnly, ...durability });
    this.plain = new Documents(this.lmdb, this.damageOf);
    restrictToOwner(directory);
    this.load();
  }

  readonly damageOf = (key: Buffer, what: string): StoreError => this.damage.found(placeOf(key, this.list()), what);

  // --- bytes

  get(key: Buffer, at = LATEST): Buffer | undefined {
    return this.lmdb.get(key, at);
  }

  has(key: Buffer, at = LATEST): boolean {
    // the option of which the types know nothing
    return (this.lmdb.doesExist as (key: Buffer, value?: undefined, at?: Snapshot) => boolean)(key, undefined, at);
  }

  put(key: Buffer, value: Buffer): void {
    this.lmdb.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.lmdb.removeSync(key);
  }

  claim(key: Buffer): void {
    this.changes.note(key);
  }

  note(change: () => Change): void {
    this.log.note(change);
  }

  range(options: RangeOptions, at = LATEST): Iterable<Entry> {
    return inOrder(this.lmdb.getRange({ ...bounds(options), ...at }), options, this.damageOf);
  }

  /** The same without a look at their order, for who tells of damage. */
  walk(options: RangeOptions): Iterable<Entry> {
    return this.lmdb.getRange(bounds(options));
  }

  keys(options: RangeOptions): Iterable<Buffer> {
    return this.lmdb.getKeys(bounds(options));
  }

  countKeys(start: Buffer, end: Buffer, limit?: number, at = LATEST): number {
    return countKeys(this.lmdb, start, end, limit, at);
  }

  /** The state of the last write, which stays as it is until it is let go. */
  snapshot(): { at: Snapshot; release: () => void } {
    const transaction = this.lmdb.useReadTransaction();
    return { at: { transaction }, release: () => transaction.done() };
  }

  documentsOf(collectionId: number): Documents {
    return this.compressed.get(collectionId) ?? this.plain;
  }

  compress(collectionId: number, dictionary: Buffer): void {
    const compression = { dictionary, threshold: MIN_COMPRESSED_BYTES, startingOffset: PLAIN_BYTES };
    // the same tree once more: the library keeps one dictionary for each handle
    const lmdb = this.lmdb.openDB<Buffer, Buffer>(null as unknown as string, { ...FORMAT, compression });
    this.compressed.set(collectionId, new Documents(lmdb, this.damageOf));
  }

  /** A value of the store itself, of a known length. */
  private unsealed(key: Buffer, stored: Buffer, length?: number): Buffer {
    const value = length === undefined ? unsealedDocument(key, stored) : unsealed(key, stored, length);
    if (!value) throw this.damageOf(key, CHANGED);
    return value;
  }

  // --- writes

  /**
   * Runs `operation` in the next write transaction and resolves when that is on disk. The operation may throw a StoreError before
   * it wrote anything; any other error undoes the transaction, and the operations that shared it are run again one by one.
   */
  write<T>(operation: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError('ShutdownInProgress', 'the store is shutting down', {}, 91));
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ run: operation, resolve: resolve as (value: unknown) => void, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const batch = this.queue;
    this.queue = [];
    this.scheduled = false;
    const outcomes = this.attempt(batch);
    if (outcomes) return settle(batch, outcomes);
    for (const write of batch) settle([write], this.attempt([write]) ?? []);
  }

  /** Undefined when the whole batch was undone and should be tried one by one. */
  private attempt(batch: QueuedWrite[]): Outcome[] | undefined {
    if (this.freeBytes() < RESERVED_BYTES)
      return batch.map(() => ({ ok: false, error: outOfSpace('no write was tried') }));
    try {
      const stored = this.lmdb.transactionSync(() => {
        if (!this.isMarked) this.put(catalogKey(FORMAT_NAME), FORMAT_RECORD);
        const outcomes = batch.map(({ run }) => outcomeOf(run));
        this.persistCounts();
        return outcomes;
      });
      this.isMarked = true;
      this.log.settle(true);
      return stored;
    } catch (cause) {
      this.log.settle(false);
      this.load();
      if (batch.length > 1) return undefined;
      const error = this.damage.of(cause, 'what the write needed') ?? asStoreError(cause, this.freeBytes());
      return [{ ok: false, error }];
    }
  }

  private persistCounts(): void {
    for (const collection of this.collections.values()) {
      if (collection.count === collection.stored.count && collection.bytes === collection.stored.bytes) continue;
      const value = Buffer.alloc(COUNTS_BYTES);
      value.writeDoubleLE(collection.count, 0);
      value.writeDoubleLE(collection.bytes, 8);
      const key = countKey(collection.record.id);
      this.put(key, sealed(key, value));
      collection.stored = { count: collection.count, bytes: collection.bytes };
      collection.learn();
      if (!collection.apart && collection.count >= SAMPLE_SIZE) this.setApart(collection);
    }
    for (const collection of this.dirty) this.saveRecord(collection);
    this.dirty.clear();
  }

  /** Its documents, and the entries of indexes by which they expire: both grow at their end. */
  private setApart(collection: Collection): void {
    collection.apart = true;
    const all = this.list();
    const collections = all.map(({ record }) => record.id);
    this.setEndApart(collection.record, collections, endOfDocuments);
    const indexes = all.flatMap((one) => one.indexes.map(({ record }) => record.id));
    for (const { record, expireAfterSeconds } of collection.indexes) {
      if (expireAfterSeconds !== undefined) this.setEndApart(record, indexes, endOfEntries);
    }
  }

  /** Unless another one of its kind has the number after its own: an index that is not the last, or what earlier versions created. */
  private setEndApart(record: Numbered, taken: readonly number[], endOf: (record: Numbered) => Buffer): void {
    if (this.lastId() === record.id) this.nextId();
    if (!taken.includes(record.id + 1)) setApart(this, endOf(record));
  }

  // --- catalog

  /** Reads the catalog; also the way back after an undone transaction. Documents stay where they are. */
  private load(): void {
    this.collections.clear();
    this.dirty.clear();
    this.compressed.clear();
    const catalog = [...this.range(CATALOG_RANGE)];
    const { entryCount } = this.lmdb.getStats() as { entryCount: number };
    const kept = catalog.length === 0 ? [...this.keys(COMMITTED_RANGE)].length : 0;
    // the number is on another page than what it counts
    if (catalog.length === 0 && entryCount - kept > MOST_WITHOUT_CATALOG)
      throw this.damage.found(`the store has ${entryCount} values, and none of them`, 'can be found');
    for (const { key, value } of catalog) {
      const ns = key.toString('utf8', 1);
      if (ns === FORMAT_NAME) {
        this.isMarked = isCurrentFormat(decode(value));
        continue;
      }
      this.count(this.attach(ns, asRecord(decode(this.unsealed(key, value)))));
    }
  }

  private count(collection: Collection, at = LATEST): Collection {
    const key = countKey(collection.record.id);
    const stored = this.get(key, at);
    if (!stored) return collection;
    const counts = this.unsealed(key, stored, COUNTS_BYTES);
    collection.count = counts.readDoubleLE(0);
    collection.bytes = counts.readDoubleLE(8);
    collection.stored = { count: collection.count, bytes: collection.bytes };
    return collection;
  }

  /** A collection as it was, with what it reads and writes. */
  collectionAsOf(ns: string, at: Snapshot, kv: Store): Collection | undefined {
    const key = catalogKey(ns);
    const stored = this.get(key, at);
    if (!stored) return undefined;
    const record = asRecord(decode(this.unsealed(key, stored)));
    if (record.dictionary && !this.compressed.has(record.id)) this.compress(record.id, record.dictionary);
    return this.count(new Collection(kv, ns, record, () => undefined), at);
  }

  private attach(ns: string, record: CollectionRecord): Collection {
    const collection = new Collection(this, ns, record, (changed) => this.dirty.add(changed));
    this.collections.set(ns, collection);
    if (record.dictionary) this.compress(record.id, record.dictionary);
    return collection;
  }

  find(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  list(): Collection[] {
    return [...this.collections.values()];
  }

  private lastId(): number {
    const stored = this.get(SEQUENCE_KEY);
    return stored ? this.unsealed(SEQUENCE_KEY, stored, SEQUENCE_BYTES).readUInt32LE(0) : 0;
  }

  /** The next free number; inside a write transaction. */
  nextId(): number {
    const next = this.lastId() + 1;
    const value = Buffer.alloc(SEQUENCE_BYTES);
    value.writeUInt32LE(next, 0);
    this.put(SEQUENCE_KEY, sealed(SEQUENCE_KEY, value));
    return next;
  }

  /** The collection of that name, created with its `_id` index when it is new; inside a write transaction. */
  ensure(ns: string, options: Doc = {}): Collection {
    const present = this.collections.get(ns);
    if (present) return present;
    const collection = this.attach(ns, newCollection(this.nextId(), options));
    this.saveRecord(collection);
    return collection;
  }

  saveRecord(collection: Collection): void {
    const key = catalogKey(collection.ns);
    this.put(key, sealed(key, encode(collection.toRecord() as unknown as Doc)));
  }

  /** Gives a collection another name, with all that it has; inside a write transaction. */
  rename(collection: Collection, to: string): void {
    const { ns, count, bytes, stored } = collection;
    this.note(() => ({ type: 'rename', ns, to }));
    this.remove(catalogKey(ns));
    this.collections.delete(ns);
    this.dirty.delete(collection);
    this.saveRecord(Object.assign(this.attach(to, collection.toRecord()), { count, bytes, stored }));
  }

  /** Removes a collection from the catalog; inside a write transaction. Its bytes go with {@link sweep}. */
  forget(collection: Collection): void {
    this.remove(catalogKey(collection.ns));
    this.remove(countKey(collection.record.id));
    this.remove(boundaryKey(endOfDocuments(collection.record)));
    this.collections.delete(collection.ns);
    this.dirty.delete(collection);
    this.doom(collection.prefix);
    collection.indexes.forEach((index) => this.forgetIndex(index));
  }

  /** Marks the entries of an index that its collection has no more; inside a write transaction. */
  forgetIndex({ record, prefix }: Index): void {
    this.remove(boundaryKey(endOfEntries(record)));
    this.doom(prefix);
  }

  /** Marks a prefix for removal, so that the removal can continue after a crash. */
  doom(prefix: Buffer): void {
    this.put(doomedKey(prefix), prefix);
  }

  /** Removes marked prefixes, some thousand keys per transaction so that other writes can run in between. */
  async sweep(): Promise<void> {
    const step = (): boolean => {
      let left = SWEEP_STEP;
      for (const { key, value: prefix } of [...this.range(DOOMED_RANGE)]) {
        if (!key.subarray(1).equals(prefix)) throw this.damageOf(key, CHANGED);
        const keys = [...this.keys({ start: prefix, end: after(prefix), limit: left })];
        for (const one of keys) this.remove(one);
        left -= keys.length;
        if (left <= 0) return true;
        this.remove(key);
      }
      return false;
    };
    const isLeft = (): boolean => [...this.keys(DOOMED_RANGE)].length > 0;
    while (isLeft() && (await this.write(step)));
  }

  /** Writes the state of the last commit into an existing directory, without free pages; writes go on. */
  async copyTo(directory: string): Promise<void> {
    await this.lmdb.backup(directory, true);
  }

  async close(): Promise<void> {
    if (this.queue.length > 0) this.flush();
    this.closed = true;
    await this.lmdb.flushed;
    await this.lmdb.close();
  }
}
