import { BSONRegExp, type Decimal128, EJSON, ObjectId } from 'bson';
import { decode, isDoc, pick, pickRaw, type Doc } from '../bson/codec.js';
import { encodeId } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { StoreError } from '../errors.js';
import { documentsPrefix } from './keyspace.js';
import { Index, type IndexEntries, type IndexRecord } from './index.js';
import type { KeyValueStore } from './engine.js';

export interface CollectionRecord {
  id: number;
  options: Doc;
  indexes: IndexRecord[];
}

/** Documents and indexes of one collection. All methods that write must be called inside a write transaction. */
export class Collection {
  readonly prefix: Buffer;
  readonly primary: Index;
  indexes: Index[];
  count = 0;
  bytes = 0;
  /** The figures that are on disk. */
  stored = { count: 0, bytes: 0 };
  /** Top-level fields that any index needs; undefined when an index may need any field. */
  private needed: ReadonlySet<string> | undefined;

  constructor(
    private readonly kv: KeyValueStore,
    readonly ns: string,
    readonly record: CollectionRecord,
    private readonly onLearnt: (collection: Collection) => void,
  ) {
    this.prefix = documentsPrefix(record.id);
    const [primary, ...others] = record.indexes;
    this.primary = new Index(primary as IndexRecord, this.prefix);
    this.indexes = others.map((index) => new Index(index));
    this.indexesChanged();
  }

  get name(): string {
    return this.ns.slice(this.ns.indexOf('.') + 1);
  }

  indexesChanged(): void {
    const names = new Set<string>(['_id']);
    this.needed = names;
    for (const index of this.indexes) {
      if (!index.fields) this.needed = undefined;
      index.fields?.forEach((field) => names.add(field));
    }
  }

  toRecord(): CollectionRecord {
    return { ...this.record, indexes: [this.primary, ...this.indexes].map((index) => index.toRecord()) };
  }

  keyOf(id: Buffer): Buffer {
    return Buffer.concat([this.prefix, id]);
  }

  get(id: Buffer): Buffer | undefined {
    return this.kv.get(this.keyOf(id));
  }

  /** Stores a new document whose first field is its `_id`. Nothing is written when it throws. */
  insert(raw: Buffer): void {
    const doc = this.neededFields(raw);
    const id = this.checkedId(doc);
    const key = this.keyOf(id);
    if (this.kv.has(key)) throw this.duplicate(this.primary, doc);
    const entries = this.indexes.map((index) => index.entriesOf(doc));
    entries.forEach((entry, at) => this.assertUnique(this.indexes[at] as Index, entry, id, doc));
    this.kv.put(key, raw);
    entries.forEach((entry, at) => this.putEntries(this.indexes[at] as Index, entry, id));
    this.count++;
    this.bytes += raw.length;
  }

  /** Stores a new version of a document with the same `_id`; false when the bytes are equal. Nothing is written when it throws. */
  replace(id: Buffer, before: Buffer, after: Buffer): boolean {
    if (before.equals(after)) return false;
    if (this.needed && pickRaw(before, this.needed).equals(pickRaw(after, this.needed))) {
      this.kv.put(this.keyOf(id), after);
      this.bytes += after.length - before.length;
      return true;
    }
    const oldDoc = this.neededFields(before);
    const newDoc = this.neededFields(after);
    const changes = this.indexes.map((index) => {
      const old = new Map(index.entriesOf(oldDoc).keys.map((key) => [key.toString('latin1'), key]));
      const entries = index.entriesOf(newDoc);
      const added = entries.keys.filter((key) => !old.delete(key.toString('latin1')));
      return { index, gone: [...old.values()], entries: { ...entries, keys: added } };
    });
    for (const { index, entries } of changes) this.assertUnique(index, entries, id, newDoc);
    this.kv.put(this.keyOf(id), after);
    for (const { index, gone, entries } of changes) {
      for (const key of gone) this.kv.remove(index.unique ? key : Buffer.concat([key, id]));
      this.putEntries(index, entries, id);
    }
    this.bytes += after.length - before.length;
    return true;
  }

  remove(id: Buffer, raw: Buffer): void {
    const doc = this.neededFields(raw);
    this.kv.remove(this.keyOf(id));
    for (const index of this.indexes) {
      for (const key of index.entriesOf(doc).keys) this.kv.remove(index.unique ? key : Buffer.concat([key, id]));
    }
    this.count--;
    this.bytes -= raw.length;
  }

  /** Adds one document to an index that is being built. */
  fill(index: Index, id: Buffer, raw: Buffer): void {
    const doc = index.fields ? pick(raw, index.fields) : decode(raw);
    const entries = index.entriesOf(doc);
    this.assertUnique(index, entries, id, doc);
    this.putEntries(index, entries, id);
  }

  private neededFields(raw: Buffer): Doc {
    return this.needed ? pick(raw, this.needed) : decode(raw);
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

  private putEntries(index: Index, entries: IndexEntries, id: Buffer): void {
    for (const key of entries.keys) this.kv.put(index.unique ? key : Buffer.concat([key, id]), id);
    if (index.learn(entries)) this.onLearnt(this);
  }

  private assertUnique(index: Index, entries: IndexEntries, id: Buffer, doc: Doc): void {
    if (!index.unique) return;
    for (const key of entries.keys) {
      const owner = this.kv.get(key);
      if (owner && !owner.equals(id)) throw this.duplicate(index, doc);
    }
  }

  private duplicate(index: Index, doc: Doc): StoreError {
    return duplicateKey(this.ns, index, doc);
  }
}

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
