import { Int32 } from 'bson';
import { decode, isDoc, MAX_DOCUMENT_BYTES, own, toInteger, validate, withIdFirst, type Doc } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import type { Node } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { parseSort } from '../query/sort.js';
import type { Collection } from '../store/collection.js';
import type { Engine } from '../store/engine.js';
import type { Candidate } from '../store/scan.js';
import { resolveHint, searchAll, type SearchRequest, type SearchStats } from '../store/search.js';
import { encodeStored, idFirst, parseUpdate, type Update, upsertSeed } from '../update/update.js';
import { variablesOf } from './find.js';
import { booleanOf } from './options.js';

/** One statement of an `update` command, parsed. */
export interface UpdateStatement {
  filterSource: unknown;
  filter: Node;
  update: Update;
  multi: boolean;
  upsert: boolean;
  hint: unknown;
  sort?: unknown;
}

export interface UpdateOutcome {
  matched: number;
  modified: number;
  upsertedId?: unknown;
  /** The one document concerned, before and after; for findAndModify. */
  before?: Buffer;
  after?: Buffer;
}

const UPDATE_FIELDS = new Set(['q', 'u', 'c', 'multi', 'upsert', 'collation', 'arrayFilters', 'hint']);

export function parseUpdateStatement(statement: unknown, variables: Doc): UpdateStatement {
  if (!isDoc(statement)) throw new StoreError('TypeMismatch', 'an update statement must be a document');
  for (const name of Object.keys(statement)) {
    if (!UPDATE_FIELDS.has(name))
      throw new StoreError('Location40415', `BSON field 'update.updates.${name}' is an unknown field.`, {}, 40415);
  }
  refuseCollation(statement);
  const filter = parseFilter(statement.q, variables);
  const constants = statement.c === undefined ? variables : { ...variables, ...variablesOf(statement.c) };
  const update = parseUpdate(statement.u, filter, statement.arrayFilters, constants);
  const multi = booleanOf(statement.multi);
  if (multi && update.replacement) throw failedToParse('multi update is not supported for replacement-style update');
  return {
    filterSource: statement.q,
    filter,
    update,
    multi,
    upsert: booleanOf(statement.upsert),
    hint: statement.hint,
  };
}

export function refuseCollation(statement: Doc): void {
  const { collation } = statement;
  if (
    collation === undefined ||
    (isDoc(collation) && (Object.keys(collation).length === 0 || collation.locale === 'simple'))
  )
    return;
  throw new StoreError('NotImplemented', 'collation is not supported by the embedded store');
}

function candidates(
  engine: Engine,
  collection: Collection,
  request: Omit<SearchRequest, 'skip' | 'hint'> & { hint: unknown },
  stats: SearchStats,
): Candidate[] {
  const hint = resolveHint(collection, request.hint);
  return searchAll(
    engine,
    collection,
    {
      filter: request.filter,
      sort: request.sort,
      limit: request.limit,
      skip: 0,
      ...(hint === undefined ? {} : { hint }),
    },
    stats,
  );
}

/** Runs one update inside a write transaction. */
export function runUpdate(engine: Engine, ns: string, statement: UpdateStatement, stats: SearchStats): UpdateOutcome {
  const collection = engine.find(ns);
  const request = {
    filter: statement.filter,
    sort: parseSort(statement.sort),
    limit: statement.multi ? 0 : 1,
    hint: statement.hint,
  };
  const targets = collection ? candidates(engine, collection, request, stats) : [];
  if (!collection || targets.length === 0) {
    return statement.upsert ? upsert(engine.ensure(ns), statement) : { matched: 0, modified: 0 };
  }
  const outcome: UpdateOutcome = { matched: 0, modified: 0 };
  for (const { id, raw } of targets) {
    const after = encodeStored(statement.update.apply(decode(raw), false));
    validate(after);
    if (collection.replace(id, raw, after) === 'changed') outcome.modified++;
    outcome.matched++;
    outcome.before = raw;
    outcome.after = after;
  }
  return outcome;
}

function upsert(collection: Collection, { filter, update }: UpdateStatement): UpdateOutcome {
  const seed = update.replacement ? replacementSeed(filter) : upsertSeed(filter);
  const raw = withIdFirst(encodeStored(idFirst(update.apply(seed, true))));
  validate(raw);
  collection.insert(raw);
  return { matched: 0, modified: 0, upsertedId: own(decode(raw), '_id'), after: raw };
}

/** Of the filter only `_id` goes into a replacement. */
function replacementSeed(filter: Node): Doc {
  const seed = upsertSeed(filter);
  return '_id' in seed ? { _id: seed._id } : {};
}

export interface DeleteStatement {
  filter: Node;
  filterSource: unknown;
  limit: number;
  hint: unknown;
  sort?: unknown;
}

const DELETE_FIELDS = new Set(['q', 'limit', 'collation', 'hint']);

export function parseDeleteStatement(statement: unknown, variables: Doc): DeleteStatement {
  if (!isDoc(statement)) throw new StoreError('TypeMismatch', 'a delete statement must be a document');
  for (const name of Object.keys(statement)) {
    if (!DELETE_FIELDS.has(name))
      throw new StoreError('Location40415', `BSON field 'delete.deletes.${name}' is an unknown field.`, {}, 40415);
  }
  refuseCollation(statement);
  const limit = toInteger(statement.limit ?? 0, 'limit');
  if (limit !== 0 && limit !== 1) throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
  return { filter: parseFilter(statement.q, variables), filterSource: statement.q, limit, hint: statement.hint };
}

/** Runs one delete inside a write transaction. */
export function runDelete(
  engine: Engine,
  ns: string,
  statement: DeleteStatement,
  stats: SearchStats,
): { deleted: number; before?: Buffer } {
  const collection = engine.find(ns);
  if (!collection) return { deleted: 0 };
  const request = {
    filter: statement.filter,
    sort: parseSort(statement.sort),
    limit: statement.limit,
    hint: statement.hint,
  };
  const targets = candidates(engine, collection, request, stats);
  for (const { id, raw } of targets) collection.remove(id, raw);
  return { deleted: targets.length, ...(targets[0] ? { before: targets[0].raw } : {}) };
}

/** A document to be inserted, checked and with its `_id` first. */
export function checkedDocument(raw: Buffer): Buffer {
  if (raw.length > MAX_DOCUMENT_BYTES)
    throw new StoreError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`,
    );
  validate(raw);
  return withIdFirst(raw);
}

export const writeError = (index: number, error: StoreError): Doc => ({
  index: new Int32(index),
  code: new Int32(error.code),
  ...error.extra,
  errmsg: error.message,
});
