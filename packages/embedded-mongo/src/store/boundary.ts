import { documentsPrefix } from './keyspace.js';
import type { KeyValueStore } from './engine.js';

/** No key of a document has it after the prefix: it is the kind of no value. */
const MARK = 0xff;
/** Two of these fill a page. */
const FILLER = Buffer.alloc(2000);
const FILLERS = 4;
/** More than the quarter below which LMDB joins a page with its neighbour. */
const STONE = Buffer.alloc(1100);

/** Lies behind the documents of a collection, under a number that belongs to no other collection. */
const keyAt = (collectionId: number, layout: number, place: number): Buffer =>
  Buffer.concat([documentsPrefix(collectionId + 1, layout), Buffer.from([MARK, place])]);

export const boundaryKey = (collectionId: number, layout: number): Buffer => keyAt(collectionId, layout, FILLERS);

/**
 * Makes what follows the documents of a collection begin on a page of its own. LMDB splits a full page in the middle unless the new
 * key is the last of the page: next to keys of what follows, documents that come in the order of their keys would leave each page
 * half full. A stone at the beginning of that page keeps it apart for good. What lies between it and the documents for a moment
 * makes sure that they share no page.
 */
export function setApart(kv: KeyValueStore, collectionId: number, layout: number): void {
  const stone = boundaryKey(collectionId, layout);
  if (kv.has(stone)) return;
  const fillers = Array.from({ length: FILLERS }, (_, place) => keyAt(collectionId, layout, place));
  for (const key of fillers) kv.put(key, FILLER);
  kv.put(stone, STONE);
  for (const key of fillers) kv.remove(key);
}
