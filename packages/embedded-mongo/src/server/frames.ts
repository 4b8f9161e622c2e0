import { REPLY_ROOM } from '../commands/reply.js';
import { decode, elements, pick, rawItems, type Doc } from '../bson/codec.js';

const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;

/** A client message taken apart. */
export interface Message {
  requestId: number;
  legacy: boolean;
  /** The client does not want an answer. */
  silent: boolean;
  name: string;
  command: Doc;
  documents: Buffer[];
}

/** Bytes that are no message: the connection is beyond repair. */
export class MalformedFrame extends Error {}

/** Cuts a stream of bytes into messages, whatever the pieces in which it arrives. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** Complete messages so far, in order. */
  push(piece: Buffer): Buffer[] {
    this.pieces.push(piece);
    this.held += piece.length;
    const frames: Buffer[] = [];
    while (this.held >= 4) {
      const size = this.peekSize();
      if (size < HEADER + 5 || size > this.maxBytes)
        throw new MalformedFrame(`a message of ${size} bytes is not allowed`);
      if (this.held < size) break;
      const all = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces);
      frames.push(all.subarray(0, size));
      this.pieces = all.length > size ? [all.subarray(size)] : [];
      this.held = all.length - size;
    }
    return frames;
  }

  private peekSize(): number {
    if ((this.pieces[0] as Buffer).length < 4) this.pieces = [Buffer.concat(this.pieces)];
    return (this.pieces[0] as Buffer).readInt32LE(0);
  }
}

/** Takes one message apart; throws a {@link MalformedFrame} when it is not one. */
export function parseMessage(frame: Buffer): Message {
  try {
    const opcode = frame.readInt32LE(12);
    if (opcode === OP_MSG) return parseMsg(frame);
    if (opcode === OP_QUERY) return parseQuery(frame);
    throw new MalformedFrame(`unknown opcode ${opcode}`);
  } catch (error) {
    if (error instanceof MalformedFrame) throw error;
    throw new MalformedFrame(error instanceof Error ? error.message : String(error));
  }
}

function parseMsg(frame: Buffer): Message {
  const flags = frame.readUInt32LE(HEADER);
  if ((flags & 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0)
    throw new MalformedFrame('unknown required flag bits');
  const end = frame.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let at = HEADER + 4;
  let body: Buffer | undefined;
  const sequences = new Map<string, Buffer[]>();
  while (at < end) {
    const kind = frame[at++];
    const size = frame.readInt32LE(at);
    if (size < 5 || at + size > end) throw new MalformedFrame('a section reaches past its message');
    const section = frame.subarray(at, at + size);
    if (kind === 0 && !body) body = section;
    else if (kind === 1) readSequence(section, sequences);
    else throw new MalformedFrame('unknown or repeated section');
    at += size;
  }
  if (!body) throw new MalformedFrame('a message without a command');
  return {
    requestId: frame.readInt32LE(4),
    legacy: false,
    silent: (flags & MORE_TO_COME) !== 0,
    ...splitCommand(body, sequences),
  };
}

function readSequence(section: Buffer, sequences: Map<string, Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new MalformedFrame('unterminated section name');
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length;) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new MalformedFrame('a document reaches past its section');
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  sequences.set(section.toString('utf8', 4, nameEnd), documents);
}

const SESSION = new Set(['lsid']);
/** Sessions mean nothing but in a transaction, and cluster times never. */
const UNREAD = new Set(['lsid', '$clusterTime']);

/** The command decoded, except for documents to be inserted, whose bytes are stored as they are. */
function splitCommand(
  body: Buffer,
  sequences: Map<string, Buffer[]>,
): { name: string; command: Doc; documents: Buffer[] } {
  const first = elements(body).next();
  if (first.done) throw new MalformedFrame('an empty command');
  const { name } = first.value;
  const inserting = name === 'insert';
  const documents = inserting ? (sequences.get('documents') ?? embedded(body)) : [];
  const command = decode(body, inserting ? UNREAD_OF_INSERT : UNREAD);
  if ('txnNumber' in command) Object.assign(command, pick(body, SESSION));
  for (const [field, items] of sequences)
    if (!(inserting && field === 'documents')) command[field] = items.map((item) => decode(item));
  return { name, command, documents };
}

const UNREAD_OF_INSERT = new Set([...UNREAD, 'documents']);

/** Documents of an insert that stand in the command itself. */
function embedded(body: Buffer): Buffer[] {
  for (const { name, type, value } of elements(body))
    if (name === 'documents' && type === 0x04) return rawItems(body, value);
  return [];
}

/** The old form, which drivers still use for the first message of a connection. */
function parseQuery(frame: Buffer): Message {
  const nameEnd = frame.indexOf(0, HEADER + 4);
  if (nameEnd < 0) throw new MalformedFrame('unterminated collection name');
  const collection = frame.toString('utf8', HEADER + 4, nameEnd);
  if (!collection.endsWith('.$cmd')) throw new MalformedFrame('OP_QUERY is only understood for commands');
  const at = nameEnd + 1 + 8;
  const body = frame.subarray(at, at + frame.readInt32LE(at));
  const first = elements(body).next();
  if (first.done) throw new MalformedFrame('an empty command');
  const command = { $db: collection.slice(0, -5), ...decode(body) };
  return {
    requestId: frame.readInt32LE(4),
    legacy: true,
    silent: false,
    name: first.value.name,
    command,
    documents: [],
  };
}

let replyId = 1;

/** A reply in the form in which the question came. The body has {@link REPLY_ROOM} free bytes before its document. */
export function frameReply(message: Pick<Message, 'requestId' | 'legacy'>, body: Buffer): Buffer {
  const frame = message.legacy ? legacyFrame(body.subarray(REPLY_ROOM)) : body;
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(replyId++ & 0x7fffffff, 4);
  frame.writeInt32LE(message.requestId, 8);
  frame.writeInt32LE(message.legacy ? OP_REPLY : OP_MSG, 12);
  if (!message.legacy) frame.fill(0, HEADER, REPLY_ROOM);
  return frame;
}

function legacyFrame(document: Buffer): Buffer {
  const head = Buffer.alloc(HEADER + 20);
  head.writeInt32LE(8, HEADER);
  head.writeInt32LE(1, HEADER + 16);
  return Buffer.concat([head, document]);
}
