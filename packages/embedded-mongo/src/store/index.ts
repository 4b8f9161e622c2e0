import { type Doc, isDoc, own } from '../bson/codec.js';
import { encodeFields, ID_LIMIT } from '../bson/keys.js';
import { numberOf } from '../bson/numbers.js';
import { StoreError } from '../errors.js';
import { conjuncts, fieldsOf, type Node } from '../query/ast.js';
import { compile, type Predicate } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import { rowsAtPaths } from '../bson/paths.js';
import { indexPrefix } from './keyspace.js';

/** The stored record of an index; listIndexes returns `spec` as it was requested. */
export interface IndexRecord {
  id: number;
  name: string;
  key: Doc;
  spec: Doc;
  /** Positions of fields that have held an array in some document: they give several entries per document. */
  multi: number[];
  /** Some entry was too long for a key: equality still works, order and exactness do not. */
  shortened: boolean;
}

export interface IndexEntries {
  keys: Buffer[];
  multi: ReadonlySet<number>;
  shortened: boolean;
}

const NO_ENTRIES: IndexEntries = { keys: [], multi: new Set(), shortened: false };

/** One index of a collection; the primary one stands for the documents themselves, ordered by `_id`. */
export class Index {
  readonly paths: string[][];
  readonly directions: number[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly expireAfterSeconds: number | undefined;
  readonly partial: Node[] | undefined;
  readonly prefix: Buffer;
  readonly multi: Set<number>;
  shortened: boolean;
  /** Top-level fields that decide about this index's entries; undefined when the partial filter may read any. */
  readonly fields: ReadonlySet<string> | undefined;
  private readonly admits: Predicate | undefined;

  constructor(
    readonly record: IndexRecord,
    readonly primaryPrefix?: Buffer,
  ) {
    this.paths = Object.keys(record.key).map((path) => path.split('.'));
    this.directions = Object.values(record.key).map((value) => (Number(numberOf(value)) < 0 ? -1 : 1));
    this.unique = primaryPrefix !== undefined || record.spec.unique === true;
    this.sparse = record.spec.sparse === true;
    this.expireAfterSeconds =
      record.spec.expireAfterSeconds === undefined ? undefined : Number(numberOf(record.spec.expireAfterSeconds));
    this.prefix = primaryPrefix ?? indexPrefix(record.id);
    this.multi = new Set(record.multi);
    this.shortened = record.shortened;
    const filter = own(record.spec, 'partialFilterExpression');
    const node = filter === undefined ? undefined : parseFilter(filter);
    this.partial = node && conjuncts(node);
    this.admits = node && compile(node);
    const filterFields = node ? fieldsOf(node) : new Set<string>();
    this.fields = filterFields && new Set([...this.paths.map(([first]) => first as string), ...filterFields]);
  }

  get primary(): boolean {
    return this.primaryPrefix !== undefined;
  }

  get name(): string {
    return this.record.name;
  }

  /** Length limit of this index's encoded fields. */
  get limit(): number | undefined {
    return this.primary ? ID_LIMIT : undefined;
  }

  /** The entries of a document given as its needed top-level fields. */
  entriesOf(doc: Doc): IndexEntries {
    if (this.admits && !this.admits(doc)) return NO_ENTRIES;
    const found = rowsAtPaths(doc, this.paths);
    if (found === 'parallel') {
      throw new StoreError('CannotIndexParallelArrays', `cannot index parallel arrays in index ${this.name}`);
    }
    if (this.sparse && this.paths.every((path) => isMissing(doc, path))) return NO_ENTRIES;
    let shortened = false;
    const keys = found.rows.map((row) => {
      const encoded = encodeFields(row, this.directions, this.limit);
      shortened ||= encoded.shortened;
      return Buffer.concat([this.prefix, encoded.bytes]);
    });
    return { keys: keys.length > 1 ? distinct(keys) : keys, multi: found.multi, shortened };
  }

  /** Keeps what was learnt about the data; true when it was new and has to be stored. */
  learn(entries: IndexEntries): boolean {
    let news = entries.shortened && !this.shortened;
    this.shortened ||= entries.shortened;
    for (const position of entries.multi) {
      if (this.multi.has(position)) continue;
      this.multi.add(position);
      news = true;
    }
    return news;
  }

  toRecord(): IndexRecord {
    return { ...this.record, multi: [...this.multi], shortened: this.shortened };
  }
}

function isMissing(node: unknown, path: readonly string[]): boolean {
  let current = node;
  for (const [at, part] of path.entries()) {
    if (Array.isArray(current)) return !current.some((item) => !isMissing(item, path.slice(at)));
    if (!isDoc(current)) return true;
    current = own(current, part);
  }
  return current === undefined;
}

function distinct(keys: Buffer[]): Buffer[] {
  const seen = new Map(keys.map((key) => [key.toString('latin1'), key]));
  return [...seen.values()];
}
