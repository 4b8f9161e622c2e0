import { BSONRegExp, type Decimal128, EJSON, ObjectId } from 'bson';
import { decode, isDoc, pick, type Doc } from '../bson/codec.js';
import { FieldLocator } from '../bson/fields.js';
import { after, encodeId } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { KIND } from '../bson/values.js';
import { StoreError } from '../errors.js';
import { sealedEntry, unsealedEntry } from './checksum.js';
import { CHANGED } from './damage.js';
import { learnDictionary, SAMPLE_SIZE } from './dictionary.js';
import { documentsPrefix } from './keyspace.js';
import { IndexChoices } from './index-choices.js';
import { Index, type IndexedDocument, type IndexEntries, type IndexRecord } from './index.js';
import type { Entry, RangeOptions } from './ranges.js';
import type { DocumentAccess, KeyValueStore } from './store.js';

export interface CollectionRecord {
  id: number;
  /** 1 for a collection of an earlier version, whose documents have longer keys. */
  layout: number;
  options: Doc;
  indexes: IndexRecord[];
  /** With which documents are compressed. Those from before it was learnt are as they were until they change. */
  dictionary?: Buffer;
}

const OBJECT_ID_TYPE = 0x07;
const OBJECT_ID_BYTES = 12;
/** Until the `_id` of a new document is known. */
const NO_ID = Buffer.alloc(0);

/** In the place of the `_id` where the key of an entry ends with it, if that is an ObjectId. Data of earlier versions repeats it. */
const IN_KEY = Buffer.alloc(0);
const ENCODED_OBJECT_ID_BYTES = 1 + OBJECT_ID_BYTES;

const isObjectId = (id: Buffer): boolean => id.length === ENCODED_OBJECT_ID_BYTES && id[0] === KIND.ObjectId;

function without(keys: Buffer[], others: Buffer[]): Buffer[] {
  if (others.length < 8) return keys.filter((key) => !others.some((other) => other.equals(key)));
  const texts = new Set(others.map((other) => other.toString('latin1')));
  return keys.filter((key) => !texts.has(key.toString('latin1')));
}

/** Documents and indexes of one collection. All methods that write must be called inside a write transaction. */
export class Collection {
  readonly prefix: Buffer;
  readonly primary: Index;
  indexes: Index[];
  count = 0;
  bytes = 0;
  /** The indexes that were chosen for queries. */
  readonly choices = new IndexChoices();
  /** The figures that are on disk. */
  stored = { count: 0, bytes: 0 };
  /** Whether it was seen to that its documents, and the indexes by which they expire, end with pages of their own. */
  apart = false;
  private mayLearn: boolean;
  /** Entries that wait for those of the other documents that are inserted with theirs. */
  private late: Entry[] | undefined;
  /** Top-level fields that any index needs; undefined when an index may need any field. */
  private needed: ReadonlySet<string> | undefined;
  /** Find those fields, `_id` first; one for each of the two versions that a change compares. */
  private fieldsOfOld: FieldLocator | undefined;
  private fieldsOfNew: FieldLocator | undefined;
  /** The index that is being built, with the locator of its fields. */
  private filling: { index: Index; located: FieldLocator | undefined } | undefined;

  constructor(
    private readonly kv: KeyValueStore,
    readonly ns: string,
    readonly record: CollectionRecord,
    private readonly onLearnt: (collection: Collection) => void,
  ) {
    this.prefix = documentsPrefix(record.id, record.layout);
    this.mayLearn = record.dictionary === undefined;
    const [primary, ...others] = record.indexes;
    this.primary = new Index(primary as IndexRecord, this.prefix);
    this.indexes = others.map((index) => new Index(index));
    this.indexesChanged();
  }

  get name(): string {
    return this.ns.slice(this.ns.indexOf('.') + 1);
  }

  indexesChanged(): void {
    this.apart = false;
    this.choices.reset(this.indexes);
    const names = new Set<string>(['_id']);
    this.needed = names;
    for (const index of this.indexes) {
      if (!index.fields) this.needed = undefined;
      index.fields?.forEach((field) => names.add(field));
    }
    const list = [...names];
    this.fieldsOfOld = this.needed && new FieldLocator(list);
    this.fieldsOfNew = this.needed && new FieldLocator(list);
  }

  toRecord(): CollectionRecord {
    return { ...this.record, indexes: [this.primary, ...this.indexes].map((index) => index.toRecord()) };
  }

  get documents(): DocumentAccess {
    return this.kv.documentsOf(this.record.id);
  }

  keyOf(id: Buffer): Buffer {
    return Buffer.concat([this.prefix, id]);
  }

  get(id: Buffer): Buffer | undefined {
    return this.documents.get(this.keyOf(id));
  }

  /** Stores a new document whose first field is its `_id`. Nothing is written when it throws. */
  insert(raw: Buffer): void {
    const document = this.read(raw, NO_ID, this.fieldsOfNew);
    const id = this.newId(document);
    document.id = id;
    const key = this.keyOf(id);
    const entries = this.indexes.map((index) => index.entriesOf(document));
    const conflicting = this.indexes.find((index, at) => this.conflicts(index, entries[at] as IndexEntries, id));
    if (conflicting && !this.kv.has(key)) throw this.duplicate(conflicting, document.decoded());
    if (!this.documents.add(key, raw)) throw this.duplicate(this.primary, document.decoded());
    this.claim(key, (_, at) => entries[at]?.keys ?? []);
    for (const [at, index] of this.indexes.entries()) this.putEntries(index, entries[at] as IndexEntries, id);
    this.kv.note(() => ({ type: 'insert', ns: this.ns, after: raw }));
    this.count++;
    this.bytes += raw.length;
  }

  /**
   * Inserts several. Documents of one time have any `_id`, and would come in any order in the index by which they expire: in their
   * order, each entry is the last of its page, which is then filled.
   */
  insertTogether<T>(insertions: () => T): T {
    const late: Entry[] = [];
    this.late = late;
    try {
      return insertions();
    } finally {
      this.late = undefined;
      late.sort((one, other) => one.key.compare(other.key));
      for (const { key, value } of late) this.kv.put(key, value);
    }
  }

  /** The keys of the entries that a document has, for each index. */
  entriesOf(id: Buffer, raw: Buffer): Buffer[][] {
    const document = this.read(raw, id, this.fieldsOfOld);
    return this.indexes.map((index) => index.entriesOf(document).keys);
  }

  /** Stores a new version of a document with the same `_id`; false when the bytes are equal. Nothing is written when it throws. */
  replace(id: Buffer, before: Buffer, after: Buffer, isReplacement = false): boolean {
    if (before.equals(after)) return false;
    const old = this.read(before, id, this.fieldsOfOld);
    const document = this.read(after, id, this.fieldsOfNew);
    const changes: { index: Index; gone: Buffer[]; entries: IndexEntries }[] = [];
    for (const index of this.indexes) {
      if (index.sameEntries(old, document)) continue;
      const left = index.entriesOf(old).keys;
      const entries = index.entriesOf(document);
      const added = without(entries.keys, left);
      changes.push({ index, gone: without(left, entries.keys), entries: { ...entries, keys: added } });
    }
    for (const { index, entries } of changes) this.assertUnique(index, entries, document);
    this.claim(this.keyOf(id), (index) => touched(changes.find((change) => change.index === index)));
    this.documents.put(this.keyOf(id), after);
    for (const { index, gone, entries } of changes) {
      for (const key of gone) this.kv.remove(key);
      this.putEntries(index, entries, id);
    }
    this.bytes += after.length - before.length;
    this.kv.note(() => ({ type: isReplacement ? 'replace' : 'update', ns: this.ns, before, after }));
    return true;
  }

  remove(id: Buffer, raw: Buffer): void {
    const document = this.read(raw, id, this.fieldsOfOld);
    const entries = this.indexes.map((index) => index.entriesOf(document));
    this.claim(this.keyOf(id), (_, at) => entries[at]?.keys ?? []);
    this.documents.remove(this.keyOf(id));
    for (const { keys } of entries) for (const key of keys) this.kv.remove(key);
    this.kv.note(() => ({ type: 'delete', ns: this.ns, before: raw }));
    this.count--;
    this.bytes -= raw.length;
  }

  /** What only one of several concurrent transactions may change: the document, and its entries of unique indexes. */
  private claim(key: Buffer, keysOf: (index: Index, at: number) => readonly Buffer[]): void {
    this.kv.claim(key);
    for (const [at, index] of this.indexes.entries()) {
      if (index.unique) for (const entry of keysOf(index, at)) this.kv.claim(entry);
    }
  }

  /** Takes over the figures of a transaction, and what it has learnt of the values. */
  adopt(changed: Collection): void {
    this.count += changed.count - changed.stored.count;
    this.bytes += changed.bytes - changed.stored.bytes;
    let news = changed.primary.shortened && !this.primary.shortened;
    this.primary.shortened ||= news;
    for (const [at, { multi, shortened }] of changed.indexes.entries())
      if (this.indexes[at]?.learn({ keys: [], multi, shortened })) news = true;
    if (news) this.onLearnt(this);
  }

  /** Compresses what is stored from now on, once there are documents to learn a dictionary from. */
  learn(): void {
    if (!this.mayLearn || this.count < SAMPLE_SIZE) return;
    this.mayLearn = false;
    const range = { start: this.prefix, end: after(this.prefix), reverse: true, limit: SAMPLE_SIZE };
    const dictionary = this.learntFrom(range);
    if (!dictionary) return;
    this.record.dictionary = dictionary;
    this.kv.compress(this.record.id, dictionary);
    this.onLearnt(this);
  }

  private learntFrom(range: RangeOptions): Buffer | undefined {
    try {
      return learnDictionary([...this.documents.range(range)].map(({ value }) => value));
    } catch (error) {
      // a damaged document keeps those that are written now from nothing but their compression
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  /** Adds one document to an index that is being built. */
  fill(index: Index, id: Buffer, raw: Buffer): void {
    if (this.filling?.index !== index)
      this.filling = { index, located: index.fields && new FieldLocator([...index.fields]) };
    const { located } = this.filling;
    located?.locate(raw);
    const decoded = (): Doc => (index.fields ? pick(raw, index.fields) : decode(raw));
    const document = { raw, id, located, decoded };
    const entries = index.entriesOf(document);
    this.assertUnique(index, entries, document);
    this.putEntries(index, entries, id);
  }

  private read(raw: Buffer, id: Buffer, located: FieldLocator | undefined): IndexedDocument {
    located?.locate(raw);
    let doc: Doc | undefined;
    const decoded = (): Doc => (doc ??= this.needed ? pick(raw, this.needed) : decode(raw));
    return { raw, id, located, decoded };
  }

  /** The encoded `_id` of a new document; an ObjectId needs no checks. */
  private newId({ raw, located, decoded }: IndexedDocument): Buffer {
    if (located?.types[0] !== OBJECT_ID_TYPE) return this.checkedId(decoded());
    const at = located.values[0] as number;
    const id = Buffer.allocUnsafe(1 + OBJECT_ID_BYTES);
    id[0] = KIND.ObjectId;
    raw.copy(id, 1, at, at + OBJECT_ID_BYTES);
    return id;
  }

  private checkedId(doc: Doc): Buffer {
    const id = doc._id;
    if (id === undefined) throw new StoreError('BadValue', "can't use an undefined for _id");
    if (Array.isArray(id)) throw new StoreError('InvalidIdField', "The '_id' value cannot be of type array");
    if (id instanceof BSONRegExp) throw new StoreError('InvalidIdField', "The '_id' value cannot be of type regex");
    if (isDoc(id) && Object.keys(id).some((name) => name.startsWith('$'))) {
      throw new StoreError('DollarPrefixedFieldName', '_id fields may not contain $-prefixed fields');
    }
    const entries = encodeId(id);
    if (entries.shortened && !this.primary.shortened) {
      this.primary.shortened = true;
      this.onLearnt(this);
    }
    return entries.bytes;
  }

  /** The encoded `_id` that an index entry stands for. */
  idOf(key: Buffer, stored: Buffer): Buffer {
    const value = unsealedEntry(key, stored);
    if (!value) throw this.kv.damageOf(key, CHANGED);
    return value.length > 0 ? value : key.subarray(key.length - ENCODED_OBJECT_ID_BYTES);
  }

  private putEntries(index: Index, entries: IndexEntries, id: Buffer): void {
    const inEntry = index.unique || !isObjectId(id) ? id : IN_KEY;
    const late = index.expireAfterSeconds === undefined || index.unique ? undefined : this.late;
    for (const key of entries.keys) {
      const value = sealedEntry(key, inEntry);
      if (late) late.push({ key, value });
      else this.kv.put(key, value);
    }
    if (index.learn(entries)) this.onLearnt(this);
  }

  private assertUnique(index: Index, entries: IndexEntries, { id, decoded }: IndexedDocument): void {
    if (this.conflicts(index, entries, id)) throw this.duplicate(index, decoded());
  }

  /** True if another document has one of these entries of a unique index. */
  private conflicts(index: Index, entries: IndexEntries, id: Buffer): boolean {
    if (!index.unique) return false;
    return entries.keys.some((key) => {
      const owner = this.kv.get(key);
      return owner !== undefined && !this.idOf(key, owner).equals(id);
    });
  }

  private duplicate(index: Index, doc: Doc): StoreError {
    return duplicateKey(this.ns, index, doc);
  }
}

const touched = (change?: { gone: Buffer[]; entries: IndexEntries }): Buffer[] =>
  change ? [...change.gone, ...change.entries.keys] : [];

/** E11000 in the form that drivers and applications parse. */
function duplicateKey(ns: string, index: Index, doc: Doc): StoreError {
  const keyValue: Doc = {};
  const shown = index.paths.map((path) => {
    const value = conflictingValue(doc, path);
    keyValue[path.join('.')] = value;
    return `${path.join('.')}: ${show(value)}`;
  });
  const message = `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: { ${shown.join(', ')} }`;
  return new StoreError('DuplicateKey', message, { keyPattern: index.record.key, keyValue });
}

function conflictingValue(doc: Doc, path: string[]): unknown {
  let value: unknown = doc;
  for (const part of path) {
    if (Array.isArray(value)) value = value[0] as unknown;
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? (value as Doc)[part] : undefined;
  }
  return value ?? null;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[ ${value.map(show).join(', ')} ]`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (!isDoc(value)) return scalarText(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${show(inner)}`)
    .join(', ')} }`;
}

function scalarText(value: unknown): string {
  if (isNumeric(value)) return String(numberOf(value) ?? (value as Decimal128).toString());
  return EJSON.stringify(value);
}
