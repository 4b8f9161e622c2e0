import { Int32 } from 'bson';
import { decode, isDoc, MAX_DOCUMENT_BYTES, own, toInteger, validate, withIdFirst, type Doc } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import { type Collation, parseCollation } from '../bson/collation.js';
import { collated, type Node } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { parseSort, type SortSpec } from '../bson/sort.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';
import type { Candidate } from '../search/scan.js';
import { rawTest, resolveHint, search, type SearchRequest, type SearchStats } from '../search/search.js';
import { encodeStored, idFirst, parseUpdate, type Update, updated, upsertSeed } from '../update/update.js';
import { variablesOf } from './find.js';
import { booleanOf } from './options.js';

/** One change of documents that a filter finds: an update when there is an `update`, otherwise a removal. */
export interface WriteStatement {
  filterSource: unknown;
  filter: Node;
  sort: SortSpec;
  hint: unknown;
  multi: boolean;
  update?: Update;
  upsert: boolean;
  /** By which texts are sorted. */
  collation?: Collation;
}

export interface WriteOutcome {
  /** Documents matched, or removed. */
  matched: number;
  modified: number;
  upsertedId?: unknown;
  /** The last document concerned, before and after; for findAndModify. */
  before?: Buffer;
  after?: Buffer;
}

/** Finding the documents takes too long to be done inside a transaction; nothing has been written. */
export class TakesLong extends Error {}

/**
 * What may be examined, found and spent inside a transaction, which blocks all other clients. Shorter transactions make writes of many
 * documents dearer: each commit writes every page that it changed.
 */
const MAX_EXAMINED = 1000;
const MAX_FOUND = 500;
export const MAX_TRANSACTION_MS = 25;

const STATEMENT_FIELDS = {
  updates: ['q', 'u', 'c', 'multi', 'upsert', 'collation', 'arrayFilters', 'hint'],
  deletes: ['q', 'limit', 'collation', 'hint'],
};

/** A statement that asks for something unknown fails its whole command, before any of the others is done. */
export function assertStatement(statement: unknown, field: 'updates' | 'deletes'): asserts statement is Doc {
  if (!isDoc(statement)) throw new StoreError('TypeMismatch', `every item of '${field}' must be a document`);
  const unknown = Object.keys(statement).find((name) => !STATEMENT_FIELDS[field].includes(name));
  if (unknown !== undefined) {
    const path = `${field.slice(0, -1)}.${field}.${unknown}`;
    throw new StoreError('Location40415', `BSON field '${path}' is an unknown field.`, {}, 40415);
  }
  parseCollation(statement.collation);
}

const filterOf = (source: unknown, { collation }: Doc, variables: Doc): Node =>
  collated(parseFilter(source, variables), parseCollation(collation));

export function parseUpdateStatement(statement: Doc, variables: Doc): WriteStatement {
  const filter = filterOf(statement.q, statement, variables);
  const constants = statement.c === undefined ? variables : { ...variables, ...variablesOf(statement.c) };
  const update = parseUpdate(statement.u, filter, statement.arrayFilters, constants);
  const multi = booleanOf(statement.multi);
  if (multi && update.replacement) throw failedToParse('multi update is not supported for replacement-style update');
  const upsert = booleanOf(statement.upsert);
  return { filterSource: statement.q, filter, sort: [], hint: statement.hint, multi, update, upsert };
}

export function parseDeleteStatement(statement: Doc, variables: Doc): WriteStatement {
  const limit = toInteger(statement.limit ?? 0, 'limit');
  if (limit !== 0 && limit !== 1) {
    throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
  }
  const filter = filterOf(statement.q, statement, variables);
  return { filterSource: statement.q, filter, sort: [], hint: statement.hint, multi: limit === 0, upsert: false };
}

/** The one document that findAndModify changes or removes. */
export function parseModify(command: Doc, variables: Doc): WriteStatement {
  const filter = filterOf(command.query, command, variables);
  const collation = parseCollation(command.collation);
  const common = {
    filterSource: command.query,
    filter,
    sort: parseSort(command.sort),
    hint: command.hint,
    multi: false,
    ...(collation && { collation }),
  };
  const upsert = booleanOf(command.upsert);
  if (booleanOf(command.remove)) {
    if (command.update !== undefined || booleanOf(command.new) || upsert) {
      throw failedToParse("Cannot specify 'remove' together with 'update', 'new' or 'upsert'");
    }
    return { ...common, upsert: false };
  }
  if (command.update === undefined) throw failedToParse("Either an 'update' or 'remove=true' must be specified");
  return { ...common, upsert, update: parseUpdate(command.update, filter, command.arrayFilters, variables) };
}

export function searchOf(collection: Collection | undefined, statement: WriteStatement): SearchRequest {
  const hint = collection && resolveHint(collection, statement.hint);
  const { filter, sort, multi, collation } = statement;
  const limit = multi ? 0 : 1;
  return { filter, sort, skip: 0, limit, ...(hint === undefined ? {} : { hint }), ...(collation && { collation }) };
}

/** Finds and changes documents inside a write transaction. */
export function runWrite(store: Store, ns: string, statement: WriteStatement, stats: SearchStats): WriteOutcome {
  const collection = store.find(ns);
  const found = collection ? searchNow(store, collection, statement, stats) : [];
  if (statement.upsert && found.length === 0) return upsert(store.ensure(ns), statement);
  const outcome: WriteOutcome = { matched: 0, modified: 0 };
  for (const candidate of found) change(collection as Collection, candidate, statement.update, outcome);
  return outcome;
}

/**
 * Changes documents that were found before, inside a write transaction: each is looked at again, and only changed if it still matches.
 *
 * @param ids starts with the first document to be looked at; the transaction ends after {@link MAX_TRANSACTION_MS}
 * @returns how many of them were looked at
 */
export function changeFound(
  store: Store,
  ns: string,
  statement: WriteStatement,
  ids: readonly Buffer[],
  outcome: WriteOutcome,
): number {
  const collection = store.find(ns);
  if (!collection) return ids.length;
  const test = rawTest(statement.filter);
  const started = performance.now();
  let seen = 0;
  for (const id of ids) {
    const raw = collection.get(id);
    if (raw && test(raw)) change(collection, { id, raw }, statement.update, outcome);
    seen++;
    if (performance.now() - started > MAX_TRANSACTION_MS) break;
  }
  return seen;
}

function change(
  collection: Collection,
  { id, raw }: Candidate,
  update: Update | undefined,
  outcome: WriteOutcome,
): void {
  outcome.before = raw;
  if (update) {
    const after = updated(update, raw);
    if (collection.replace(id, raw, after, update.replacement)) outcome.modified++;
    outcome.after = after;
  } else {
    collection.remove(id, raw);
  }
  outcome.matched++;
}

function searchNow(store: Store, collection: Collection, statement: WriteStatement, stats: SearchStats): Candidate[] {
  const found: Candidate[] = [];
  const started = performance.now();
  for (const batch of search(store, collection, searchOf(collection, statement), stats)) {
    found.push(...batch);
    const slow = stats.examined > MAX_EXAMINED || performance.now() - started > MAX_TRANSACTION_MS;
    if (slow || found.length > MAX_FOUND) throw new TakesLong();
  }
  return found;
}

/** Inserts the document that a statement asks for when it has found none. */
export function upsert(collection: Collection, { filter, update }: WriteStatement): WriteOutcome {
  if (!update) return { matched: 0, modified: 0 };
  const seed = upsertSeed(filter);
  // of the filter only `_id` goes into a replacement
  const start = !update.replacement ? seed : '_id' in seed ? { _id: seed._id } : {};
  const raw = withIdFirst(encodeStored(idFirst(update.apply(start, true))));
  validate(raw);
  collection.insert(raw);
  return { matched: 0, modified: 0, upsertedId: own(decode(raw), '_id'), after: raw };
}

/** A document to be inserted, checked and with its `_id` first. */
export function checkedDocument(raw: Buffer): Buffer {
  if (raw.length > MAX_DOCUMENT_BYTES) {
    const text = `object to insert too large. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`;
    throw new StoreError('BSONObjectTooLarge', text);
  }
  validate(raw);
  return withIdFirst(raw);
}

export const writeError = (index: number, error: StoreError): Doc => ({
  index: new Int32(index),
  code: new Int32(error.code),
  ...error.extra,
  errmsg: error.message,
});
