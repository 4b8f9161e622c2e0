import { Int32 } from 'bson';
import { encode, isDoc, own, type Doc } from '../bson/codec.js';
import { after } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { equalValues } from '../bson/values.js';
import { badValue, BY_GEOHASH, BY_REGEX, notSupported, StoreError } from '../errors.js';
import { conjuncts } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { isIndexPart } from '../bson/paths.js';
import type { Collection } from '../store/collection.js';
import type { Engine } from '../store/engine.js';
import { Index, type IndexRecord } from '../store/index.js';
import { LAYOUT } from '../store/keyspace.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { assertOptions, booleanOf } from './options.js';

const SPEC_FIELDS = new Set([
  'key',
  'name',
  'ns',
  'v',
  'unique',
  'sparse',
  'background',
  'expireAfterSeconds',
  'partialFilterExpression',
  'hidden',
  'collation',
]);
const MAX_INDEXES = 64;

export async function createIndexes(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('createIndexes', command, ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions']);
  const ns = namespaceOf(request, command.createIndexes);
  if (!Array.isArray(command.indexes) || command.indexes.length === 0)
    throw badValue('Must specify at least one index to create');
  const specs = (command.indexes as unknown[]).map((spec) => checkedSpec(spec));
  const present = context.engine.find(ns);
  const created = !present;
  // A program that only makes sure of its indexes starts on a full disk as well.
  if (present && !specs.some((spec) => isNew(present, spec))) return createdIndexes(present.indexes.length + 1);
  const counts = await context.engine.write(() => {
    const collection = context.engine.ensure(ns);
    const before = collection.indexes.length + 1;
    const fresh = specs.filter((spec) => isNew(collection, spec));
    if (before + fresh.length > MAX_INDEXES)
      throw new StoreError('CannotCreateIndex', `add index fails, too many indexes for ${ns}`);
    const built = fresh.map((spec) => buildIndex(context.engine, collection, spec));
    if (built.length > 0) {
      collection.indexes = [...collection.indexes, ...built];
      collection.indexesChanged();
      context.engine.saveRecord(collection);
    }
    return { before, after: before + built.length };
  });
  return createdIndexes(counts.before, counts.after, created);
}

function createdIndexes(before: number, later = before, created = false): Doc {
  return {
    numIndexesBefore: new Int32(before),
    numIndexesAfter: new Int32(later),
    createdCollectionAutomatically: created,
    ...(before === later ? { note: 'all indexes already exist' } : {}),
  };
}

/** Fills a new index from all documents; a duplicate undoes the entries that it wrote. */
export function buildIndex(engine: Engine, collection: Collection, spec: Doc): Index {
  const record: IndexRecord = {
    id: engine.nextId(),
    name: spec.name as string,
    key: spec.key as Doc,
    spec,
    layout: LAYOUT,
    multi: [],
    shortened: false,
  };
  const index = new Index(record);
  try {
    for (const { key, value } of collection.documents.range({
      start: collection.prefix,
      end: after(collection.prefix),
    })) {
      collection.fill(index, key.subarray(collection.prefix.length), value);
    }
  } catch (error) {
    engine.doom(index.prefix);
    void engine.sweep();
    throw error;
  }
  return index;
}

function checkedSpec(spec: unknown): Doc {
  if (!isDoc(spec) || !isDoc(spec.key) || Object.keys(spec.key).length === 0)
    throw new StoreError('CannotCreateIndex', 'Index keys must be a non-empty document');
  for (const name of Object.keys(spec))
    if (!SPEC_FIELDS.has(name))
      throw new StoreError(
        'InvalidIndexSpecificationOption',
        `The field '${name}' is not valid for an index specification, or not supported by the embedded store`,
        {},
        197,
      );
  for (const [path, direction] of Object.entries(spec.key)) checkKey(path, direction);
  if (typeof spec.name !== 'string' || spec.name === '')
    throw new StoreError('FailedToParse', "The 'name' field is a required property of an index specification");
  if (spec.collation !== undefined && !(isDoc(spec.collation) && spec.collation.locale === 'simple'))
    throw notSupported('an index with a collation', 'keep the value in lower case as well, with an index on it');
  const { key, name, ...rest } = spec;
  for (const neutral of ['background', 'ns', 'v', 'collation']) delete rest[neutral];
  for (const flag of ['unique', 'sparse', 'hidden']) {
    if (rest[flag] !== undefined && !booleanOf(rest[flag])) delete rest[flag];
    else if (rest[flag] !== undefined) rest[flag] = true;
  }
  checkPartial(rest);
  checkExpiry(rest, key);
  return { v: new Int32(2), key, name, ...rest };
}

function checkKey(path: string, direction: unknown): void {
  if (typeof direction === 'string') throw notSupported(`an index of type '${direction}'`, instead(direction));
  const number = isNumeric(direction) ? Number(numberOf(direction)) : 0;
  if (!number)
    throw new StoreError(
      'CannotCreateIndex',
      `Values in the index key pattern must be numbers other than 0 for ${path}`,
    );
  const parts = path.split('.');
  if (parts.includes('$**'))
    throw notSupported(
      'a wildcard index',
      'name the fields, or keep them as a list of {k, v} with an index on both (the attribute pattern)',
    );
  if (parts.some((part) => part === '' || part.startsWith('$')))
    throw new StoreError('CannotCreateIndex', `Index key contains an illegal field name: ${path}`);
  if (parts.some(isIndexPart)) throw notSupported('an index on an array position');
}

function instead(type: string): string {
  if (type === 'text') return BY_REGEX;
  return type === 'hashed' ? "use 1 instead of 'hashed': an ordered index finds equal values as well" : BY_GEOHASH;
}

const PARTIAL_CONDITIONS = new Set(['compare', 'in', 'exists', 'kind']);

function checkPartial(spec: Doc): void {
  const filter = own(spec, 'partialFilterExpression');
  if (filter === undefined) return;
  if (spec.sparse)
    throw new StoreError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  const fine = conjuncts(parseFilter(filter)).every(
    (node) => PARTIAL_CONDITIONS.has(node.type) && !(node.type === 'in' && node.regexes.length > 0),
  );
  if (!fine)
    throw new StoreError(
      'CannotCreateIndex',
      'Expression not supported in partial index: use equality, $in, $exists: true, $gt, $gte, $lt, $lte, $type and $and',
    );
}

function checkExpiry(spec: Doc, key: Doc): void {
  const seconds = own(spec, 'expireAfterSeconds');
  if (seconds === undefined) return;
  if (!isNumeric(seconds) || !(Number(numberOf(seconds)) >= 0))
    throw new StoreError('CannotCreateIndex', "TTL index 'expireAfterSeconds' must be a number that is not negative");
  if (Object.keys(key).length > 1)
    throw new StoreError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL',
    );
  if ('_id' in key) throw new StoreError('CannotCreateIndex', 'The field _id cannot be part of a TTL index');
}

function isNew(collection: Collection, spec: Doc): boolean {
  const all = [collection.primary, ...collection.indexes];
  if (Object.keys(spec.key as Doc).join() === '_id') return false;
  const sameName = all.find((index) => index.name === spec.name);
  const sameKey = all.find(
    (index) =>
      equalValues(index.record.key, spec.key) &&
      equalValues(own(index.record.spec, 'partialFilterExpression') ?? null, spec.partialFilterExpression ?? null),
  );
  if (sameName && equalKeys(sameName, spec)) {
    if (equalOptions(sameName, spec)) return false;
    throw new StoreError(
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options: ${String(spec.name)}`,
    );
  }
  if (sameName)
    throw new StoreError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index but another key pattern or filter: ${String(spec.name)}`,
    );
  if (sameKey && !sameKey.primary)
    throw new StoreError('IndexOptionsConflict', `Index already exists with a different name: ${sameKey.name}`);
  return true;
}

const equalKeys = (index: Index, spec: Doc): boolean =>
  equalValues(index.record.key, spec.key) &&
  Object.keys(index.record.key).join() === Object.keys(spec.key as Doc).join();

function equalOptions(index: Index, spec: Doc): boolean {
  return ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'].every((name) =>
    equalValues(own(index.record.spec, name) ?? null, spec[name] ?? null),
  );
}

export function listIndexes(context: Context, request: Request): Buffer | Promise<Buffer> {
  const { command } = request;
  assertOptions('listIndexes', command, ['cursor', 'includeIndexBuildInfo']);
  const ns = namespaceOf(request, command.listIndexes);
  const collection = context.engine.find(ns);
  if (!collection) throw new StoreError('NamespaceNotFound', `ns does not exist: ${ns}`);
  const specs = [collection.primary, ...collection.indexes].map((index) => encode(index.record.spec));
  return context.cursors.start(ns, request, undefined, true, function* () {
    yield specs;
  });
}

export async function dropIndexes(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions(request.name, command, ['index']);
  const ns = namespaceOf(request, command[request.name]);
  const before = await context.engine.write(() => {
    const collection = context.engine.find(ns);
    if (!collection) throw new StoreError('NamespaceNotFound', `ns not found ${ns}`);
    const doomed = doomedIndexes(collection, command.index);
    const count = collection.indexes.length + 1;
    collection.indexes = collection.indexes.filter((index) => !doomed.includes(index));
    collection.indexesChanged();
    context.engine.saveRecord(collection);
    doomed.forEach((index) => context.engine.forgetIndex(index));
    return count;
  });
  await context.engine.sweep();
  return { nIndexesWas: new Int32(before) };
}

function doomedIndexes(collection: Collection, wanted: unknown): Index[] {
  if (wanted === '*') return collection.indexes;
  const names = Array.isArray(wanted) ? (wanted as unknown[]) : [wanted];
  return names.map((name) => {
    const matches = (index: Index): boolean =>
      typeof name === 'string' ? index.name === name : isDoc(name) && equalValues(index.record.key, name);
    if (matches(collection.primary)) throw new StoreError('InvalidOptions', 'cannot drop _id index');
    const index = collection.indexes.find(matches);
    if (!index) throw new StoreError('IndexNotFound', `index not found with name [${String(name)}]`);
    return index;
  });
}
