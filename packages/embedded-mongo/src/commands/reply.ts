import { serialize, type Long } from 'bson';
import type { Doc } from '../bson/codec.js';

/** Free bytes before the document of a reply, for the head of its message: it is sent without being copied. */
export const REPLY_ROOM = 21;

/** The bytes of a reply, with room for its head. */
export function replyOf(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  const reply = Buffer.allocUnsafe(REPLY_ROOM + bytes.length);
  reply.set(bytes, REPLY_ROOM);
  return reply;
}

const DOCUMENT = 0x03;
const ARRAY = 0x04;
const LONG = 0x12;
const TEXT = 0x02;
const DOUBLE = 0x01;

/** `{cursor: {<name>: [...], id, ns}, ok: 1}`, with the documents copied once. */
export function cursorReply(name: 'firstBatch' | 'nextBatch', batch: readonly Buffer[], id: Long, ns: string): Buffer {
  const nsBytes = Buffer.byteLength(ns);
  const list = 5 + batch.reduce((size, raw, index) => size + 2 + digits(index) + raw.length, 0);
  const cursor = 5 + (name.length + 2) + list + ('id'.length + 2) + 8 + ('ns'.length + 2) + 5 + nsBytes;
  const size = 5 + ('cursor'.length + 2) + cursor + ('ok'.length + 2) + 8;
  const out = new Writer(Buffer.allocUnsafe(REPLY_ROOM + size), REPLY_ROOM);
  out.int32(size);
  out.head(DOCUMENT, 'cursor');
  out.int32(cursor);
  out.head(ARRAY, name);
  out.int32(list);
  batch.forEach((raw, index) => {
    out.head(DOCUMENT, String(index));
    out.raw(raw);
  });
  out.byte(0);
  out.head(LONG, 'id');
  out.int32(id.low);
  out.int32(id.high);
  out.head(TEXT, 'ns');
  out.int32(nsBytes + 1);
  out.text(ns);
  out.byte(0);
  out.head(DOUBLE, 'ok');
  out.double(1);
  out.byte(0);
  return out.bytes;
}

function digits(index: number): number {
  if (index < 10) return 1;
  return index < 100 ? 2 : String(index).length;
}

class Writer {
  constructor(
    readonly bytes: Buffer,
    private at: number,
  ) {}

  byte(value: number): void {
    this.bytes[this.at++] = value;
  }

  int32(value: number): void {
    this.at = this.bytes.writeInt32LE(value, this.at);
  }

  double(value: number): void {
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  raw(value: Buffer): void {
    this.bytes.set(value, this.at);
    this.at += value.length;
  }

  text(value: string): void {
    this.at += this.bytes.write(value, this.at, 'utf8');
    this.byte(0);
  }

  /** The type and the name of an element; names here are plain ASCII. */
  head(type: number, name: string): void {
    this.byte(type);
    for (let i = 0; i < name.length; i++) this.byte(name.charCodeAt(i));
    this.byte(0);
  }
}
