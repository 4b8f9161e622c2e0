import { crc32 } from 'node:zlib';

export const SUM_BYTES = 4;
/** Sets the highest bit of each checksum. Its last byte is never 0 then, and that of every document without one is. */
const MARK = 0x80000000;
const SHORTEST_DOCUMENT = 5;

/** FNV-1a: for short bytes, which a call of a native function would cost more than. */
function hash(bytes: Buffer, seed = 0x811c9dc5): number {
  let sum = seed;
  for (let at = 0; at < bytes.length; at++) sum = Math.imul(sum ^ (bytes[at] as number), 0x01000193);
  return sum;
}

/** The key is part of it: a value that is found under another key is noticed. */
const sumOf = (key: Buffer, value: Buffer): number => (crc32(value, hash(key) >>> 0) | MARK) >>> 0;

/** The form in which a value is stored: followed by its checksum. */
export function sealed(key: Buffer, value: Buffer): Buffer {
  const out = Buffer.allocUnsafe(value.length + SUM_BYTES);
  out.set(value);
  out.writeUInt32LE(sumOf(key, value), value.length);
  return out;
}

/** A stored value of a known length, which has no checksum if an earlier version stored it; undefined if it is damaged. */
export function unsealed(key: Buffer, stored: Buffer, length: number): Buffer | undefined {
  if (stored.length === length) return stored;
  if (stored.length !== length + SUM_BYTES) return undefined;
  const value = stored.subarray(0, length);
  return stored.readUInt32LE(length) === sumOf(key, value) ? value : undefined;
}

/** A stored BSON document, whose length is its beginning; undefined if it is damaged. */
export function unsealedDocument(key: Buffer, stored: Buffer): Buffer | undefined {
  if (stored.length < SHORTEST_DOCUMENT) return undefined;
  const length = stored.readInt32LE(0);
  if (stored.length === length && stored[length - 1] !== 0) return undefined;
  return unsealed(key, stored, length);
}

/** Whether a stored document has one. */
export const hasChecksum = (stored: Buffer): boolean => stored.at(-1) !== 0;

/** No encoded `_id` begins like this, so that entries of earlier versions, which are one or empty, are told apart. */
const ENTRY_MARK = 0xc0000000;
const ENTRY_BITS = 0x1fffffff;

const entrySumOf = (key: Buffer, id: Buffer): number => ((hash(id, hash(key)) & ENTRY_BITS) | ENTRY_MARK) >>> 0;

/** The value of an index entry: its checksum, and the `_id` unless the key has it. */
export function sealedEntry(key: Buffer, id: Buffer): Buffer {
  const out = Buffer.allocUnsafe(SUM_BYTES + id.length);
  out.writeUInt32BE(entrySumOf(key, id));
  out.set(id, SUM_BYTES);
  return out;
}

/** The `_id` in the value of an index entry, or nothing; undefined if it is damaged. */
export function unsealedEntry(key: Buffer, stored: Buffer): Buffer | undefined {
  if (!isSealedEntry(stored)) return stored;
  if (stored.length < SUM_BYTES) return undefined;
  const id = stored.subarray(SUM_BYTES);
  return stored.readUInt32BE() === entrySumOf(key, id) ? id : undefined;
}

/** Whether it has a checksum. */
const isSealedEntry = (stored: Buffer): boolean => ((stored[0] ?? 0) & 0xe0) === ENTRY_MARK >>> 24;
