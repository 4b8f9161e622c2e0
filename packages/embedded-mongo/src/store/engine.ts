import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { createDirectory } from '../create-directory.js';
import { decode, encode, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { RAW_FORMAT } from './buffer-pool.js';
import { Collection, type CollectionRecord } from './collection.js';
import { after } from '../bson/keys.js';
import { boundaryKey, endOfDocuments, endOfEntries, type Numbered, setApart } from './boundary.js';
import { MIN_COMPRESSED_BYTES, SAMPLE_SIZE } from './dictionary.js';
import { sealed, unsealed, unsealedDocument } from './checksum.js';
import { CHANGED, Damage, placeOf } from './damage.js';
import { asStoreError, freeBytesAt, outOfSpace, RESERVED_BYTES } from './disk-space.js';
import { Documents } from './documents.js';
import { FORMAT_NAME, FORMAT_RECORD, isCurrentFormat } from './format.js';
import type { Index } from './index.js';
import {
  catalogKey,
  CATALOG_RANGE,
  countKey,
  countKeys,
  doomedKey,
  DOOMED_RANGE,
  LAYOUT,
  SEQUENCE_KEY,
} from './keyspace.js';
import { bounds, type DamageOf, type Entry, inOrder, type RangeOptions } from './ranges.js';
import { asRecord } from './record.js';

/** The ordered byte store beneath; reads inside a transaction see its own writes. */
export interface KeyValueStore {
  get(key: Buffer): Buffer | undefined;
  has(key: Buffer): boolean;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Documents of a collection; the dictionary is that of its record. */
  documentsOf(collectionId: number): Documents;
  compress(collectionId: number, dictionary: Buffer): void;
  readonly damageOf: DamageOf;
}

interface PendingWrite {
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

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

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/**
 * Collections over LMDB. Writes queue up and share one transaction, and so one flush to disk, with all others of the same turn of
 * the event loop; each is answered after that transaction is on disk.
 */
export class Engine implements KeyValueStore {
  private readonly lmdb: RootDatabase<Buffer, Buffer>;
  private readonly collections = new Map<string, Collection>();
  private readonly dirty = new Set<Collection>();
  /** By collection, and not in it: a long search holds a collection from before an undone transaction. */
  private readonly compressed = new Map<number, Documents>();
  private readonly plain: Documents;
  /** Whether the data says that earlier versions cannot read it. */
  private isMarked = false;
  readonly damage: Damage;
  private queue: PendingWrite[] = [];
  private scheduled = false;
  private closed = false;

  /**
   * @param freeBytes free space of the disk on which the directory is
   * @param tell hears of damage
   * @param readOnly another process may use the directory: this one sees one state of it until its turn of the event loop ends
   */
  constructor(
    readonly directory: string,
    flush = true,
    private readonly freeBytes: () => number = () => freeBytesAt(directory),
    tell: (message: string) => void = () => undefined,
    readOnly = false,
  ) {
    this.damage = new Damage(tell);
    createDirectory(directory);
    // without a flush per commit a power failure may damage the files; the end of the process alone does not
    const durability = flush ? {} : { noSync: true, overlappingSync: false };
    this.lmdb = open<Buffer, Buffer>({ path: directory, ...FORMAT, maxDbs: 1, readOnly, ...durability });
    this.plain = new Documents(this.lmdb, this.damageOf);
    restrictToOwner(directory);
    this.load();
  }

  readonly damageOf = (key: Buffer, what: string): StoreError => this.damage.found(placeOf(key, this.list()), what);

  // --- bytes

  get(key: Buffer): Buffer | undefined {
    return this.lmdb.get(key);
  }

  has(key: Buffer): boolean {
    return this.lmdb.doesExist(key);
  }

  put(key: Buffer, value: Buffer): void {
    this.lmdb.putSync(key, value);
  }

  remove(key: Buffer): void {
    this.lmdb.removeSync(key);
  }

  /** Entries with `start <= key < end`, in order or in reverse order. */
  range(options: RangeOptions): Iterable<Entry> {
    return inOrder(this.lmdb.getRange(bounds(options)), options, this.damageOf);
  }

  /** The same without a look at their order, for who tells of damage. */
  walk(options: RangeOptions): Iterable<Entry> {
    return this.lmdb.getRange(bounds(options));
  }

  keys(options: RangeOptions): Iterable<Buffer> {
    return this.lmdb.getKeys(bounds(options));
  }

  /** Number of keys in a range, at most `limit`. */
  countKeys(start: Buffer, end: Buffer, limit?: number): number {
    return countKeys(this.lmdb, start, end, limit);
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
  private attempt(batch: PendingWrite[]): Outcome[] | undefined {
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
      return stored;
    } catch (cause) {
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
    // the number is on another page than what it counts
    if (catalog.length === 0 && entryCount > MOST_WITHOUT_CATALOG)
      throw this.damage.found(`the store has ${entryCount} values, and none of them`, 'can be found');
    for (const { key, value } of catalog) {
      const ns = key.toString('utf8', 1);
      if (ns === FORMAT_NAME) {
        this.isMarked = isCurrentFormat(decode(value));
        continue;
      }
      const collection = this.attach(ns, asRecord(decode(this.unsealed(key, value))));
      const at = countKey(collection.record.id);
      const stored = this.get(at);
      if (!stored) continue;
      const counts = this.unsealed(at, stored, COUNTS_BYTES);
      collection.count = counts.readDoubleLE(0);
      collection.bytes = counts.readDoubleLE(8);
      collection.stored = { count: collection.count, bytes: collection.bytes };
    }
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
    const key = { _id: 1 };
    const spec = { v: 2, key, name: '_id_' };
    const primary = { id: 0, name: '_id_', key, spec, layout: LAYOUT, multi: [], shortened: false };
    const collection = this.attach(ns, { id: this.nextId(), layout: LAYOUT, options, indexes: [primary] });
    this.saveRecord(collection);
    return collection;
  }

  saveRecord(collection: Collection): void {
    const key = catalogKey(collection.ns);
    this.put(key, sealed(key, encode(collection.toRecord() as unknown as Doc)));
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

function outcomeOf(run: () => unknown): Outcome {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, error };
    throw error;
  }
}

function settle(batch: PendingWrite[], outcomes: Outcome[]): void {
  batch.forEach((write, index) => {
    const outcome = outcomes[index];
    if (outcome?.ok) write.resolve(outcome.value);
    else write.reject(outcome?.error);
  });
}

/** LMDB makes its files readable to every user, and so would be a copy of their folder. */
function restrictToOwner(directory: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const file = join(directory, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
