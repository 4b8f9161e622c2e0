import { Long } from 'bson';
import { embed, encode, MAX_DOCUMENT_BYTES, rawArray, wrap } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import type { Request } from './context.js';

/** Raw result documents, some at a time. */
export type Results = AsyncGenerator<Buffer[], void, undefined>;

interface Cursor {
  id: Long;
  ns: string;
  results: Results;
  rest: Buffer[];
  done: boolean;
  usedAt: number;
  /** Time budget and abandonment of the command that is reading now. */
  reader: Pick<Request, 'deadline' | 'abandoned'>;
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
   * The first reply of a command with results.
   *
   * @param make gets the reader whose time budget it has to respect; that of the command that is reading at the time
   */
  async start(
    ns: string,
    request: Request,
    batchSize: number | undefined,
    single: boolean,
    make: (reader: Cursor['reader']) => Results,
  ): Promise<Buffer> {
    const reader = { deadline: request.deadline, abandoned: request.abandoned };
    const cursor: Cursor = {
      id: Long.ZERO,
      ns,
      results: make(reader),
      rest: [],
      done: false,
      usedAt: Date.now(),
      reader,
    };
    const batch = batchSize === 0 ? [] : await this.read(cursor, batchSize ?? DEFAULT_FIRST_BATCH);
    if (single && !cursor.done) await this.finish(cursor);
    if (!cursor.done) {
      cursor.id = Long.fromBigInt(this.nextId++);
      this.open.set(cursor.id.toString(), cursor);
    }
    return cursorReply('firstBatch', batch, cursor.id, ns);
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
      const batch = await this.read(cursor, batchSize ?? Number.POSITIVE_INFINITY);
      if (cursor.done) this.open.delete(id.toString());
      cursor.usedAt = Date.now();
      return cursorReply('nextBatch', batch, cursor.done ? Long.ZERO : id, ns);
    } catch (error) {
      this.open.delete(id.toString());
      throw error;
    }
  }

  async kill(ids: Long[], ns: string): Promise<{ killed: Long[]; unknown: Long[] }> {
    const [killed, unknown]: [Long[], Long[]] = [[], []];
    for (const id of ids) {
      const cursor = this.open.get(id.toString());
      if (!cursor || cursor.ns !== ns) {
        unknown.push(id);
        continue;
      }
      this.open.delete(id.toString());
      await this.finish(cursor);
      killed.push(id);
    }
    return { killed, unknown };
  }

  close(): void {
    clearInterval(this.timer);
    this.open.clear();
  }

  /** Up to `count` documents and 16 MB; never reads further ahead than one step of the search. */
  private async read(cursor: Cursor, count: number): Promise<Buffer[]> {
    const batch: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      while (cursor.rest.length > 0 && batch.length < count) {
        const next = cursor.rest[0] as Buffer;
        bytes += next.length;
        if (batch.length > 0 && bytes > MAX_DOCUMENT_BYTES) return batch;
        batch.push(next);
        cursor.rest.shift();
      }
      if (batch.length >= count && cursor.rest.length > 0) return batch;
      const { done, value } = await cursor.results.next();
      if (done) {
        cursor.done = true;
        return batch;
      }
      cursor.rest = value;
      if (batch.length >= count && value.length > 0) return batch;
    }
  }

  private async finish(cursor: Cursor): Promise<void> {
    cursor.done = true;
    await cursor.results.return();
  }

  private closeIdle(): void {
    for (const [key, cursor] of this.open) if (Date.now() - cursor.usedAt > IDLE_MS) this.open.delete(key);
  }
}

const OK = encode({ ok: 1 }).subarray(4, -1);

function cursorReply(name: 'firstBatch' | 'nextBatch', batch: Buffer[], id: Long, ns: string): Buffer {
  const rest = encode({ id, ns }).subarray(4, -1);
  return wrap([embed(0x03, 'cursor', wrap([embed(0x04, name, rawArray(batch)), rest])), OK]);
}
