import { createHash } from 'node:crypto';
import type { Binary, BSONRegExp, Code, Decimal128, ObjectId, Timestamp } from 'bson';
import type { Doc } from './codec.js';
import { decimalKey } from './decimal.js';
import { floorDistance, numberOf } from './numbers.js';
import { kindOf, KIND, textOf } from './values.js';

/**
 * Order-preserving encoding: comparing two encodings byte by byte gives the BSON order of the values. Each encoding ends itself,
 * so encodings can be joined; strings escape their lowest bytes, numbers of all types share one form.
 */
class KeyWriter {
  private bytes = Buffer.allocUnsafe(4096);
  private at = 0;

  take(from: number): Buffer {
    return Buffer.from(this.bytes.subarray(from, this.at));
  }

  get position(): number {
    return this.at;
  }

  rewind(to: number): void {
    this.at = to;
  }

  private room(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  byte(value: number): void {
    this.room(1);
    this.bytes[this.at++] = value;
  }

  raw(value: Uint8Array): void {
    this.room(value.length);
    this.bytes.set(value, this.at);
    this.at += value.length;
  }

  /** Ends with a zero byte; the bytes 0 and 1 inside are escaped, so that no text's encoding begins another's. */
  text(value: string): void {
    this.room(value.length * 6 + 1);
    const from = this.at;
    this.at += this.bytes.write(value, from, 'utf8');
    // eslint-disable-next-line no-control-regex -- these two are what has to be found
    if (/[\0\x01]/.test(value)) {
      const plain = Buffer.from(this.bytes.subarray(from, this.at));
      this.at = from;
      for (const byte of plain) {
        if (byte > 1) this.bytes[this.at++] = byte;
        else {
          this.bytes[this.at++] = 1;
          this.bytes[this.at++] = byte + 1;
        }
      }
    }
    this.byte(0);
  }

  /** Nearest double with its sign made sortable, then how far the exact integer lies from that double. */
  number(value: unknown): void {
    const exact = numberOf(value);
    if (exact === undefined) return this.decimal(value as Decimal128);
    this.room(10);
    const double = Number(exact) + 0;
    const rest = typeof exact === 'bigint' ? Number(exact - BigInt(double)) : 0;
    if (Number.isNaN(double)) this.bytes.fill(0, this.at, this.at + 8);
    else {
      this.bytes.writeDoubleBE(double === 0 ? 0 : double, this.at);
      if (double < 0) for (let i = 0; i < 8; i++) this.bytes[this.at + i] = ~(this.bytes[this.at + i] as number) & 0xff;
      else this.bytes[this.at] = (this.bytes[this.at] as number) | 0x80;
    }
    this.bytes.writeUInt16BE(rest + 0x8000, this.at + 8);
    this.at += 10;
  }

  /**
   * A decimal that another type has as well is written as that type is. Any other one is followed by its own digits: after the number
   * just below it, and before whatever follows that number, since no kind is 255.
   */
  private decimal(value: Decimal128): void {
    const nearest = Number(value.toString());
    const double = Math.min(Math.max(nearest, -Number.MAX_VALUE), Number.MAX_VALUE);
    const { floor, isExact } = floorDistance(value, double);
    if (isExact && floor === 0n) return this.number(double);
    if (isExact && floor >= -MOST_FROM_DOUBLE && floor <= MOST_FROM_DOUBLE) return this.number(BigInt(double) + floor);
    const rest = floor < -0x8000n ? -0x8000 : floor > 0x7fffn ? 0x7fff : Number(floor);
    this.number(double);
    this.bytes.writeUInt16BE(rest + 0x8000, this.at - 2);
    this.byte(AFTER_NUMBER);
    this.raw(decimalKey(value));
  }

  date(value: Date): void {
    this.room(8);
    this.bytes.writeBigInt64BE(BigInt(value.getTime()), this.at);
    this.bytes[this.at] = (this.bytes[this.at] as number) ^ 0x80;
    this.at += 8;
  }

  document(entries: [string, unknown][]): void {
    for (const [name, value] of entries) {
      this.byte(kindOf(value));
      this.text(name);
      this.payload(kindOf(value), value);
    }
    this.byte(0);
  }

  value(value: unknown): void {
    const kind = kindOf(value);
    this.byte(kind);
    this.payload(kind, value);
  }

  private payload(kind: number, value: unknown): void {
    switch (kind) {
      case KIND.Number:
        return this.number(value);
      case KIND.String:
        return this.text(textOf(value));
      case KIND.Object:
        return this.document(Object.entries(value as Doc));
      case KIND.Array:
        for (const item of value as unknown[]) this.value(item);
        return this.byte(0);
      case KIND.Binary: {
        const binary = value as Binary;
        const head = Buffer.alloc(5);
        head.writeUInt32BE(binary.length(), 0);
        head[4] = binary.sub_type;
        this.raw(head);
        return this.raw(binary.value());
      }
      case KIND.ObjectId:
        return this.raw((value as ObjectId).id);
      case KIND.Boolean:
        return this.byte(value ? 1 : 0);
      case KIND.Date:
        return this.date(value as Date);
      case KIND.Timestamp: {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64BE((value as Timestamp).toBigInt() & 0xffffffffffffffffn);
        return this.raw(bytes);
      }
      case KIND.RegExp:
        this.text((value as BSONRegExp).pattern);
        return this.text((value as BSONRegExp).options);
      case KIND.Code:
      case KIND.CodeWithScope:
        this.text((value as Code).code);
        return this.document(Object.entries((value as Code).scope ?? {}));
    }
  }

  /** Writes a scalar from the bytes of a stored document; false, with nothing written, if its type has to be decoded first. */
  stored(type: number, raw: Buffer, at: number): boolean {
    switch (type) {
      case 0x01:
        return this.double(raw.readDoubleLE(at));
      case 0x10:
        return this.double(raw.readInt32LE(at));
      case 0x12:
        return this.long(raw, at);
      case 0x02:
        this.byte(KIND.String);
        this.storedText(raw, at + 4, at + 3 + raw.readInt32LE(at));
        return true;
      case 0x07:
        this.byte(KIND.ObjectId);
        this.slice(raw, at, at + 12);
        return true;
      case 0x08:
        this.byte(KIND.Boolean);
        this.byte(raw[at] === 0 ? 0 : 1);
        return true;
      case 0x09:
        return this.storedDate(raw, at);
      case 0x0a:
        this.byte(KIND.Null);
        return true;
      default:
        return false;
    }
  }

  private slice(raw: Buffer, from: number, to: number): void {
    this.room(to - from);
    for (let i = from; i < to; i++) this.bytes[this.at++] = raw[i] as number;
  }

  private double(value: number): boolean {
    this.byte(KIND.Number);
    this.number(value);
    return true;
  }

  private long(raw: Buffer, at: number): boolean {
    const value = raw.readInt32LE(at + 4) * 0x1_0000_0000 + raw.readUInt32LE(at);
    return Number.isSafeInteger(value) && this.double(value);
  }

  private storedText(raw: Buffer, from: number, to: number): void {
    this.room((to - from) * 2 + 1);
    for (let i = from; i < to; i++) {
      const byte = raw[i] as number;
      if (byte > 1) this.bytes[this.at++] = byte;
      else {
        this.bytes[this.at++] = 1;
        this.bytes[this.at++] = byte + 1;
      }
    }
    this.byte(0);
  }

  /** A date that JavaScript cannot represent is left to the decoder. */
  private storedDate(raw: Buffer, at: number): boolean {
    const high = raw.readInt32LE(at + 4);
    if (high > MAX_DATE_HIGH || high < -MAX_DATE_HIGH) return false;
    this.byte(KIND.Date);
    this.room(8);
    for (let i = 7; i >= 0; i--) this.bytes[this.at++] = raw[at + i] as number;
    this.bytes[this.at - 8] = (this.bytes[this.at - 8] as number) ^ 0x80;
    return true;
  }

  /** Order of what was written since `from` against a whole encoding. */
  compare(from: number, other: Buffer): number {
    return this.bytes.compare(other, 0, other.length, from, this.at);
  }

  invert(from: number): void {
    for (let i = from; i < this.at; i++) this.bytes[i] = ~(this.bytes[i] as number) & 0xff;
  }

  /** Replaces everything after `limit` bytes by a hash; the rest still sorts by its beginning. */
  shorten(from: number, limit: number): boolean {
    if (this.at - from <= limit) return false;
    const hash = createHash('sha256').update(this.bytes.subarray(from, this.at)).digest();
    this.at = from + limit - hash.length;
    this.raw(hash);
    return true;
  }
}

/** The upper half of the milliseconds of the last date, 8.64e15, rounded down. */
const MAX_DATE_HIGH = 2_011_655;

/** No integer of 64 bits lies further from the double that is nearest to it. */
const MOST_FROM_DOUBLE = 1024n;
/** Comes after the number of a decimal that is greater than it; greater than whatever comes after another number. */
export const AFTER_NUMBER = 0xff;

const writer = new KeyWriter();

/** LMDB takes keys of 1,978 bytes; an entry holds its prefix, up to 1,400 bytes of fields and up to 500 of the document's _id. */
export const FIELDS_LIMIT = 1400;
export const ID_LIMIT = 500;

export interface EncodedKey {
  bytes: Buffer;
  /** Some field was too long and is kept as its beginning and a hash: equality still holds, order does not. */
  shortened: boolean;
}

/** Encodes the fields of one index entry (or a sort key); a direction of -1 turns that field's order round. */
export function encodeFields(
  values: readonly unknown[],
  directions: readonly number[],
  limit = FIELDS_LIMIT,
): EncodedKey {
  const start = writer.position;
  let shortened = false;
  try {
    for (let i = 0; i < values.length; i++) {
      const from = writer.position;
      writer.value(values[i]);
      if (limit > 0 && writer.shorten(from, Math.floor(limit / directions.length))) shortened = true;
      if ((directions[i] ?? 1) < 0) writer.invert(from);
    }
    return { bytes: writer.take(start), shortened };
  } finally {
    writer.rewind(start);
  }
}

/** Builds the key of one index entry from the bytes of a stored document. */
export class StoredKey {
  shortened = false;
  private start = 0;

  begin(prefix: Buffer): void {
    this.start = writer.position;
    this.shortened = false;
    writer.raw(prefix);
  }

  /** Adds a field; false if its value has to be decoded first, after which the key has to be abandoned. */
  add(type: number, raw: Buffer, at: number, direction: number, limit: number): boolean {
    const from = writer.position;
    if (!writer.stored(type, raw, at)) return false;
    if (writer.shorten(from, limit)) this.shortened = true;
    if (direction < 0) writer.invert(from);
    return true;
  }

  /** @param tail what follows the fields: the encoded `_id`, or nothing in a unique index */
  end(tail?: Buffer): Buffer {
    if (tail) writer.raw(tail);
    const key = writer.take(this.start);
    writer.rewind(this.start);
    return key;
  }

  abandon(): void {
    writer.rewind(this.start);
  }
}

/** Order of a stored scalar against an encoded value; undefined if it has to be decoded first. */
export function compareStored(type: number, raw: Buffer, at: number, encoded: Buffer): number | undefined {
  const from = writer.position;
  if (!writer.stored(type, raw, at)) return undefined;
  const order = writer.compare(from, encoded);
  writer.rewind(from);
  return order;
}

/** A key without a length limit: for sorting in memory, grouping and telling values apart. */
export function encodeWhole(values: readonly unknown[], directions: readonly number[]): Buffer {
  return encodeFields(values, directions, 0).bytes;
}

/** The part of a document's key that stands for its `_id`. */
export function encodeId(id: unknown): EncodedKey {
  return encodeFields([id], [1], ID_LIMIT);
}

/** The smallest byte string greater than every one that starts with `prefix`. */
export function after(prefix: Buffer): Buffer {
  const out = Buffer.from(prefix);
  for (let i = out.length - 1; i >= 0; i--) {
    if (out[i] !== 0xff) {
      out[i] = (out[i] as number) + 1;
      return out.subarray(0, i + 1);
    }
  }
  return Buffer.concat([prefix, Buffer.alloc(64, 0xff)]);
}
