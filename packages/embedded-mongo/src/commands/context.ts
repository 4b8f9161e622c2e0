import type { Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import type { Engine } from '../store/engine.js';
import type { Store } from '../store/store.js';
import type { ChangeStreams } from './change-streams.js';
import type { Cursors } from './cursors.js';
import type { Transactions } from './transactions.js';

/** One command as received. */
export interface Request {
  name: string;
  db: string;
  command: Doc;
  /** Raw documents of an insert. */
  documents: Buffer[];
  connectionId: number;
  /** Milliseconds since the epoch at which the command has to give up. */
  deadline: number;
  /** True once the client no longer waits for the answer. */
  abandoned: () => boolean;
}

/** What a search has to know of the command that is waiting for it. */
export type Reader = Pick<Request, 'deadline' | 'abandoned'>;

export interface Context {
  engine: Engine;
  /** What a command reads and changes: the engine, or the transaction that the command belongs to. */
  store: Store;
  transactions: Transactions;
  changeStreams: ChangeStreams;
  cursors: Cursors;
  log: (entry: Doc) => void;
  address: string;
  startedAt: number;
  shutdown: () => void;
}

/** A reply is a document, or the bytes of one with room for the head of the message before them. */
export type Reply = Doc | Buffer;
export type Handler = (context: Context, request: Request) => Promise<Reply> | Reply;

export const DEFAULT_TIME_BUDGET_MS = 60_000;
/** How long a command may run before others get their turn. */
export const SLICE_MS = 4;

/** Lets other connections run during a long command, and ends the command at its deadline. */
export class Pace {
  constructor(
    private readonly request: Reader,
    private since = performance.now(),
  ) {}

  async breathe(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.since = performance.now();
    if (Date.now() > this.request.deadline) throw new StoreError('MaxTimeMSExpired', 'operation exceeded time limit');
    if (this.request.abandoned()) throw new StoreError('ClientDisconnect', 'the client is gone', {}, 279);
  }
}

/** `db.collection` of a command, with the name checked. */
export function namespaceOf(request: Request, value: unknown): string {
  if (typeof value !== 'string')
    throw new StoreError('TypeMismatch', `collection name has invalid type in ${request.name}`);
  if (value === '' || value.includes('$') || value.includes('\0') || value.startsWith('.') || value.endsWith('.')) {
    throw new StoreError('InvalidNamespace', `Invalid namespace specified '${request.db}.${value}'`);
  }
  if (value.startsWith('system.'))
    throw new StoreError('InvalidNamespace', `'${value}' is reserved and not supported by the embedded store`);
  if (!/^[^\0/\\. "$*<>:|?]{1,63}$/.test(request.db))
    throw new StoreError('InvalidNamespace', `Invalid database name: '${request.db}'`);
  return `${request.db}.${value}`;
}
