import type { Doc } from '../bson/codec.js';
import type { Change } from './change-log.js';
import type { Collection } from './collection.js';
import type { Documents } from './documents.js';
import type { DamageOf, Entry, RangeOptions } from './ranges.js';

/** Documents as a collection reads and writes them. */
export type DocumentAccess = Pick<Documents, 'get' | 'put' | 'add' | 'remove' | 'range'>;

/** The ordered byte store beneath; reads inside a transaction see its own writes. */
export interface KeyValueStore {
  get(key: Buffer): Buffer | undefined;
  has(key: Buffer): boolean;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /**
   * Hears of each key that is changed and that only one of several concurrent transactions may change: documents, and entries of
   * unique indexes. In a transaction it may throw, which ends the transaction.
   */
  claim(key: Buffer): void;
  /** Tells those who watch of a change; it is asked for only if there are any. */
  note(change: () => Change): void;
  /** Documents of a collection; the dictionary is that of its record. */
  documentsOf(collectionId: number): DocumentAccess;
  compress(collectionId: number, dictionary: Buffer): void;
  readonly damageOf: DamageOf;
}

/** What commands read and change: everything that is stored, or a transaction over one state of it. */
export interface Store extends KeyValueStore {
  /** Entries with `start <= key < end`, in order or in reverse order. */
  range(options: RangeOptions): Iterable<Entry>;
  /** Number of keys in a range, at most `limit`. */
  countKeys(start: Buffer, end: Buffer, limit?: number): number;
  find(ns: string): Collection | undefined;
  /** The collection of that name, created with its `_id` index when it is new; inside {@link write}. */
  ensure(ns: string, options?: Doc): Collection;
  /** Runs `operation`, which may throw a StoreError before it wrote anything. */
  write<T>(operation: () => T): Promise<T>;
}
