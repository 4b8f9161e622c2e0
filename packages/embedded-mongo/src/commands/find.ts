import { Int32, Long } from 'bson';
import { isDoc, toInteger, type Doc } from '../bson/codec.js';
import { compileExpression } from '../expressions/expressions.js';
import { StoreError } from '../errors.js';
import { parseCollation } from '../bson/collation.js';
import { collated, type Node } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { compileStoredProjection } from '../query/stored-projection.js';
import { parseSort } from '../bson/sort.js';
import type { Collection } from '../store/collection.js';
import { countMatches, resolveHint, search, type SearchRequest, type SearchStats } from '../search/search.js';
import type { Candidate } from '../search/scan.js';
import { type Context, namespaceOf, Pace, type Reader, type Request } from './context.js';
import { assertOptions, booleanOf } from './options.js';
import { replyOf } from './reply.js';

const SLOW_SCAN = 1000;

/** One line for a search that read many documents without an index; values are left out. */
export function logScan(context: Context, ns: string, filter: unknown, stats: SearchStats): void {
  if (!stats.scanned || stats.examined <= SLOW_SCAN) return;
  context.log({
    level: 'warn',
    msg: 'scan without an index',
    ns,
    filter: shapeOf(filter ?? {}),
    examined: stats.examined,
  });
}

/** The filter's shape without its values, for logs. */
function shapeOf(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.slice(0, 3).map(shapeOf);
  if (typeof filter !== 'object' || filter === null || filter instanceof Date || '_bsontype' in filter) return '?';
  return Object.fromEntries(
    Object.entries(filter as Doc).map(([key, value]) => [key, key === '$in' || key === '$nin' ? '?' : shapeOf(value)]),
  );
}

/** Documents of a collection that match, in steps that are small pieces of work each. */
export function* searchSteps(
  context: Context,
  ns: string,
  request: SearchRequest,
  filter: unknown,
): Generator<Candidate[], void, undefined> {
  const collection = context.store.find(ns);
  if (!collection) return;
  const stats: SearchStats = { examined: 0, scanned: false };
  try {
    yield* search(context.store, collection, request, stats);
  } finally {
    logScan(context, ns, filter, stats);
  }
}

/** The same, paced so that others get their turn. */
export async function* found(
  context: Context,
  ns: string,
  request: SearchRequest,
  reader: Reader,
  filter: unknown,
): AsyncGenerator<Candidate[], void, undefined> {
  const pace = new Pace(reader);
  for (const batch of searchSteps(context, ns, request, filter)) {
    if (batch.length > 0) yield batch;
    await pace.breathe();
  }
}

const FIND_OPTIONS = [
  'filter',
  'sort',
  'projection',
  'hint',
  'skip',
  'limit',
  'batchSize',
  'singleBatch',
  'let',
  'allowDiskUse',
  'noCursorTimeout',
  'allowPartialResults',
  'collation',
];

/** The variables of a command: the one time that it shares, and its `let`, expressions without a document. */
export function variablesOf(value: unknown): Doc {
  const constants: Doc = { NOW: new Date() };
  if (value === undefined) return constants;
  if (!isDoc(value)) throw new StoreError('TypeMismatch', "'let' must be a document");
  for (const [name, expression] of Object.entries(value)) {
    constants[name] = compileExpression(expression)({ root: {}, variables: {} }) ?? null;
  }
  return constants;
}

function natural(name: string, value: unknown): number {
  if (value === undefined || value === null) return 0;
  const number = toInteger(value, name);
  if (number < 0)
    throw new StoreError(
      'Location51024',
      `BSON field '${name}' value must be >= 0, actual value '${number}'`,
      {},
      51024,
    );
  return number;
}

export function find(context: Context, request: Request): Buffer | Promise<Buffer> {
  const { command } = request;
  assertOptions('find', command, FIND_OPTIONS);
  const ns = namespaceOf(request, command.find);
  const variables = variablesOf(command.let);
  const filter = parseFilter(command.filter, variables);
  const wanted = searchRequest(context.store.find(ns), command, filter);
  const projection = compileStoredProjection(command.projection, variables, wanted.filter);
  const batchSize = command.batchSize === undefined ? undefined : natural('batchSize', command.batchSize);
  const results = function* (): Generator<Buffer[], void, undefined> {
    for (const batch of searchSteps(context, ns, wanted, command.filter))
      yield batch.map(({ raw }) => (projection ? projection(raw) : raw));
  };
  const first = wanted.limit > 0 && batchSize === undefined ? wanted.limit : batchSize;
  return context.cursors.start(ns, request, first, booleanOf(command.singleBatch), results);
}

export function searchRequest(collection: Collection | undefined, command: Doc, filter: Node): SearchRequest {
  const sort = parseSort(command.sort);
  const collation = parseCollation(command.collation);
  const hint = collection && resolveHint(collection, command.hint);
  const reverse = isDoc(command.hint) && '$natural' in command.hint && Number(String(command.hint.$natural)) < 0;
  if (sort.length === 1 && sort[0]?.path[0] === '$natural') sort[0] = { path: ['_id'], direction: sort[0].direction };
  if (reverse && sort.length === 0) sort.push({ path: ['_id'], direction: -1 });
  return {
    filter: collated(filter, collation),
    sort,
    skip: natural('skip', command.skip),
    limit: natural('limit', command.limit),
    ...(hint === undefined ? {} : { hint }),
    ...(collation && { collation }),
  };
}

export async function getMore(context: Context, request: Request): Promise<Buffer> {
  const { command } = request;
  assertOptions('getMore', command, ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime']);
  if (!(command.getMore instanceof Long)) throw new StoreError('TypeMismatch', 'a cursor id must be a long');
  if (context.changeStreams.has(command.getMore)) return replyOf(await context.changeStreams.more(request));
  const batchSize = command.batchSize === undefined ? undefined : natural('batchSize', command.batchSize);
  return context.cursors.more(
    command.getMore,
    `${request.db}.${String(command.collection)}`,
    request,
    batchSize === 0 ? undefined : batchSize,
  );
}

export function killCursors(context: Context, request: Request): Doc {
  const { command } = request;
  assertOptions('killCursors', command, ['cursors']);
  const [streams, others] = [[] as Long[], [] as Long[]];
  for (const id of command.cursors as Long[]) (context.changeStreams.kill(id) ? streams : others).push(id);
  const { killed, unknown } = context.cursors.kill(others, `${request.db}.${String(command.killCursors)}`);
  return { cursorsKilled: [...streams, ...killed], cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] };
}

/** Number of matches of a search, in steps: the last one gives it. */
export function* countSteps(
  context: Context,
  ns: string,
  wanted: SearchRequest,
  filter: unknown,
): Generator<undefined, number, undefined> {
  const collection = context.store.find(ns);
  if (!collection) return 0;
  const stats: SearchStats = { examined: 0, scanned: false };
  let total = 0;
  for (const some of countMatches(context.store, collection, wanted, stats)) {
    total += some;
    yield;
  }
  logScan(context, ns, filter, stats);
  return total;
}

export async function count(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('count', command, ['query', 'limit', 'skip', 'hint', 'fields', 'collation']);
  const ns = namespaceOf(request, command.count);
  const limit = command.limit === undefined ? 0 : Math.abs(toInteger(command.limit, 'limit'));
  const query = command.query ?? {};
  const wanted = searchRequest(context.store.find(ns), { ...command, limit, sort: {} }, parseFilter(query));
  const pace = new Pace(request);
  const steps = countSteps(context, ns, wanted, query);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { n: new Int32(step.value) };
    await pace.breathe();
  }
}
