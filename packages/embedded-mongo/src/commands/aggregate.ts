import { Int32 } from 'bson';
import { portions } from '../aggregate/portions.js';
import { compileStage, type Environment, type Stage } from '../aggregate/stages.js';
import { natural, parseSortStage, positive } from '../aggregate/stage-arguments.js';
import { decode, encode, isDoc, toInteger, type Doc } from '../bson/codec.js';
import { parseCollation } from '../bson/collation.js';
import { failedToParse, notSupported, StoreError } from '../errors.js';
import { compileExpression } from '../expressions/expressions.js';
import { collated, type Node } from '../query/ast.js';
import { parseFilter } from '../query/parse.js';
import type { SortSpec } from '../bson/sort.js';
import type { Candidate } from '../search/scan.js';
import type { Collection } from '../store/collection.js';
import { resolveHint, type SearchRequest } from '../search/search.js';
import { type Context, namespaceOf, Pace, type Reader, type Reply, type Request } from './context.js';
import type { Results } from './cursors.js';
import { countSteps, searchSteps, variablesOf } from './find.js';
import { assertOptions } from './options.js';
import { isWritingStage, parseTarget, type Target } from './write-stages.js';

const OPTIONS = ['pipeline', 'cursor', 'allowDiskUse', 'let', 'hint', 'bypassDocumentValidation', 'collation'];

/** One `{$stage: argument}` of a pipeline. */
interface Parsed {
  name: string;
  argument: unknown;
}

/** The beginning of a pipeline that the store itself can answer, and the stages that are left. */
interface Head {
  filter: Node;
  source: unknown;
  sort: SortSpec;
  skip: number;
  limit: number;
  rest: Parsed[];
}

export function aggregate(context: Context, request: Request): Reply | Promise<Buffer> {
  const { command } = request;
  assertOptions('aggregate', command, OPTIONS);
  const isOfCollection = typeof command.aggregate === 'string';
  const ns = isOfCollection ? namespaceOf(request, command.aggregate) : `${request.db}.$cmd.aggregate`;
  if (!isDoc(command.cursor))
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const { batchSize } = command.cursor;
  const variables = variablesOf(command.let);
  const stages = parsePipeline(command.pipeline);
  if (stages[0]?.name === '$changeStream') return watch(context, ns, stages, variables);
  const last = stages.at(-1);
  const target =
    last && isWritingStage(last.name) ? parseTarget(context, request, last.name, last.argument) : undefined;
  if (target) stages.pop();
  const documents = isOfCollection ? undefined : givenDocuments(stages.shift(), variables);
  if (parseCollation(command.collation)) assertCollatable(stages, variables);
  checkPipeline(context, ns, stages, variables, request);
  const size = batchSize === undefined || target ? undefined : toInteger(batchSize, 'batchSize');
  return context.cursors.start(ns, request, size, false, (reader) => {
    const results = documents
      ? throughStages(context, ns, stages, variables, reader, given(documents))
      : runPipeline(context, ns, stages, variables, reader, command);
    return target ? writtenTo(target(), results) : results;
  });
}

function watch(context: Context, ns: string, [first, ...rest]: Parsed[], variables: Doc): Doc {
  if (context.store !== context.engine)
    throw new StoreError('OperationNotSupportedInTransaction', '$changeStream cannot be used in a transaction');
  const stages = rest.map(({ name, argument }) => ({ [name]: argument }));
  return context.changeStreams.watch(ns, first?.argument, stages, variables);
}

/** Stages that compare no texts, or whose beginning is answered by a search. */
const WITHOUT_TEXTS = new Set(['$skip', '$limit', '$count', '$unwind', '$out', '$merge']);

/** What comes after the search would compare bytes. */
function assertCollatable(stages: readonly Parsed[], variables: Doc): void {
  const { rest } = headOf(stages, variables);
  const other = rest.find((stage, at) => !WITHOUT_TEXTS.has(stage.name) && !(at === 0 && countStage(stage)));
  if (other)
    throw notSupported(
      `${other.name} with a collation`,
      'begin the pipeline with $match and $sort, and group by a field in lower case',
    );
}

/** The documents of a pipeline that is not one of a collection. */
function givenDocuments(first: Parsed | undefined, variables: Doc): Doc[] {
  if (first?.name !== '$documents')
    throw new StoreError(
      'NotImplemented',
      'an aggregation on a database ({aggregate: 1}) must begin with $documents in the embedded store; use one on a collection',
    );
  const documents = compileExpression(first.argument)({ root: {}, variables });
  if (!Array.isArray(documents) || !documents.every(isDoc))
    throw new StoreError('Location5858203', '$documents must evaluate to an array of objects', {}, 5858203);
  return documents;
}

function* given(documents: Doc[]): Generator<Buffer[], void, undefined> {
  yield documents.map(encode);
}

/** Runs a pipeline whose results go into a collection, so that there are none to be read. */
async function* writtenTo(target: Target, results: Results): AsyncGenerator<Buffer[], void, undefined> {
  try {
    for await (const batch of results) {
      await target.write(batch.map((raw) => decode(raw)));
      yield [];
    }
    await target.finish();
  } catch (error) {
    await target.giveUp();
    throw error;
  }
}

function parsePipeline(pipeline: unknown): Parsed[] {
  if (!Array.isArray(pipeline)) throw new StoreError('TypeMismatch', "'pipeline' option must be specified as an array");
  return (pipeline as unknown[]).map((stage) => {
    if (!isDoc(stage)) throw new StoreError('TypeMismatch', 'Each element of the pipeline array must be an object');
    const names = Object.keys(stage);
    if (names.length !== 1)
      throw new StoreError(
        'Location40323',
        'A pipeline stage specification object must contain exactly one field.',
        {},
        40323,
      );
    return { name: names[0] as string, argument: stage[names[0] as string] };
  });
}

/** `$match`es, then a `$sort`, then `$skip` and `$limit` become one search, which can use an index and stop early. */
function headOf(stages: readonly Parsed[], variables: Doc): Head {
  const rest = [...stages];
  const matches: Node[] = [];
  const sources: unknown[] = [];
  while (rest[0]?.name === '$match') {
    const { argument } = rest.shift() as Parsed;
    if (!isDoc(argument))
      throw new StoreError('Location15959', 'the match filter must be an expression in an object', {}, 15959);
    matches.push(parseFilter(argument, variables));
    sources.push(argument);
  }
  const sort = rest[0]?.name === '$sort' ? parseSortStage((rest.shift() as Parsed).argument) : [];
  const skip = rest[0]?.name === '$skip' ? natural((rest.shift() as Parsed).argument, '$skip') : 0;
  const limit = rest[0]?.name === '$limit' ? positive((rest.shift() as Parsed).argument) : 0;
  return {
    filter: { type: 'and', nodes: matches },
    source: sources.length === 1 ? sources[0] : { $and: sources },
    sort,
    skip,
    limit,
    rest,
  };
}

function requestOf(
  { filter, sort, skip, limit }: Head,
  collection: Collection | undefined,
  hint: unknown,
  collationSource: unknown,
): SearchRequest {
  const index = collection && resolveHint(collection, hint);
  const collation = parseCollation(collationSource);
  const wanted = { filter: collated(filter, collation), sort, skip, limit, ...(collation && { collation }) };
  return { ...wanted, ...(index === undefined ? {} : { hint: index }) };
}

/** How a pipeline begins: with a search, whose results are only counted or go through the other stages. */
export function plannedPipeline(
  collection: Collection | undefined,
  { pipeline, let: variables, hint, collation }: Doc,
): { request: SearchRequest; isCount: boolean; rest: Doc[] } {
  const head = headOf(parsePipeline(pipeline), variablesOf(variables));
  const isCount = countStage(head.rest[0]) !== undefined;
  const rest = isCount ? head.rest.slice(1) : head.rest;
  return {
    request: requestOf(head, collection, hint, collation),
    isCount,
    rest: rest.map(({ name, argument }) => ({ [name]: argument })),
  };
}

/** Runs a pipeline over a collection and gives raw documents. */
function runPipeline(
  context: Context,
  ns: string,
  pipeline: readonly Parsed[],
  variables: Doc,
  reader: Reader,
  { hint, collation }: Pick<Doc, string> = {},
): Results {
  const head = headOf(pipeline, variables);
  const request = requestOf(head, context.store.find(ns), hint, collation);
  const counted = countStage(head.rest[0]);
  const stages = counted ? head.rest.slice(1) : head.rest;
  const direct = counted
    ? countDocuments(context, ns, request, head.source, counted)
    : rawDocuments(searchSteps(context, ns, request, head.source));
  return stages.length === 0 ? direct : throughStages(context, ns, stages, variables, reader, direct);
}

function* rawDocuments(steps: Generator<Candidate[], void, undefined>): Generator<Buffer[], void, undefined> {
  for (const batch of steps) yield batch.map(({ raw }) => raw);
}

/** The one document of a count, or none where nothing was found. */
function* countDocuments(
  context: Context,
  ns: string,
  request: SearchRequest,
  source: unknown,
  { field, id }: Counted,
): Generator<Buffer[], void, undefined> {
  const steps = countSteps(context, ns, request, source);
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) yield [];
    else {
      if (step.value > 0) yield [encode({ ...id, [field]: new Int32(step.value) })];
      return;
    }
  }
}

/** Stages see decoded documents. */
async function* throughStages(
  context: Context,
  ns: string,
  stages: Parsed[],
  variables: Doc,
  reader: Reader,
  source: Generator<Buffer[], void, undefined>,
): AsyncGenerator<Buffer[], void, undefined> {
  const pace = new Pace(reader);
  const documents = (async function* (): AsyncGenerator<Doc[], void, undefined> {
    for (const batch of source) {
      if (batch.length > 0) yield batch.map((raw) => decode(raw));
      await pace.breathe();
    }
  })();
  for await (const batch of withStages(context, ns, stages, variables, reader, documents)) yield batch.map(encode);
}

/** The field and the `_id` of the document in which a count is given. */
interface Counted {
  field: string;
  id: Doc;
}

/** `$count`, and the `$group` that drivers send for countDocuments: only a number is wanted. */
function countStage(stage: Parsed | undefined): Counted | undefined {
  if (stage?.name === '$count')
    return typeof stage.argument === 'string' && /^[^$.\0][^.\0]*$/.test(stage.argument)
      ? { field: stage.argument, id: {} }
      : undefined;
  if (stage?.name !== '$group' || !isDoc(stage.argument)) return undefined;
  const [[idName, id] = [], [field, sum] = [], ...more] = Object.entries(stage.argument);
  if (idName !== '_id' || more.length > 0 || field === undefined || !isDoc(sum)) return undefined;
  if (!(id === null || id instanceof Int32) || Object.keys(sum).join() !== '$sum') return undefined;
  return sum.$sum instanceof Int32 && sum.$sum.value === 1 ? { field, id: { _id: id } } : undefined;
}

/** Stages one after the other over a stream of documents. */
function withStages(
  context: Context,
  ns: string,
  stages: Parsed[],
  variables: Doc,
  reader: Reader,
  source: AsyncGenerator<Doc[], void, undefined>,
): AsyncGenerator<Doc[], void, undefined> {
  const pace = new Pace(reader);
  const environment: Environment = {
    variables,
    breathe: () => pace.breathe(),
    lookup: async (collection, pipeline, bindings) => {
      const documents: Doc[] = [];
      const target = `${ns.slice(0, ns.indexOf('.'))}.${collection}`;
      for await (const batch of runPipeline(context, target, parsePipeline(pipeline), bindings, reader)) {
        for (const raw of batch) documents.push(decode(raw));
        await pace.breathe();
      }
      return documents;
    },
    branch: (pipeline, documents) =>
      collect(
        withStages(
          context,
          ns,
          parsePipeline(pipeline),
          variables,
          reader,
          portions(documents, () => pace.breathe()),
        ),
      ),
  };
  const compiled: Stage[] = stages.map(({ name, argument }) => compileStage(name, argument, environment));
  return compiled.reduce((stream, stage) => stage(stream), source);
}

async function collect(source: AsyncGenerator<Doc[], void, undefined>): Promise<Doc[]> {
  const documents: Doc[] = [];
  for await (const batch of source) for (const doc of batch) documents.push(doc);
  return documents;
}

/** Compiles everything without running it, so that a wrong pipeline is refused also on an empty collection. */
function checkPipeline(
  context: Context,
  ns: string,
  pipeline: readonly Parsed[],
  variables: Doc,
  reader: Reader,
): void {
  const { rest } = headOf(pipeline, variables);
  withStages(
    context,
    ns,
    rest,
    variables,
    reader,
    portions([], () => Promise.resolve()),
  );
}
