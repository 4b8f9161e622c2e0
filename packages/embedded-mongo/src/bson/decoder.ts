import { Double, Int32, Long, ObjectId } from 'bson';
import type { Doc } from './codec.js';

/** Deeper documents are left to the library. */
const MAX_DEPTH = 64;
const NO_NAMES: ReadonlySet<string> = new Set();

/** Thrown and caught in here: a type or a damage that the library has to look at. */
class LeftToLibrary extends Error {}

const LEFT = new LeftToLibrary();

/**
 * Decodes a document of the usual types as the library would, at a fraction of its cost; undefined for any other.
 *
 * @param skipped names of top-level fields that nobody reads
 */
export function decodeUsual(raw: Buffer, skipped = NO_NAMES): Doc | undefined {
  try {
    return documentAt(raw, 0, raw.length, 0, skipped);
  } catch (error) {
    if (error === LEFT || error instanceof RangeError) return undefined;
    throw error;
  }
}

function endOf(raw: Buffer, from: number, limit: number, depth: number): number {
  const end = from + raw.readInt32LE(from) - 1;
  if (depth > MAX_DEPTH || end < from + 4 || end >= limit || raw[end] !== 0) throw LEFT;
  return end;
}

function documentAt(raw: Buffer, from: number, limit: number, depth: number, skipped: ReadonlySet<string>): Doc {
  const end = endOf(raw, from, limit, depth);
  const doc: Doc = {};
  let at = from + 4;
  while (at < end) {
    const type = raw[at] as number;
    const nameEnd = endOfName(raw, at + 1, end);
    const name = nameAt(raw, at + 1, nameEnd);
    const next = endOfValue(raw, type, nameEnd + 1, end);
    if (name === '__proto__') throw LEFT;
    if (depth > 0 || !skipped.has(name)) doc[name] = valueAt(raw, type, nameEnd + 1, next, depth);
    at = next;
  }
  return doc;
}

function arrayAt(raw: Buffer, from: number, limit: number, depth: number): unknown[] {
  const end = endOf(raw, from, limit, depth);
  const items: unknown[] = [];
  let at = from + 4;
  while (at < end) {
    const type = raw[at] as number;
    const nameEnd = endOfName(raw, at + 1, end);
    const next = endOfValue(raw, type, nameEnd + 1, end);
    items.push(valueAt(raw, type, nameEnd + 1, next, depth));
    at = next;
  }
  return items;
}

function endOfName(raw: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && raw[at] !== 0) at++;
  if (at === end) throw LEFT;
  return at;
}

/** Names repeat from document to document: the text of one that was read before is not made again. */
const KNOWN_NAMES = 1024;
const known = new Array<{ bytes: Buffer; text: string } | undefined>(KNOWN_NAMES);

function nameAt(raw: Buffer, from: number, to: number): string {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = (hash * 31 + (raw[i] as number)) | 0;
  const slot = hash & (KNOWN_NAMES - 1);
  const one = known[slot];
  if (one && equalBytes(one.bytes, raw, from, to)) return one.text;
  const text = raw.toString('utf8', from, to);
  if (to - from <= MAX_KNOWN_BYTES) known[slot] = { bytes: Buffer.from(raw.subarray(from, to)), text };
  return text;
}

const MAX_KNOWN_BYTES = 64;

function equalBytes(bytes: Buffer, raw: Buffer, from: number, to: number): boolean {
  if (bytes.length !== to - from) return false;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== raw[from + i]) return false;
  return true;
}

/** The first byte after a value, within its document. */
function endOfValue(raw: Buffer, type: number, at: number, end: number): number {
  let next: number;
  switch (type) {
    case 0x01:
    case 0x09:
    case 0x12:
      next = at + 8;
      break;
    case 0x02:
      next = at + 4 + raw.readInt32LE(at);
      if (next < at + 5 || next > end || raw[next - 1] !== 0) throw LEFT;
      break;
    case 0x03:
    case 0x04:
      next = at + raw.readInt32LE(at);
      if (next < at + 5) throw LEFT;
      break;
    case 0x05:
      next = at + 5 + raw.readInt32LE(at);
      if (next < at + 5) throw LEFT;
      break;
    case 0x07:
      next = at + 12;
      break;
    case 0x08:
      next = at + 1;
      break;
    case 0x0a:
      next = at;
      break;
    case 0x10:
      next = at + 4;
      break;
    default:
      throw LEFT;
  }
  if (next > end) throw LEFT;
  return next;
}

function valueAt(raw: Buffer, type: number, at: number, next: number, depth: number): unknown {
  switch (type) {
    case 0x01:
      return new Double(raw.readDoubleLE(at));
    case 0x02:
      return raw.toString('utf8', at + 4, next - 1);
    case 0x03:
      return documentAt(raw, at, next, depth + 1, NO_NAMES);
    case 0x04:
      return arrayAt(raw, at, next, depth + 1);
    case 0x07:
      return new ObjectId(raw.subarray(at, next));
    case 0x08:
      if ((raw[at] as number) > 1) throw LEFT;
      return raw[at] === 1;
    case 0x09:
      return new Date(raw.readInt32LE(at + 4) * 0x1_0000_0000 + raw.readUInt32LE(at));
    case 0x0a:
      return null;
    case 0x10:
      return new Int32(raw.readInt32LE(at));
    case 0x12:
      return new Long(raw.readInt32LE(at), raw.readInt32LE(at + 4));
    default:
      throw LEFT;
  }
}
