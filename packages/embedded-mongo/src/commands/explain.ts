import { Int32 } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { badValue, notSupported, StoreError } from '../errors.js';
import { parseFilter } from '../query/parse.js';
import type { SortSpec } from '../bson/sort.js';
import type { IndexPlan, Plan } from '../search/plan.js';
import { planOf, search, type SearchRequest, type SearchStats } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import { plannedPipeline } from './aggregate.js';
import { type Context, namespaceOf, Pace, type Request } from './context.js';
import { searchRequest, variablesOf } from './find.js';
import { assertOptions } from './options.js';
import { parseDeleteStatement, parseModify, parseUpdateStatement, searchOf, type WriteStatement } from './write.js';

/** The search of a command, and what is done with what it finds. */
interface Explained {
  readonly request: SearchRequest;
  /** Stages of the store around the search, the innermost first. */
  readonly around: readonly string[];
  /** Stages of a pipeline that follow the search. */
  readonly rest?: readonly Doc[];
}

type Explain = (collection: Collection | undefined, command: Doc) => Explained;

const EXPLAINED = new Map<string, Explain>(
  Object.entries({
    find: (collection, command) => ({
      request: searchRequest(collection, command, parseFilter(command.filter, variablesOf(command.let))),
      around: [],
    }),
    count: (collection, command) => ({
      request: searchRequest(collection, { ...command, sort: {} }, parseFilter(command.query ?? {})),
      around: ['COUNT'],
    }),
    distinct: (collection, command) => ({
      request: searchRequest(collection, { hint: command.hint }, parseFilter(command.query ?? {})),
      around: [],
    }),
    aggregate: (collection, command) => {
      const { request, isCount, rest } = plannedPipeline(collection, command);
      return { request, around: isCount ? ['COUNT'] : [], rest };
    },
    update: (collection, command) => ({
      request: searchOf(collection, statementOf(command.updates, parseUpdateStatement)),
      around: ['UPDATE'],
    }),
    delete: (collection, command) => ({
      request: searchOf(collection, statementOf(command.deletes, parseDeleteStatement)),
      around: ['DELETE'],
    }),
    findAndModify: (collection, command) => {
      const statement = parseModify(command, variablesOf(command.let));
      return { request: searchOf(collection, statement), around: [statement.update ? 'UPDATE' : 'DELETE'] };
    },
  } satisfies Record<string, Explain>),
);

/**
 * The plan that a command would be carried out by if its index were chosen now, in the form of MongoDB. The command itself is
 * not carried out, and an index that is kept for queries of its shape has no influence.
 */
export async function explain(context: Context, request: Request): Promise<Doc> {
  const { command: outer } = request;
  assertOptions('explain', outer, ['verbosity']);
  const { verbosity = 'allPlansExecution' } = outer;
  if (!VERBOSITIES.includes(String(verbosity))) throw badValue(`'verbosity' must be ${VERBOSITIES.join(', ')}`);
  const command = outer.explain;
  if (!isDoc(command)) throw new StoreError('TypeMismatch', "'explain' must be a document");
  const name = Object.keys(command)[0] ?? '';
  const explained = EXPLAINED.get(name);
  if (explained === undefined) throw notSupported(`explain of '${name}'`);
  const namespace = namespaceOf(request, command[name]);
  const collection = context.engine.find(namespace);
  const { request: wanted, around, rest = [] } = explained(collection, command);
  const found = collection ? stageOf(context, collection, wanted, around.includes('COUNT')) : { stage: 'EOF' };
  const winningPlan = around.reduce<Doc>((inputStage, stage) => ({ stage, inputStage }), found);
  const queryPlanner = { namespace, winningPlan, rejectedPlans: [] };
  const executionStats =
    verbosity === 'queryPlanner'
      ? undefined
      : await executed(context, request, { collection, search: wanted, winningPlan });
  const all = verbosity === 'allPlansExecution' ? { allPlansExecution: [] } : {};
  const explanation = { queryPlanner, ...(executionStats && { executionStats: { ...executionStats, ...all } }) };
  const answer = rest.length === 0 ? explanation : { stages: [{ $cursor: explanation }, ...rest] };
  return { explainVersion: '1', ...answer, command };
}

const VERBOSITIES = ['queryPlanner', 'executionStats', 'allPlansExecution'];

interface Execution {
  collection: Collection | undefined;
  search: SearchRequest;
  winningPlan: Doc;
}

/** Runs the search, and nothing that it is for: an update changes nothing. */
async function executed(context: Context, request: Request, execution: Execution): Promise<Doc> {
  const { collection, search: wanted, winningPlan } = execution;
  const stats: SearchStats = { examined: 0, scanned: false };
  const pace = new Pace(request);
  const started = performance.now();
  let found = 0;
  if (collection) {
    for (const batch of search(context.store, collection, wanted, stats)) {
      found += batch.length;
      await pace.breathe();
    }
  }
  return {
    executionSuccess: true,
    nReturned: new Int32(found),
    executionTimeMillis: new Int32(Math.round(performance.now() - started)),
    totalKeysExamined: new Int32(stats.scanned ? 0 : stats.examined),
    totalDocsExamined: new Int32(stats.examined),
    executionStages: { ...winningPlan, nReturned: new Int32(found) },
  };
}

function statementOf(statements: unknown, parse: (statement: Doc, variables: Doc) => WriteStatement): WriteStatement {
  const [statement, ...others]: unknown[] = Array.isArray(statements) ? (statements as unknown[]) : [];
  if (!isDoc(statement) || others.length > 0) throw badValue('explain takes a single statement of an update or delete');
  return parse(statement, variablesOf(undefined));
}

function stageOf(context: Context, collection: Collection, request: SearchRequest, isCount: boolean): Doc {
  const wanted = isCount ? { ...request, sort: [] } : request;
  const plan = planOf(context.engine, collection, wanted);
  const isInOrder = wanted.sort.length === 0 || (plan.sorted && wanted.collation === undefined);
  const found = isCount && plan.exact ? entriesOf(plan, []) : documentsOf(plan, wanted.sort);
  const ordered = isInOrder ? found : { stage: 'SORT', sortPattern: patternOf(wanted.sort), inputStage: found };
  const rest = wanted.skip > 0 ? { stage: 'SKIP', skipAmount: wanted.skip, inputStage: ordered } : ordered;
  return wanted.limit > 0 ? { stage: 'LIMIT', limitAmount: wanted.limit, inputStage: rest } : rest;
}

/** A scan of the collection gives the documents themselves; entries of an index have to be looked up. */
function documentsOf(plan: Plan, sort: SortSpec): Doc {
  const entries = entriesOf(plan, sort);
  return entries.stage === 'COLLSCAN' ? entries : { stage: 'FETCH', inputStage: entries };
}

function entriesOf(plan: Plan, sort: SortSpec): Doc {
  if (plan.type === 'union') return { stage: 'OR', inputStages: plan.branches.map((branch) => entriesOf(branch, [])) };
  const { index, used, reverse, sorted, ranges } = plan;
  const direction = reverse === index.flipped ? 'forward' : 'backward';
  if (index.primary && used === 0) return { stage: 'COLLSCAN', direction };
  const scan = {
    stage: 'IXSCAN',
    keyPattern: index.record.key,
    indexName: index.name,
    isMultiKey: index.multi.size > 0,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction,
    indexBounds: boundsOf(plan),
  };
  const isMerged = sorted && sort.length > 0 && ranges.length > 1;
  return isMerged ? { stage: 'SORT_MERGE', sortPattern: patternOf(sort), inputStages: [scan] } : scan;
}

/** How each field of the index is bounded, without the values. */
function boundsOf({ index, points, used }: IndexPlan): Doc {
  const bound = (position: number): string =>
    position < points ? '[values]' : position < used ? '[range]' : '[MinKey, MaxKey]';
  return Object.fromEntries(index.paths.map((path, position) => [path.join('.'), [bound(position)]]));
}

const patternOf = (sort: SortSpec): Doc =>
  Object.fromEntries(sort.map(({ path, direction }) => [path.join('.'), direction]));
