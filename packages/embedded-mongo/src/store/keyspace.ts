import type { RootDatabase } from 'lmdb';
import { LATEST, type Snapshot } from './ranges.js';

const FIRST_OFFSET = 256;

/** Version of the form in which the keys of a collection's documents or of an index are written. */
export const LAYOUT = 2;
/** The first byte of an id that takes five; smaller ids are one byte. */
const LONG_ID = 0xf0;

/** Where things lie in the one ordered key space of the store. The first byte says what a key is for. */
const tagged = (tag: string, id: number): Buffer => {
  const out = Buffer.allocUnsafe(5);
  out.write(tag, 0, 'latin1');
  out.writeUInt32BE(id, 1);
  return out;
};

/** No prefix is the beginning of another one. */
const shortlyTagged = (tag: string, id: number): Buffer => {
  const out = Buffer.alloc(id < LONG_ID ? 2 : 6);
  out.write(tag, 0, 'latin1');
  out[1] = Math.min(id, LONG_ID);
  if (id >= LONG_ID) out.writeUInt32BE(id, 2);
  return out;
};

/** `<db>\0<collection>` to its description. */
export const catalogKey = (ns: string): Buffer => Buffer.from(`C${ns}`);
/** All documents of a collection, ordered by `_id`. */
export const documentsPrefix = (collectionId: number, layout: number): Buffer =>
  layout < LAYOUT ? tagged('D', collectionId) : shortlyTagged('d', collectionId);
/** All entries of an index. A unique index has `fields` to id; any other has `fields + id` to id. */
export const indexPrefix = (indexId: number, layout: number): Buffer =>
  layout < LAYOUT ? tagged('I', indexId) : shortlyTagged('i', indexId);
/** Number and size of a collection's documents. */
export const countKey = (collectionId: number): Buffer => tagged('N', collectionId);
/** The next free number for collections and indexes. */
export const SEQUENCE_KEY = Buffer.from('M');
/** Prefixes whose keys are still to be removed. */
export const doomedKey = (prefix: Buffer): Buffer => Buffer.concat([Buffer.from('X'), prefix]);
export const DOOMED_RANGE = { start: Buffer.from('X'), end: Buffer.from('Y') };
/** Which transaction of a session was the last one to be stored, so that its client may ask again after a crash. */
export const committedKey = (session: Buffer): Buffer => Buffer.concat([Buffer.from('T'), session]);
export const COMMITTED_RANGE = { start: Buffer.from('T'), end: Buffer.from('U') };
export const CATALOG_RANGE = { start: Buffer.from('C'), end: Buffer.from('D') };

/**
 * Number of keys in a range, at most `limit`. LMDB counts to the end of a range whatever the limit, but skips to an offset
 * at no cost, even past the end of the range, so the offset grows with what is found.
 */
export function countKeys(
  lmdb: RootDatabase<Buffer, Buffer>,
  start: Buffer,
  end: Buffer,
  limit?: number,
  at: Snapshot = LATEST,
): number {
  const hasKeyAt = (offset: number): boolean => [...lmdb.getKeys({ start, end, offset, limit: 1, ...at })].length > 0;
  if (limit !== undefined) {
    for (let offset = Math.min(FIRST_OFFSET, limit); hasKeyAt(offset); offset = Math.min(offset * 8, limit)) {
      if (offset === limit) return limit;
    }
  }
  return lmdb.getKeysCount({ start, end, ...at });
}
