import type { Database } from 'lmdb';
import { sealed, unsealedDocument } from './checksum.js';
import { CHANGED } from './damage.js';
import { bounds, type DamageOf, type Entry, inOrder, LATEST, type RangeOptions, type Snapshot } from './ranges.js';

/** Reads and writes the documents of collections under their keys. What is damaged is an error, and never given. */
export class Documents {
  /**
   * @param lmdb with or without compression; the keys, and the place of the documents, are the same
   * @param at the state that is read, if not the latest
   */
  constructor(
    private readonly lmdb: Database<Buffer, Buffer>,
    private readonly damageOf: DamageOf,
    private readonly at: Snapshot = LATEST,
  ) {}

  /** The same documents as they were. */
  asOf(at: Snapshot): Documents {
    return new Documents(this.lmdb, this.damageOf, at);
  }

  get(key: Buffer): Buffer | undefined {
    const stored = this.lmdb.get(key, this.at);
    return stored && this.checked(key, stored);
  }

  put(key: Buffer, value: Buffer): void {
    this.lmdb.putSync(key, sealed(key, value));
  }

  remove(key: Buffer): void {
    this.lmdb.removeSync(key);
  }

  /** Stores a new document; false, with nothing written, if there is one with this key. */
  add(key: Buffer, value: Buffer): boolean {
    // the library says whether it wrote, and its types do not
    return this.lmdb.putSync(key, sealed(key, value), { noOverwrite: true }) as unknown as boolean;
  }

  /** Entries with `start <= key < end`, in order or in reverse order. */
  range(options: RangeOptions): Iterable<Entry> {
    return inOrder(this.lmdb.getRange({ ...bounds(options), ...this.at }), options, this.damageOf, (key, stored) =>
      this.checked(key, stored),
    );
  }

  /** The same as they are stored, unchecked and whatever their order, for who tells of damage. */
  walk(options: RangeOptions): Iterable<Entry> {
    return this.lmdb.getRange(bounds(options));
  }

  private checked(key: Buffer, stored: Buffer): Buffer {
    const value = unsealedDocument(key, stored);
    if (!value) throw this.damageOf(key, CHANGED);
    return value;
  }
}
