import { decode, encode, isDoc, MAX_DOCUMENT_BYTES, own, setOwn, validate, type Doc } from '../bson/codec.js';
import { equalValues } from '../bson/values.js';
import { badValue, failedToParse, StoreError } from '../errors.js';
import { compileDocumentPipeline } from '../aggregate/document-stages.js';
import { conjuncts, type Node } from '../query/ast.js';
import { compile } from '../query/match.js';
import { matchedIndex } from '../query/matched-index.js';
import { parseFilter } from '../query/parse.js';
import { applyOperators, parseOperators } from './operators.js';
import { getAt, setAt, type Positions } from './paths.js';
import { StoredUpdate } from './stored-update.js';

/** A parsed update: takes a freshly decoded document, which it may change, and gives the document to store. */
export interface Update {
  apply(doc: Doc, inserting: boolean): Doc;
  replacement: boolean;
  /** For an update that leaves most fields alone. */
  stored?: StoredUpdate;
}

/** The bytes of a document after an update, checked. */
export function updated(update: Update, raw: Buffer): Buffer {
  if (update.stored) return withinLimit(update.stored.run(raw));
  const after = withinLimit(encode(update.apply(decode(raw), false)));
  validate(after);
  return after;
}

/** Parses the three forms: operators, a replacement document, a pipeline. */
export function parseUpdate(update: unknown, filter: Node, arrayFilters: unknown, variables: Doc): Update {
  if (Array.isArray(update)) {
    if (arrayFilters !== undefined) throw failedToParse('Cannot specify arrayFilters and a pipeline update');
    const run = compileDocumentPipeline(update as unknown[], variables);
    return { replacement: false, apply: (doc) => withSameId(doc, run({ ...doc })) };
  }
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  const names = Object.keys(update);
  if (!(names[0] ?? '').startsWith('$')) {
    if (names.some((name) => name.startsWith('$')))
      throw new StoreError('DollarPrefixedFieldName', 'a replacement document must not contain update operators');
    if (arrayFilters !== undefined) throw failedToParse('Cannot specify arrayFilters with a replacement document');
    return { replacement: true, apply: (doc) => withSameId(doc, { ...update }) };
  }
  const parsed = parseOperators(update);
  const filters = parseArrayFilters(arrayFilters, parsed.usedFilters);
  const apply = (doc: Doc, inserting: boolean): Doc => {
    const id = own(doc, '_id');
    const positions: Positions = {
      filters,
      matched: (path) => (inserting ? undefined : matchedIndex(filter, getAt(doc, path), path)),
    };
    applyOperators(doc, parsed, positions, inserting);
    if (id !== undefined) assertSameId(id, own(doc, '_id'));
    return doc;
  };
  const changed = [...new Set(parsed.changes.map(({ path }) => path[0] as string))];
  return { replacement: false, apply, stored: new StoredUpdate(changed, (doc) => apply(doc, false)) };
}

function withSameId(before: Doc, after: Doc): Doc {
  const id = own(before, '_id');
  const next = own(after, '_id');
  if (id !== undefined && next !== undefined) assertSameId(id, next);
  const rest = { ...after };
  delete rest._id;
  const first = id ?? next;
  return first === undefined ? rest : { _id: first, ...rest };
}

function assertSameId(before: unknown, after: unknown): void {
  if (after === undefined || !equalValues(before, after)) {
    throw new StoreError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
}

function parseArrayFilters(
  arrayFilters: unknown,
  used: ReadonlySet<string>,
): Map<string, (element: unknown) => boolean> {
  const filters = new Map<string, (element: unknown) => boolean>();
  if (arrayFilters === undefined) return filters;
  if (!Array.isArray(arrayFilters)) throw new StoreError('TypeMismatch', 'arrayFilters must be an array');
  for (const item of arrayFilters as unknown[]) {
    if (!isDoc(item)) throw new StoreError('TypeMismatch', 'every array filter must be a document');
    const name = identifierOf(item);
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    if (!used.has(name)) throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
    const test = compile(parseFilter(item));
    filters.set(name, (element) => test({ [name]: element }));
  }
  return filters;
}

/** The one name that all paths of an array filter begin with, also inside `$and`, `$or` and `$nor`. */
function identifierOf(filter: Doc): string {
  const names = new Set<string>();
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' || key === '$or' || key === '$nor')
      for (const inner of value as Doc[]) names.add(identifierOf(inner));
    else names.add(key.split('.')[0] as string);
  }
  const [name] = [...names];
  if (names.size !== 1 || name === undefined)
    throw failedToParse('an array filter must use exactly one top-level field name');
  if (!/^[a-z]\w*$/i.test(name))
    throw badValue(`The array filter identifier '${name}' must begin with a lower-case letter and be alphanumeric`);
  return name;
}

/** The document that an upsert starts from: what the filter says must be equal. */
export function upsertSeed(filter: Node): Doc {
  const seed: Doc = {};
  for (const node of conjuncts(filter)) {
    const value = seedValue(node);
    if (value === undefined || !('path' in node)) continue;
    if (getAt(seed, node.path) !== undefined)
      throw new StoreError(
        'NotSingleValueField',
        `cannot infer query fields to set, path '${node.path.join('.')}' is matched twice`,
        {},
        54,
      );
    setAt(seed, node.path, value);
  }
  return seed;
}

function seedValue(node: Node): unknown {
  if (node.type === 'compare' && node.op === 'eq') return node.value;
  if (node.type === 'in' && node.values.length === 1 && node.regexes.length === 0) return node.values[0];
  return undefined;
}

/** Bytes of a document to be stored, with the size limit applied. */
export const encodeStored = (doc: Doc): Buffer => withinLimit(encode(doc));

function withinLimit(raw: Buffer): Buffer {
  if (raw.length > MAX_DOCUMENT_BYTES) {
    throw new StoreError(
      'BSONObjectTooLarge',
      `BSONObj size: ${raw.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
    );
  }
  return raw;
}

/** A document for an insert by upsert: `_id` first, the other fields as they come. */
export function idFirst(doc: Doc): Doc {
  if (!Object.hasOwn(doc, '_id')) return doc;
  const first: Doc = { _id: doc._id };
  for (const [name, value] of Object.entries(doc)) if (name !== '_id') setOwn(first, name, value);
  return first;
}
