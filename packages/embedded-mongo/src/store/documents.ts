import type { Database, RootDatabase } from 'lmdb';
import { bounds, type RangeOptions } from './ranges.js';
import { MIN_COMPRESSED_BYTES } from './dictionary.js';

type Handle = Database<Buffer, Buffer>;

/** Reads and writes the documents of one collection under their keys. */
export interface Documents {
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  /** Stores a new document; false, with nothing written, if there is one with this key. */
  add(key: Buffer, value: Buffer): boolean;
  /** Entries with `start <= key < end`, in order or in reverse order. */
  range(options: RangeOptions): Iterable<{ key: Buffer; value: Buffer }>;
}

/** The library says whether it wrote, and its types do not. */
export function addTo(lmdb: Handle, key: Buffer, value: Buffer): boolean {
  return lmdb.putSync(key, value, { noOverwrite: true }) as unknown as boolean;
}

/**
 * Bytes of a document before the one that tells whether the rest is compressed. That byte is the highest of the document's length,
 * which no document of 16 MB reaches, so that documents from before the dictionary are read as they are.
 */
const PLAIN_BYTES = 3;

/** Documents compressed with the dictionary of their collection. The keys, and the place of the documents, are the same as without. */
export class CompressedDocuments implements Documents {
  private readonly lmdb: Handle;

  constructor(root: RootDatabase<Buffer, Buffer>, format: object, dictionary: Buffer) {
    const compression = { dictionary, threshold: MIN_COMPRESSED_BYTES, startingOffset: PLAIN_BYTES };
    // the same tree once more: the library keeps one dictionary for each handle
    this.lmdb = root.openDB<Buffer, Buffer>(null as unknown as string, { ...format, compression });
  }

  get(key: Buffer): Buffer | undefined {
    return this.lmdb.get(key);
  }

  put(key: Buffer, value: Buffer): void {
    this.lmdb.putSync(key, value);
  }

  add(key: Buffer, value: Buffer): boolean {
    return addTo(this.lmdb, key, value);
  }

  range(options: RangeOptions): Iterable<{ key: Buffer; value: Buffer }> {
    return this.lmdb.getRange(bounds(options));
  }
}
