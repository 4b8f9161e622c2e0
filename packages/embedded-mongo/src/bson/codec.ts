import { isUtf8 } from 'node:buffer';
import { DBRef, deserialize, Double, Int32, Long, ObjectId, serialize } from 'bson';
import { StoreError, badValue } from '../errors.js';
import { decodeUsual } from './decoder.js';

/** A decoded document: numbers keep their BSON type (Int32, Double, Long), everything else is as the bson library gives it. */
export type Doc = Record<string, unknown>;

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Nested documents and arrays allowed in one stored document or command. */
const MAX_DEPTH = 100;

/** Where one element of a raw document lies: `start` is its type byte, `value` the first byte after the name, `end` the next element. */
export interface RawElement {
  type: number;
  name: string;
  start: number;
  value: number;
  end: number;
}

/** Decodes with numeric types kept, so that what is written back has the types that were stored. */
export function decode(raw: Buffer, skipped?: ReadonlySet<string>): Doc {
  return decodeUsual(raw, skipped) ?? decodeAny(raw);
}

function decodeAny(raw: Buffer): Doc {
  const options = { promoteValues: false, promoteLongs: false, bsonRegExp: true, validation: { utf8: false } };
  const doc: Doc = deserialize(raw, options);
  return raw.includes('$ref\0') ? (withoutClasses(doc) as Doc) : doc;
}

/** The library turns `{$ref, $id}` into a class of its own; on the wire and in queries it is a document like any other. */
function withoutClasses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutClasses);
  if (value instanceof DBRef) {
    const { collection, oid, db, fields } = value;
    return withoutClasses({ $ref: collection, $id: oid, ...(db === undefined ? {} : { $db: db }), ...fields });
  }
  if (!isDoc(value)) return value;
  for (const [name, inner] of Object.entries(value)) setOwn(value, name, withoutClasses(inner));
  return value;
}

/** Encodes a document; a field whose value is `undefined` is left out. */
export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const FIXED: Record<number, number> = {
  0x01: 8,
  0x06: 0,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};

export function malformed(what: string): StoreError {
  return new StoreError('InvalidBSON', `malformed BSON: ${what}`, {}, 22);
}

/** The first byte after a value. */
export function valueEnd(raw: Buffer, type: number, at: number, limit: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return at + fixed;
  if (type === 0x0b) {
    const pattern = raw.indexOf(0, at);
    const flags = pattern < 0 ? -1 : raw.indexOf(0, pattern + 1);
    if (flags < 0) throw malformed('unterminated regular expression');
    return flags + 1;
  }
  if (at + 4 > limit) throw malformed('truncated value');
  const size = raw.readInt32LE(at);
  if (size < 0) throw malformed('negative length');
  if (type === 0x02 || type === 0x0d || type === 0x0e) return at + 4 + size;
  if (type === 0x03 || type === 0x04 || type === 0x0f) return at + size;
  if (type === 0x05) return at + 5 + size;
  if (type === 0x0c) return at + 4 + size + 12;
  throw malformed(`unknown element type 0x${type.toString(16)}`);
}

/** Where the last byte of the document is that starts at `from`. */
function documentEnd(raw: Buffer, from: number): number {
  const size = from + 5 <= raw.length ? raw.readInt32LE(from) : 0;
  const end = from + size - 1;
  if (size < 5 || end >= raw.length || raw[end] !== 0) throw malformed('wrong document length');
  return end;
}

/** Walks the top level of the document that starts at `from`; throws on bytes that are not BSON. */
export function* elements(raw: Buffer, from = 0): Generator<RawElement> {
  const end = documentEnd(raw, from);
  let start = from + 4;
  while (start < end) {
    const type = raw[start] as number;
    const nameEnd = raw.indexOf(0, start + 1);
    if (nameEnd < 0 || nameEnd >= end) throw malformed('unterminated field name');
    const next = valueEnd(raw, type, nameEnd + 1, end);
    if (next > end) throw malformed('a value reaches past its document');
    yield { type, name: raw.toString('utf8', start + 1, nameEnd), start, value: nameEnd + 1, end: next };
    start = next;
  }
}

/**
 * Checks lengths, terminators, text and nesting of a whole document, so that every later reader can trust it. Every document that is
 * inserted passes here, so it makes no objects, and reads short texts itself.
 */
export function validate(raw: Buffer, from = 0, depth = 0): void {
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `documents may be nested ${MAX_DEPTH} levels deep at most`);
  const end = documentEnd(raw, from);
  let start = from + 4;
  while (start < end) {
    const type = raw[start] as number;
    const nameEnd = endOfName(raw, start + 1, end);
    if (!isText(raw, start + 1, nameEnd)) throw malformed('a name that is not UTF-8');
    const value = nameEnd + 1;
    const next = valueEnd(raw, type, value, end);
    if (next > end) throw malformed('a value reaches past its document');
    if (type === 0x03 || type === 0x04) {
      if (value + raw.readInt32LE(value) !== next) throw malformed('wrong document length');
      validate(raw, value, depth + 1);
    } else if (type === 0x02 || type === 0x0d || type === 0x0e) {
      if (next - value < 5 || raw[next - 1] !== 0) throw malformed('unterminated string');
      if (!isText(raw, value + 4, next - 1)) throw malformed('text that is not UTF-8');
    }
    start = next;
  }
}

function endOfName(raw: Buffer, from: number, limit: number): number {
  let at = from;
  while (at < limit && raw[at] !== 0) at++;
  if (at >= limit) throw malformed('unterminated field name');
  return at;
}

/** Up to here the call of the library costs more than reading. */
const SHORT_TEXT_BYTES = 48;

function isText(raw: Buffer, from: number, to: number): boolean {
  let bits = 0xff;
  if (to - from <= SHORT_TEXT_BYTES) {
    bits = 0;
    for (let at = from; at < to; at++) bits |= raw[at] as number;
  }
  return bits < 0x80 || isUtf8(raw.subarray(from, to));
}

/** A small document of the wanted top-level fields only, decoded; much cheaper than decoding a large document whole. */
export function pick(raw: Buffer, names: ReadonlySet<string>): Doc {
  return decode(pickRaw(raw, names));
}

/** The wanted top-level fields as the bytes of a document of their own. */
function pickRaw(raw: Buffer, names: ReadonlySet<string>): Buffer {
  const parts: Buffer[] = [];
  for (const element of elements(raw)) {
    if (names.has(element.name)) parts.push(raw.subarray(element.start, element.end));
    if (parts.length === names.size) break;
  }
  return wrap(parts);
}

/** Joins raw elements into one document. */
export function wrap(parts: Uint8Array[]): Buffer {
  let size = 5;
  for (const part of parts) size += part.length;
  const out = Buffer.allocUnsafe(size);
  out.writeInt32LE(size, 0);
  let at = 4;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  out[at] = 0;
  return out;
}

/** The raw documents of an array element, without decoding them. */
export function rawItems(raw: Buffer, from: number): Buffer[] {
  const items: Buffer[] = [];
  for (const { type, value, end } of elements(raw, from)) {
    if (type !== 0x03) throw typeError();
    items.push(raw.subarray(value, end));
  }
  return items;
}

const typeError = (): StoreError => new StoreError('TypeMismatch', 'every item of this array must be a document');

/** Gives a document to be stored its `_id` (generated when absent) as the first field, as MongoDB does. */
export function withIdFirst(raw: Buffer): Buffer {
  let first = true;
  for (const { name, start, end } of elements(raw)) {
    if (name === '_id') {
      if (first) return raw;
      return wrap([raw.subarray(start, end), raw.subarray(4, start), raw.subarray(end, raw.length - 1)]);
    }
    first = false;
  }
  const id = encode({ _id: new ObjectId() });
  return wrap([id.subarray(4, id.length - 1), raw.subarray(4, raw.length - 1)]);
}

export function isDoc(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return false;
  const type = (value as { _bsontype?: unknown })._bsontype;
  // A stored document may itself have a field of this name; library classes carry it on their prototype.
  return type === undefined || Object.hasOwn(value, '_bsontype');
}

/** Own property or undefined; never reaches the prototype (`constructor`, `__proto__`). */
export function own(doc: Doc, name: string): unknown {
  return Object.hasOwn(doc, name) ? doc[name] : undefined;
}

/** Sets a field also when its name is `__proto__`. */
export function setOwn(doc: Doc, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(doc, name, { value, writable: true, enumerable: true, configurable: true });
  else doc[name] = value;
}

/** A JavaScript number of any BSON number, for options such as limit and batchSize. */
export function toInteger(value: unknown, name: string): number {
  const number =
    value instanceof Long ? value.toNumber() : value instanceof Int32 || value instanceof Double ? value.value : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    throw new StoreError('TypeMismatch', `'${name}' must be a number`);
  }
  if (!Number.isInteger(number)) throw badValue(`'${name}' must be a whole number`);
  return number;
}
