import { chmodSync, existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Binary } from 'bson';
import { open, type RootDatabase } from 'lmdb';
import { createDirectory } from '../create-directory.js';
import { decode, encode, type Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { RAW_FORMAT } from './buffer-pool.js';
import { Collection, type CollectionRecord } from './collection.js';
import { after } from '../bson/keys.js';
import { boundaryKey, endOfDocuments, endOfEntries, type Numbered, setApart } from './boundary.js';
import { dictionaryOf, SAMPLE_SIZE } from './dictionary.js';
import { addTo, CompressedDocuments, type Documents } from './documents.js';
import { assertKnownFormat, FORMAT_NAME, FORMAT_RECORD } from './format.js';
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
import { bounds, type RangeOptions } from './ranges.js';

/** The ordered byte store beneath; reads inside a transaction see its own writes. */
export interface KeyValueStore extends Documents {
  has(key: Buffer): boolean;
  remove(key: Buffer): void;
  /** Documents of a collection; the dictionary is that of its record. */
  documentsOf(collectionId: number): Documents;
  compress(collectionId: number, dictionary: Buffer): void;
}

interface PendingWrite {
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

const SWEEP_STEP = 5000;

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
  private readonly compressed = new Map<number, CompressedDocuments>();
  private queue: PendingWrite[] = [];
  private scheduled = false;
  private closed = false;

  /** @param freeBytes free space of the disk on which the directory is */
  constructor(
    readonly directory: string,
    flush = true,
    private readonly freeBytes: () => number = () => freeBytesAt(directory),
  ) {
    createDirectory(directory);
    // without a flush per commit a power failure may damage the files; the end of the process alone does not
    const durability = flush ? {} : { noSync: true, overlappingSync: false };
    this.lmdb = open<Buffer, Buffer>({ path: directory, ...FORMAT, maxDbs: 1, ...durability });
    restrictToOwner(directory);
    this.load();
  }

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

  add(key: Buffer, value: Buffer): boolean {
    return addTo(this.lmdb, key, value);
  }

  remove(key: Buffer): void {
    this.lmdb.removeSync(key);
  }

  /** Entries with `start <= key < end`, in order or in reverse order. */
  range(options: RangeOptions): Iterable<{ key: Buffer; value: Buffer }> {
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
    return this.compressed.get(collectionId) ?? this;
  }

  compress(collectionId: number, dictionary: Buffer): void {
    this.compressed.set(collectionId, new CompressedDocuments(this.lmdb, FORMAT, dictionary));
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
      return this.lmdb.transactionSync(() => {
        const outcomes = batch.map(({ run }) => outcomeOf(run));
        this.persistCounts();
        return outcomes;
      });
    } catch (cause) {
      this.load();
      return batch.length > 1 ? undefined : [{ ok: false, error: asStoreError(cause, this.freeBytes()) }];
    }
  }

  private persistCounts(): void {
    for (const collection of this.collections.values()) {
      if (collection.count === collection.stored.count && collection.bytes === collection.stored.bytes) continue;
      const value = Buffer.alloc(16);
      value.writeDoubleLE(collection.count, 0);
      value.writeDoubleLE(collection.bytes, 8);
      this.put(countKey(collection.record.id), value);
      collection.stored = { count: collection.count, bytes: collection.bytes };
      if (collection.learn()) this.put(catalogKey(FORMAT_NAME), FORMAT_RECORD);
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
    for (const { key, value } of this.range(CATALOG_RANGE)) {
      const ns = key.toString('utf8', 1);
      if (ns === FORMAT_NAME) {
        assertKnownFormat(decode(value));
        continue;
      }
      const collection = this.attach(ns, asRecord(decode(value)));
      const counts = this.get(countKey(collection.record.id));
      if (!counts) continue;
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
    return this.get(SEQUENCE_KEY)?.readUInt32LE(0) ?? 0;
  }

  /** The next free number; inside a write transaction. */
  nextId(): number {
    const next = this.lastId() + 1;
    const value = Buffer.alloc(4);
    value.writeUInt32LE(next, 0);
    this.put(SEQUENCE_KEY, value);
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
    this.put(catalogKey(collection.ns), encode(collection.toRecord() as unknown as Doc));
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
        const keys = [...this.keys({ start: prefix, end: after(prefix), limit: left })];
        for (const one of keys) this.remove(one);
        left -= keys.length;
        if (left <= 0) return true;
        this.remove(key);
      }
      return false;
    };
    while (await this.write(step));
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

/**
 * With less free space nothing is written. LMDB 3.5 describes a write that the disk refuses in a buffer that is too short, so a full
 * disk damages the memory of the process.
 */
const RESERVED_BYTES = 32 * 1024 * 1024;

function freeBytesAt(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** LMDB reports a full disk as a short write, which looks like any input/output error. */
function asStoreError(cause: unknown, freeBytes: number): StoreError {
  const message = `the write could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`;
  if (freeBytes >= RESERVED_BYTES && !/MDB_MAP_FULL|No space left/i.test(message))
    return new StoreError('InternalError', message);
  return outOfSpace(message);
}

function outOfSpace(message: string): StoreError {
  return new StoreError('OutOfDiskSpace', `${message}; the disk is full: free some space and try again`);
}

function asRecord(doc: Doc): CollectionRecord {
  const indexes = (doc.indexes as Doc[]).map((index) => ({
    id: Number(index.id),
    name: String(index.name),
    key: index.key as Doc,
    spec: index.spec as Doc,
    layout: layoutOf(index),
    multi: (index.multi as unknown[]).map(Number),
    shortened: index.shortened === true,
  }));
  const dictionary = doc.dictionary === undefined ? {} : { dictionary: dictionaryOf(doc.dictionary as Binary) };
  return { id: Number(doc.id), layout: layoutOf(doc), options: doc.options as Doc, indexes, ...dictionary };
}

/** Records of the first layout do not name it. */
const layoutOf = (record: Doc): number => (record.layout === undefined ? 1 : Number(record.layout));

/** LMDB makes its files readable to every user, and so would be a copy of their folder. */
function restrictToOwner(directory: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const file = join(directory, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
