import { Int32, Long } from 'bson';
import { decode, encode, isDoc, toInteger, type Doc } from '../bson/codec.js';
import { compileExpression } from '../expressions/expressions.js';
import { StoreError } from '../errors.js';
import type { Node } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import { compileProjection } from '../query/projection.js';
import { parseSort } from '../query/sort.js';
import type { Collection } from '../store/collection.js';
import { countMatches, resolveHint, search, type SearchRequest, type SearchStats } from '../search/search.js';
import type { Candidate } from '../search/scan.js';
import { type Context, namespaceOf, Pace, type Request } from './context.js';
import type { Results } from './cursors.js';
import { assertOptions, booleanOf } from './options.js';

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

/** Documents of a collection that match, paced so that others get their turn. */
export async function* found(
  context: Context,
  ns: string,
  request: SearchRequest,
  reader: Pick<Request, 'deadline' | 'abandoned'>,
  filter: unknown,
): AsyncGenerator<Candidate[], void, undefined> {
  const collection = context.engine.find(ns);
  if (!collection) return;
  const stats: SearchStats = { examined: 0, scanned: false };
  const pace = new Pace(reader);
  try {
    for (const batch of search(context.engine, collection, request, stats)) {
      if (batch.length > 0) yield batch;
      await pace.breathe();
    }
  } finally {
    logScan(context, ns, filter, stats);
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

export async function find(context: Context, request: Request): Promise<Buffer> {
  const { command } = request;
  assertOptions('find', command, FIND_OPTIONS);
  const ns = namespaceOf(request, command.find);
  const variables = variablesOf(command.let);
  const filter = parseFilter(command.filter, variables);
  const projection = compileProjection(command.projection, variables, true);
  const wanted = searchRequest(context.engine.find(ns), command, filter);
  const batchSize = command.batchSize === undefined ? undefined : natural('batchSize', command.batchSize);
  const results = async function* (reader: Pick<Request, 'deadline' | 'abandoned'>): Results {
    for await (const batch of found(context, ns, wanted, reader, command.filter)) {
      yield batch.map(({ raw }) => (projection ? encode(projection(decode(raw))) : raw));
    }
  };
  const first = wanted.limit > 0 && batchSize === undefined ? wanted.limit : batchSize;
  return context.cursors.start(ns, request, first, booleanOf(command.singleBatch), results);
}

function searchRequest(collection: Collection | undefined, command: Doc, filter: Node): SearchRequest {
  const sort = parseSort(command.sort);
  const hint = collection && resolveHint(collection, command.hint);
  const reverse = isDoc(command.hint) && '$natural' in command.hint && Number(String(command.hint.$natural)) < 0;
  if (sort.length === 1 && sort[0]?.path[0] === '$natural') sort[0] = { path: ['_id'], direction: sort[0].direction };
  if (reverse && sort.length === 0) sort.push({ path: ['_id'], direction: -1 });
  return {
    filter,
    sort,
    skip: natural('skip', command.skip),
    limit: natural('limit', command.limit),
    ...(hint === undefined ? {} : { hint }),
  };
}

export async function getMore(context: Context, request: Request): Promise<Buffer> {
  const { command } = request;
  assertOptions('getMore', command, ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime']);
  if (!(command.getMore instanceof Long)) throw new StoreError('TypeMismatch', 'a cursor id must be a long');
  const batchSize = command.batchSize === undefined ? undefined : natural('batchSize', command.batchSize);
  return context.cursors.more(
    command.getMore,
    `${request.db}.${String(command.collection)}`,
    request,
    batchSize === 0 ? undefined : batchSize,
  );
}

export async function killCursors(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('killCursors', command, ['cursors']);
  const { killed, unknown } = await context.cursors.kill(
    command.cursors as Long[],
    `${request.db}.${String(command.killCursors)}`,
  );
  return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] };
}

/** Number of matches of a search. */
export async function countFound(
  context: Context,
  ns: string,
  wanted: SearchRequest,
  request: Request,
  filter: unknown,
): Promise<number> {
  const collection = context.engine.find(ns);
  if (!collection) return 0;
  const stats: SearchStats = { examined: 0, scanned: false };
  const pace = new Pace(request);
  let total = 0;
  for (const some of countMatches(context.engine, collection, wanted, stats)) {
    total += some;
    await pace.breathe();
  }
  logScan(context, ns, filter, stats);
  return total;
}

export async function count(context: Context, request: Request): Promise<Doc> {
  const { command } = request;
  assertOptions('count', command, ['query', 'limit', 'skip', 'hint', 'fields']);
  const ns = namespaceOf(request, command.count);
  const limit = command.limit === undefined ? 0 : Math.abs(toInteger(command.limit, 'limit'));
  const query = command.query ?? {};
  const wanted = searchRequest(context.engine.find(ns), { ...command, limit, sort: {} }, parseFilter(query));
  return { n: new Int32(await countFound(context, ns, wanted, request, query)) };
}
