import { type Doc, isDoc, own } from '../bson/codec.js';
import { type FieldLocator, MISSING, Place, resolve, sameField, toOnlyItem } from '../bson/fields.js';
import { encodeFields, FIELDS_LIMIT, ID_LIMIT, StoredKey } from '../bson/keys.js';
import { numberOf } from '../bson/numbers.js';
import { StoreError } from '../errors.js';
import { conjuncts, fieldsOf, type Node } from '../query/ast.js';
import { compile, type Predicate } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import { compilePart, type Part } from '../query/stored-match.js';
import { rowsAtPaths } from '../bson/paths.js';
import { indexPrefix, LAYOUT } from './keyspace.js';

/** The stored record of an index; listIndexes returns `spec` as it was requested. */
export interface IndexRecord {
  id: number;
  name: string;
  key: Doc;
  spec: Doc;
  /** 1 for an index of an earlier version, see {@link LAYOUT}. */
  layout: number;
  /** Positions of fields that have held an array in some document: they give several entries per document. */
  multi: number[];
  /** Some entry was too long for a key: equality still works, order and exactness do not. */
  shortened: boolean;
}

export interface IndexEntries {
  /** Whole keys: in a unique index the prefix and the fields, in any other they end with the `_id`. */
  keys: Buffer[];
  multi: ReadonlySet<number>;
  shortened: boolean;
}

/** A document of a collection in the form in which its indexes read it. */
export interface IndexedDocument {
  raw: Buffer;
  /** Its encoded `_id`. */
  id: Buffer;
  /** Where its fields lie; undefined when an index may need any of them. */
  located: FieldLocator | undefined;
  /** The fields that the indexes need, decoded: for what cannot be told from the bytes. */
  decoded: () => Doc;
}

const NO_FIELDS: ReadonlySet<number> = new Set();
const NO_ENTRIES: IndexEntries = { keys: [], multi: NO_FIELDS, shortened: false };
const UNDEFINED_TYPE = 0x06;
const NULL_TYPE = 0x0a;

/** How an index reads documents whose fields were located by these names. */
interface Reading {
  names: readonly string[];
  slots: number[];
  pathSlots: number[];
  admits: Part | undefined;
}

/** For a partial filter that can only be tested on decoded documents. */
const UNDECIDED: Part = () => undefined;

const place = new Place();
const storedKey = new StoredKey();

/** One index of a collection; the primary one stands for the documents themselves, ordered by `_id`. */
export class Index {
  readonly paths: string[][];
  /** In which the entries lie: all of them the opposite of the requested ones if `flipped`. */
  readonly directions: number[];
  /**
   * The entries lie in the opposite order, so that the last field ascends: new entries mostly come last, which fills the
   * pages better, and an ascending `_id` at the end stands for the document as well.
   */
  readonly flipped: boolean;
  readonly unique: boolean;
  readonly sparse: boolean;
  /** Kept up to date, and used by no search. */
  readonly hidden: boolean;
  readonly expireAfterSeconds: number | undefined;
  readonly partial: Node[] | undefined;
  readonly prefix: Buffer;
  readonly multi: Set<number>;
  shortened: boolean;
  /** Top-level fields that decide about this index's entries; undefined when the partial filter may read any. */
  readonly fields: ReadonlySet<string> | undefined;
  /** The last field is the `_id` in ascending order, which need not follow the fields again. */
  private readonly endsWithId: boolean;
  private readonly admits: Predicate | undefined;
  private readonly filter: Node | undefined;
  /** The parts of each path as bytes. */
  private readonly names: Buffer[][];
  private reading: Reading | undefined;

  constructor(
    readonly record: IndexRecord,
    readonly primaryPrefix?: Buffer,
  ) {
    this.paths = Object.keys(record.key).map((path) => path.split('.'));
    const requested = Object.values(record.key).map((value) => (Number(numberOf(value)) < 0 ? -1 : 1));
    this.flipped = record.layout >= LAYOUT && requested.at(-1) === -1;
    this.directions = this.flipped ? requested.map((direction) => -direction) : requested;
    this.unique = primaryPrefix !== undefined || record.spec.unique === true;
    this.sparse = record.spec.sparse === true;
    this.hidden = record.spec.hidden === true;
    this.expireAfterSeconds =
      record.spec.expireAfterSeconds === undefined ? undefined : Number(numberOf(record.spec.expireAfterSeconds));
    this.endsWithId = record.layout >= LAYOUT && Object.keys(record.key).at(-1) === '_id';
    this.prefix = primaryPrefix ?? indexPrefix(record.id, record.layout);
    this.multi = new Set(record.multi);
    this.shortened = record.shortened;
    const filter = own(record.spec, 'partialFilterExpression');
    const node = filter === undefined ? undefined : parseFilter(filter);
    this.partial = node && conjuncts(node);
    this.admits = node && compile(node);
    this.filter = node;
    this.names = this.paths.map((parts) => parts.map((part) => Buffer.from(part)));
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

  /** The entries of a document, from its bytes where they suffice. */
  entriesOf(document: IndexedDocument): IndexEntries {
    return this.storedEntries(document) ?? this.decodedEntries(document.decoded(), document.id);
  }

  /** True if two versions of a document differ in no field that this index reads. */
  sameEntries(before: IndexedDocument, after: IndexedDocument): boolean {
    const { located } = before;
    if (!located || !after.located || !this.fields) return false;
    return this.readingOf(located).slots.every((slot) =>
      sameField(slot, before.raw, located, after.raw, after.located as FieldLocator),
    );
  }

  /** Undefined if the document has to be decoded: for arrays, documents and rare types. */
  private storedEntries({ raw, id, located }: IndexedDocument): IndexEntries | undefined {
    if (!located || !this.fields) return undefined;
    const { pathSlots, admits } = this.readingOf(located);
    const admitted = admits === undefined || admits(raw, located);
    if (admitted === undefined) return undefined;
    if (!admitted) return NO_ENTRIES;
    const limit = Math.floor((this.limit ?? FIELDS_LIMIT) / this.paths.length);
    let missing = 0;
    let multi = NO_FIELDS;
    storedKey.begin(this.prefix);
    for (let i = 0; i < pathSlots.length; i++) {
      resolve(raw, located, pathSlots[i] as number, this.names[i] as Buffer[], place);
      if (place.type === MISSING) missing++;
      // an array of one value has the entry of that value
      if (multi === NO_FIELDS && toOnlyItem(raw, place)) multi = new Set([i]);
      const type = place.type === MISSING ? NULL_TYPE : place.type;
      if (type === UNDEFINED_TYPE || !storedKey.add(type, raw, place.at, this.directions[i] as number, limit)) {
        storedKey.abandon();
        return undefined;
      }
    }
    if (this.sparse && missing === this.paths.length) {
      storedKey.abandon();
      return NO_ENTRIES;
    }
    return { keys: [storedKey.end(this.tailOf(id))], multi, shortened: storedKey.shortened };
  }

  /** Where a collection's locators keep this index's fields; the same in all of them until its indexes change. */
  private readingOf(located: FieldLocator): Reading {
    if (this.reading?.names === located.names) return this.reading;
    const filter = this.filter;
    this.reading = {
      names: located.names,
      slots: [...(this.fields ?? [])].map((name) => located.slotOf(name)),
      pathSlots: this.paths.map(([first]) => located.slotOf(first as string)),
      admits: filter && (compilePart(filter, located.names) ?? UNDECIDED),
    };
    return this.reading;
  }

  private decodedEntries(doc: Doc, id: Buffer): IndexEntries {
    if (this.admits && !this.admits(doc)) return NO_ENTRIES;
    const found = rowsAtPaths(doc, this.paths);
    if (found === 'parallel') {
      throw new StoreError('CannotIndexParallelArrays', `cannot index parallel arrays in index ${this.name}`);
    }
    if (this.sparse && this.paths.every((path) => isMissing(doc, path))) return NO_ENTRIES;
    let shortened = false;
    const tail = this.tailOf(id);
    const keys = found.rows.map((row) => {
      const encoded = encodeFields(row, this.directions, this.limit);
      shortened ||= encoded.shortened;
      return Buffer.concat(tail ? [this.prefix, encoded.bytes, tail] : [this.prefix, encoded.bytes]);
    });
    return { keys: keys.length > 1 ? distinct(keys) : keys, multi: found.multi, shortened };
  }

  /** What follows the fields of an entry, so that two documents with the same fields have two entries. */
  private tailOf(id: Buffer): Buffer | undefined {
    return this.unique || this.endsWithId ? undefined : id;
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
