import { mongo } from 'mongoose';
import { decode, type Doc, encode } from '../../packages/embedded-mongo/src/bson/codec.js';
import { compile } from '../../packages/embedded-mongo/src/query/match.js';
import { parseFilter } from '../../packages/embedded-mongo/src/query/parse.js';
import { parseSort, sortKey } from '../../packages/embedded-mongo/src/bson/sort.js';
import { parseUpdate } from '../../packages/embedded-mongo/src/update/update.js';

/** Lets others act: called before each write to one document and around each read. */
export type Yield = () => Promise<void>;

/** The documents that the collections of several workers share. */
export class MemoryDocuments {
  private readonly rows = new Map<string, { readonly raw: Buffer; readonly doc: Doc }>();

  /** @param onPut hears of every write, with a copy of the document */
  constructor(
    readonly uniqueField?: string,
    private readonly onPut: (doc: Doc) => void = () => undefined,
  ) {}

  /** As the driver gives them. */
  plain(): Doc[] {
    return this.find(() => true).map(toPlain);
  }

  has(id: string): boolean {
    return this.rows.has(id);
  }

  get(id: string): { readonly raw: Buffer; readonly doc: Doc } | undefined {
    return this.rows.get(id);
  }

  remove(id: string): void {
    this.rows.delete(id);
  }

  put(doc: Doc): void {
    const raw = encode(doc);
    const stored = decode(raw);
    this.rows.set(idOf(doc), { raw, doc: stored });
    this.onPut(stored);
  }

  clear(): void {
    this.rows.clear();
  }

  /** Those that pass a test, as they are stored. */
  find(test: (doc: Doc) => boolean): Buffer[] {
    return [...this.rows.values()].filter(({ doc }) => test(doc)).map(({ raw }) => raw);
  }
}

/** Numbers of the store's own kinds become those of JavaScript. */
const toPlain = (row: Buffer): Doc => mongo.BSON.deserialize(row);
const idOf = (doc: Doc): string => String(doc['_id']);

/**
 * As much of the driver's collection as the delivery engine's ledgers use, in memory and with the embedded store's own
 * filters and updates: a document is written atomically, and anybody may act between two documents.
 */
export class MemoryCollection {
  constructor(
    private readonly documents: MemoryDocuments,
    private readonly yields: Yield,
  ) {}

  find(filter: Doc, options: { projection?: Doc } = {}): MemoryCursor {
    void options;
    return new MemoryCursor(async () => {
      await this.yields();
      const found = this.matching(filter);
      await this.yields();
      return found;
    });
  }

  async findOne(filter: Doc, options: { sort?: Doc } = {}): Promise<Doc | null> {
    const cursor = this.find(filter);
    const [first] = await (options.sort ? cursor.sort(options.sort) : cursor).toArray();
    return first ?? null;
  }

  async countDocuments(filter: Doc, { limit = Infinity }: { limit?: number } = {}): Promise<number> {
    return (await this.find(filter).limit(limit).toArray()).length;
  }

  async insertOne(doc: Doc): Promise<{ acknowledged: boolean }> {
    await this.insertMany([doc]);
    return { acknowledged: true };
  }

  /** @returns the document as it is afterwards, if not before */
  async findOneAndUpdate(filter: Doc, update: Doc, options: { returnDocument?: string } = {}): Promise<Doc | null> {
    await this.yields();
    const [row] = this.matching(filter);
    const id = row && idOf(decode(row));
    if (row !== undefined) this.write(row, filter, update);
    const after = id === undefined ? undefined : this.documents.get(id)?.raw;
    const shown = options.returnDocument === 'before' ? row : after;
    await this.yields();
    return shown === undefined ? null : toPlain(shown);
  }

  async insertMany(docs: Doc[]): Promise<{ insertedCount: number }> {
    const writeErrors: { index: number; code: number }[] = [];
    for (const [index, doc] of docs.entries()) {
      await this.yields();
      if (this.documents.has(idOf(doc)) || this.isTaken(doc)) writeErrors.push({ index, code: 11000 });
      else this.documents.put(doc);
    }
    await this.yields();
    if (writeErrors.length > 0) throw Object.assign(new Error('duplicate key'), { code: 11000, writeErrors });
    return { insertedCount: docs.length };
  }

  async updateOne(
    filter: Doc,
    update: Doc,
    options: { upsert?: boolean } = {},
  ): Promise<{ matchedCount: number; modifiedCount: number }> {
    await this.yields();
    const matchedCount = this.writeFirst(filter, update);
    if (matchedCount === 0 && options.upsert === true) this.upsert(filter, update);
    await this.yields();
    return { matchedCount, modifiedCount: matchedCount };
  }

  async deleteOne(filter: Doc): Promise<{ deletedCount: number }> {
    await this.yields();
    const [row] = this.matching(filter);
    if (row !== undefined) this.documents.remove(idOf(decode(row)));
    await this.yields();
    return { deletedCount: row === undefined ? 0 : 1 };
  }

  async deleteMany(filter: Doc): Promise<{ deletedCount: number }> {
    await this.yields();
    const rows = this.matching(filter);
    for (const row of rows) {
      this.documents.remove(idOf(decode(row)));
      await this.yields();
    }
    return { deletedCount: rows.length };
  }

  async updateMany(
    filter: Doc,
    update: Doc,
    options: { arrayFilters?: Doc[] } = {},
  ): Promise<{ matchedCount: number; modifiedCount: number }> {
    await this.yields();
    let matchedCount = 0;
    const matches = compile(parseFilter(filter));
    for (const row of this.documents.find(matches)) {
      const current = this.documents.get(idOf(decode(row)));
      if (current !== undefined && matches(current.doc)) {
        this.write(current.raw, filter, update, options.arrayFilters);
        matchedCount += 1;
      }
      await this.yields();
    }
    return { matchedCount, modifiedCount: matchedCount };
  }

  async bulkWrite(
    writes: readonly BulkUpdate[],
    { ordered = false }: { ordered?: boolean } = {},
  ): Promise<{ matchedCount: number; upsertedIds: Record<number, unknown> }> {
    const writeErrors: { index: number; code: number }[] = [];
    const upsertedIds: Record<number, unknown> = {};
    let matchedCount = 0;
    for (const [index, write] of writes.entries()) {
      await this.yields();
      try {
        if ('updateMany' in write) {
          const { filter, update } = write.updateMany;
          matchedCount += (await this.updateMany(filter, update)).matchedCount;
        } else {
          const { filter, update, upsert } = write.updateOne;
          const matched = this.writeFirst(filter, update);
          if (matched === 0 && upsert === true) upsertedIds[index] = this.upsert(filter, update);
          matchedCount += matched;
        }
      } catch (error) {
        if ((error as { code?: number }).code !== 11000) throw error;
        writeErrors.push({ index, code: 11000 });
        if (ordered) break;
      }
    }
    await this.yields();
    if (writeErrors.length > 0) throw duplicateKeys(writeErrors, upsertedIds);
    return { matchedCount, upsertedIds };
  }

  /** @returns the id of the new document */
  private upsert(filter: Doc, update: Doc): unknown {
    const made = parseUpdate(update, parseFilter(filter), undefined, {}).apply(seedOf(filter), true);
    const doc = made['_id'] === undefined ? { _id: new mongo.BSON.ObjectId(), ...made } : made;
    if (this.documents.has(idOf(doc)) || this.isTaken(doc))
      throw Object.assign(new Error('duplicate key'), { code: 11000 });
    this.documents.put(doc);
    return doc['_id'];
  }

  private matching(filter: Doc): Buffer[] {
    return this.documents.find(compile(parseFilter(filter)));
  }

  private writeFirst(filter: Doc, update: Doc, arrayFilters?: Doc[]): number {
    const [row] = this.matching(filter);
    if (row === undefined) return 0;
    this.write(row, filter, update, arrayFilters);
    return 1;
  }

  private write(row: Buffer, filter: Doc, update: Doc, arrayFilters?: Doc[]): void {
    const changed = parseUpdate(update, parseFilter(filter), arrayFilters, {}).apply(decode(row), false);
    this.assertUnique(changed);
    this.documents.put(changed);
  }

  private assertUnique(doc: Doc): void {
    if (this.isTaken(doc)) throw Object.assign(new Error('duplicate key'), { code: 11000 });
  }

  private isTaken(doc: Doc): boolean {
    const { uniqueField } = this.documents;
    if (uniqueField === undefined || doc[uniqueField] === undefined) return false;
    return (
      this.documents.find((other) => idOf(other) !== idOf(doc) && other[uniqueField] === doc[uniqueField]).length > 0
    );
  }
}

/** What the driver throws. */
function duplicateKeys(writeErrors: readonly object[], upsertedIds: object): Error {
  const fault = { message: 'duplicate key', code: 11000, writeErrors } as unknown as mongo.AnyError;
  return new mongo.MongoBulkWriteError(fault, { upsertedIds } as unknown as mongo.BulkWriteResult);
}

/** The equalities of a filter, which an upsert stores as well. */
function seedOf(filter: Doc): Doc {
  const isPlain = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || value instanceof mongo.BSON.ObjectId || value instanceof Date;
  const equalities = Object.entries(filter).filter(([name, value]) => !name.startsWith('$') && isPlain(value));
  return Object.fromEntries(equalities);
}

type BulkUpdate =
  | { readonly updateOne: { filter: Doc; update: Doc; upsert?: boolean } }
  | { readonly updateMany: { filter: Doc; update: Doc } };

class MemoryCursor {
  private order: Doc | undefined;
  private most = Number.POSITIVE_INFINITY;
  private skipped = 0;

  constructor(private readonly read: () => Promise<Buffer[]>) {}

  sort(order: Doc): this {
    this.order = order;
    return this;
  }

  limit(most: number): this {
    this.most = most;
    return this;
  }

  skip(count: number): this {
    this.skipped = count;
    return this;
  }

  batchSize(): this {
    return this;
  }

  project(): this {
    return this;
  }

  async toArray(): Promise<Doc[]> {
    const found = await this.read();
    const [from, to] = [this.skipped, this.skipped + this.most];
    if (this.order === undefined) return found.slice(from, to).map(toPlain);
    const spec = parseSort(this.order);
    const keyed = found.map((row) => ({ row, key: sortKey(decode(row), spec) }));
    keyed.sort((a, b) => Buffer.compare(a.key, b.key));
    return keyed.slice(from, to).map(({ row }) => toPlain(row));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc> {
    yield* await this.toArray();
  }
}

/** How a worker calls a store that answers later. */
export interface StoreCalls {
  readonly yields: Yield;
  call<T>(work: () => Promise<T>): Promise<T>;
}

type Method = (...given: unknown[]) => unknown;

/** A real collection whose every call lets others act before and after it. */
export function yieldingCollection<T extends object>(
  collection: mongo.Collection<T>,
  { yields, call }: StoreCalls,
): mongo.Collection<T> {
  const inTurn = async <R>(work: () => Promise<R>): Promise<R> => {
    await yields();
    const answer = await call(work);
    await yields();
    return answer;
  };
  const cursor = (target: mongo.FindCursor): unknown => {
    const rows = (): Promise<unknown[]> => inTurn(() => target.toArray());
    return {
      sort: (by: mongo.Sort) => cursor(target.sort(by)),
      limit: (most: number) => cursor(target.limit(most)),
      skip: (count: number) => cursor(target.skip(count)),
      batchSize: (size: number) => cursor(target.batchSize(size)),
      project: (fields: mongo.Document) => cursor(target.project<mongo.Document>(fields)),
      toArray: rows,
      async *[Symbol.asyncIterator]() {
        yield* await rows();
      },
    };
  };
  return new Proxy(collection, {
    get: (owner, name) => {
      const value: unknown = Reflect.get(owner, name);
      if (typeof value !== 'function') return value;
      const method = value as Method;
      if (name === 'find') return (...given: unknown[]) => cursor(method.apply(owner, given) as mongo.FindCursor);
      return (...given: unknown[]) => inTurn(() => method.apply(owner, given) as Promise<unknown>);
    },
  });
}
