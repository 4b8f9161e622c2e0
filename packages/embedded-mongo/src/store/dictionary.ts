import type { Binary } from 'bson';
import { elements } from '../bson/codec.js';

/** Documents that a dictionary is learnt from. */
export const SAMPLE_SIZE = 256;
/** Smaller documents are stored as they are. */
export const MIN_COMPRESSED_BYTES = 128;

/** A longer dictionary costs every write more than it saves. */
const MAX_DICTIONARY_BYTES = 2048;
/** The library reads whole words, and the memory of a short buffer may move. */
const WORD_BYTES = 8;
const MIN_DICTIONARY_BYTES = 128;
/** Shares of the sample in which a field occurs to be part of the dictionary; the first that makes it short enough counts. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1];
const MAX_DEPTH = 4;

const DOCUMENT = 0x03;
const ARRAY = 0x04;
const FIRST_ITEM = '0';

/** The last bytes of values that are the same in nearly all documents: ends of texts, high bytes of lengths, dates and numbers. */
const ENDS: Record<number, number> = { 0x01: 0, 0x02: 1, 0x03: 3, 0x04: 3, 0x09: 2, 0x10: 2, 0x12: 3 };

interface Field {
  type: number;
  name: string;
  /** Documents of the sample that have it. */
  documents: number;
  /** The last document that was counted. */
  last: number;
  inner: Fields;
}
type Fields = Map<string, Field>;

/**
 * Learns what the documents of a collection have in common: the names and types of their fields, in order. It holds no value of
 * any document, because it outlives them, and no name that few documents have, which may be a value itself.
 *
 * @param documents stored documents, {@link SAMPLE_SIZE} of them
 * @returns undefined if they have too little in common to be worth it
 */
export function learnDictionary(documents: readonly Buffer[]): Buffer | undefined {
  const fields: Fields = new Map();
  for (const [at, raw] of documents.entries()) count(fields, raw, 0, { document: at, depth: 0, inArray: false });
  for (const share of SHARES) {
    const parts: Buffer[] = [];
    write(fields, documents.length * share, parts);
    const size = parts.reduce((total, part) => total + part.length, 0);
    if (size < MIN_DICTIONARY_BYTES / 2) return undefined;
    if (size <= MAX_DICTIONARY_BYTES) return padded(Buffer.concat(parts));
  }
  return undefined;
}

function count(
  fields: Fields,
  raw: Buffer,
  from: number,
  place: { document: number; depth: number; inArray: boolean },
): void {
  for (const element of elements(raw, from)) {
    const { type, value } = element;
    const name = place.inArray ? FIRST_ITEM : element.name;
    const key = `${type} ${name}`;
    let field = fields.get(key);
    if (!field) fields.set(key, (field = { type, name, documents: 0, last: -1, inner: new Map() }));
    if (field.last !== place.document) field.documents++;
    field.last = place.document;
    if ((type === DOCUMENT || type === ARRAY) && place.depth < MAX_DEPTH)
      count(field.inner, raw, value, { ...place, depth: place.depth + 1, inArray: type === ARRAY });
  }
}

function write(fields: Fields, least: number, parts: Buffer[]): void {
  for (const { type, name, documents, inner } of fields.values()) {
    if (documents < least) continue;
    parts.push(Buffer.from([type]), Buffer.from(`${name}\0`), Buffer.alloc(ENDS[type] ?? 0));
    write(inner, least, parts);
    if (type === DOCUMENT || type === ARRAY) parts.push(Buffer.alloc(1));
  }
}

/** In memory of its own, whose size is a multiple of a word. */
function padded(bytes: Uint8Array): Buffer {
  const size = Math.max(MIN_DICTIONARY_BYTES, Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES);
  const out = Buffer.allocUnsafeSlow(size).fill(0);
  out.set(bytes, size - bytes.length);
  return out;
}

/** The dictionary in the record of a collection. */
export const dictionaryOf = (stored: Binary): Buffer => padded(stored.value());
