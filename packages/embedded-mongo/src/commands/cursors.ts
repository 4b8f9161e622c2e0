import { Long } from 'bson';
import { MAX_DOCUMENT_BYTES } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { Pace, type Reader, type Request, SLICE_MS } from './context.js';
import { cursorReply } from './reply.js';

/** Raw result documents, some at a time. A generator that is not asynchronous does a bounded piece of work for each. */
export type Results = Generator<Buffer[], void, undefined> | AsyncGenerator<Buffer[], void, undefined>;

interface Cursor {
  id: Long;
  ns: string;
  results: Results;
  rest: Buffer[];
  done: boolean;
  usedAt: number;
  /** The command that is reading now. */
  reader: Reader;
}

const IDLE_MS = 10 * 60 * 1000;
const DEFAULT_FIRST_BATCH = 101;

/** Open cursors. A cursor is closed after ten minutes without a read. */
export class Cursors {
  private readonly open = new Map<string, Cursor>();
  private nextId = BigInt(Date.now()) * 1000n;
  private readonly timer: NodeJS.Timeout;

  constructor() {
    this.timer = setInterval(() => this.closeIdle(), 60_000);
    this.timer.unref();
  }

  get size(): number {
    return this.open.size;
  }

  /**
   * The first reply of a command with results; at once if they are found within a time slice.
   *
   * @param make gets the reader whose time budget it has to respect; that of the command that is reading at the time
   */
  start(
    ns: string,
    request: Request,
    batchSize: number | undefined,
    single: boolean,
    make: (reader: Reader) => Results,
  ): Buffer | Promise<Buffer> {
    const reader = { deadline: request.deadline, abandoned: request.abandoned };
    const cursor = { id: Long.ZERO, ns, results: make(reader), rest: [], done: false, usedAt: Date.now(), reader };
    const batch = new Batch(batchSize ?? DEFAULT_FIRST_BATCH);
    const later = batchSize === 0 ? undefined : this.fill(cursor, batch);
    return later ? later.then(() => this.opened(cursor, batch, single)) : this.opened(cursor, batch, single);
  }

  private opened(cursor: Cursor, { documents }: Batch, single: boolean): Buffer {
    if (single && !cursor.done) close(cursor);
    if (!cursor.done) {
      cursor.id = Long.fromBigInt(this.nextId++);
      this.open.set(cursor.id.toString(), cursor);
    }
    return cursorReply('firstBatch', documents, cursor.id, cursor.ns);
  }

  async more(id: Long, ns: string, request: Request, batchSize: number | undefined): Promise<Buffer> {
    const cursor = this.open.get(id.toString());
    if (!cursor) throw new StoreError('CursorNotFound', `cursor id ${id.toString()} not found`);
    if (cursor.ns !== ns)
      throw new StoreError(
        'Unauthorized',
        `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`,
      );
    cursor.reader.deadline = request.deadline;
    cursor.reader.abandoned = request.abandoned;
    cursor.usedAt = Date.now();
    try {
      const batch = new Batch(batchSize ?? Number.POSITIVE_INFINITY);
      await this.fill(cursor, batch);
      if (cursor.done) this.open.delete(id.toString());
      cursor.usedAt = Date.now();
      return cursorReply('nextBatch', batch.documents, cursor.done ? Long.ZERO : id, ns);
    } catch (error) {
      this.open.delete(id.toString());
      throw error;
    }
  }

  kill(ids: Long[], ns: string): { killed: Long[]; unknown: Long[] } {
    const [killed, unknown]: [Long[], Long[]] = [[], []];
    for (const id of ids) {
      const cursor = this.open.get(id.toString());
      if (!cursor || cursor.ns !== ns) {
        unknown.push(id);
        continue;
      }
      this.open.delete(id.toString());
      close(cursor);
      killed.push(id);
    }
    return { killed, unknown };
  }

  close(): void {
    clearInterval(this.timer);
    this.open.clear();
  }

  /** Fills a batch; never reads further ahead than one step of the search. Undefined if it was done within a time slice. */
  private fill(cursor: Cursor, batch: Batch): Promise<void> | undefined {
    const started = performance.now();
    for (;;) {
      if (batch.take(cursor.rest)) return undefined;
      const step = cursor.results.next();
      if (step instanceof Promise) return this.fillLater(cursor, batch, started, step);
      if (received(cursor, batch, step)) return undefined;
      if (performance.now() - started > SLICE_MS) return this.fillLater(cursor, batch, started);
    }
  }

  private async fillLater(cursor: Cursor, batch: Batch, started: number, first?: Promise<Step>): Promise<void> {
    const pace = new Pace(cursor.reader, started);
    let step = first;
    for (;;) {
      await pace.breathe();
      if (!step && batch.take(cursor.rest)) return;
      if (received(cursor, batch, await (step ?? cursor.results.next()))) return;
      step = undefined;
    }
  }

  private closeIdle(): void {
    for (const [key, cursor] of this.open) if (Date.now() - cursor.usedAt > IDLE_MS) this.open.delete(key);
  }
}

type Step = IteratorResult<Buffer[], void>;

/** Takes a step's results; true when the batch has what it needs. */
function received(cursor: Cursor, batch: Batch, { done, value }: Step): boolean {
  if (done) {
    cursor.done = true;
    return true;
  }
  cursor.rest = value;
  return batch.isFull && cursor.rest.length > 0;
}

/** An asynchronous search that is under way ends after its current step. */
function close(cursor: Cursor): void {
  cursor.done = true;
  void cursor.results.return();
}

/** The documents of one reply: up to a number of them and 16 MB. */
class Batch {
  readonly documents: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly size: number) {}

  get isFull(): boolean {
    return this.documents.length >= this.size;
  }

  /** Moves documents over while there is room; true when some have to wait for the next reply. */
  take(from: Buffer[]): boolean {
    let taken = 0;
    for (const next of from) {
      if (this.isFull || (taken + this.documents.length > 0 && this.bytes + next.length > MAX_DOCUMENT_BYTES)) break;
      this.bytes += next.length;
      this.documents.push(next);
      taken++;
    }
    from.splice(0, taken);
    return from.length > 0;
  }
}
