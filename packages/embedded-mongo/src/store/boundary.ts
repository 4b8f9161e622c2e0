import { documentsPrefix, indexPrefix } from './keyspace.js';
import type { KeyValueStore } from './store.js';

/** No key of a document or of an index has it after the prefix: it is the kind of no value. */
const MARK = 0xff;
/** Two of these fill a page. */
const FILLER = Buffer.alloc(2000);
const FILLERS = 4;
/** More than the quarter below which LMDB joins a page with its neighbour. */
const STONE = Buffer.alloc(1100);

/** The record of a collection or of an index. */
export interface Numbered {
  readonly id: number;
  readonly layout: number;
}

/** Where the documents of a collection end: under a number that belongs to no other collection. */
export const endOfDocuments = ({ id, layout }: Numbered): Buffer => documentsPrefix(id + 1, layout);
/** Where the entries of an index end: under a number that belongs to no other index. */
export const endOfEntries = ({ id, layout }: Numbered): Buffer => indexPrefix(id + 1, layout);

const keyAt = (end: Buffer, place: number): Buffer => Buffer.concat([end, Buffer.from([MARK, place])]);

export const boundaryKey = (end: Buffer): Buffer => keyAt(end, FILLERS);

/**
 * Makes what follows the documents of a collection or the entries of an index begin on a page of its own. LMDB splits a full page in
 * the middle unless the new key is the last of the page: next to keys of what follows, documents that come in the order of their keys
 * would leave each page half full. A stone at the beginning of that page keeps it apart for good. What lies before it for a moment
 * makes sure that they share no page.
 */
export function setApart(kv: KeyValueStore, end: Buffer): void {
  const stone = boundaryKey(end);
  if (kv.has(stone)) return;
  const fillers = Array.from({ length: FILLERS }, (_, place) => keyAt(end, place));
  for (const key of fillers) kv.put(key, FILLER);
  kv.put(stone, STONE);
  for (const key of fillers) kv.remove(key);
}
