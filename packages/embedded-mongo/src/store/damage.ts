import { KIND } from '../bson/values.js';
import { StoreError } from '../errors.js';
import type { Collection } from './collection.js';

/** MongoDB's code for it. */
const CODE_NAME = 'DataCorruptionDetected';
/** How many places are told in the log; each of them once. */
const MOST_TOLD = 100;

/** What is said of a value whose checksum differs. */
export const CHANGED = 'is not as it was stored';

/** What LMDB says of pages that are none. */
const DAMAGED_PAGE = /MDB_(?:CORRUPTED|PAGE_NOTFOUND|CURSOR_FULL|INVALID)\b/;

/** What reads found to be damaged since the start. */
export class Damage {
  /** Reads and writes that were refused because of it. */
  count = 0;
  latest: string | undefined;
  private readonly told = new Set<string>();

  /** @param tell hears of each place once */
  constructor(private readonly tell: (message: string) => void) {}

  /** The error of a read that found damage. */
  found(place: string, what: string): StoreError {
    const message = `damaged data: ${place} ${what}; restore a backup`;
    this.count++;
    this.latest = message;
    if (!this.told.has(message) && this.told.size < MOST_TOLD) {
      this.told.add(message);
      this.tell(message);
    }
    return new StoreError(CODE_NAME, message);
  }

  /** The same for an error of LMDB that says so, in the collection that a command names; undefined for any other. */
  of(error: unknown, place: string): StoreError | undefined {
    const message = error instanceof Error ? error.message : String(error);
    return DAMAGED_PAGE.test(message) ? this.found(place, `cannot be read (${message})`) : undefined;
  }
}

/** What lies under a key, in words. */
export function placeOf(key: Buffer, collections: readonly Collection[]): string {
  const begins = (prefix: Buffer): boolean => key.subarray(0, prefix.length).equals(prefix);
  for (const { ns, prefix, indexes } of collections) {
    if (begins(prefix)) return `the document with _id ${idText(key.subarray(prefix.length))} of ${ns}`;
    const index = indexes.find((one) => begins(one.prefix));
    if (index)
      return `the entry ${key.subarray(index.prefix.length).toString('hex')} of the index ${index.name} of ${ns}`;
  }
  if (key[0] === 'C'.charCodeAt(0)) return `the description of the collection ${key.toString('utf8', 1)}`;
  return `the record ${key.toString('hex')} of the store`;
}

/** An encoded `_id`. */
export function idText(id: Buffer): string {
  if (id[0] === KIND.ObjectId && id.length === 13) return `ObjectId('${id.toString('hex', 1)}')`;
  if (id[0] === KIND.String && id.at(-1) === 0) return JSON.stringify(id.toString('utf8', 1, id.length - 1));
  return `0x${id.toString('hex')}`;
}
