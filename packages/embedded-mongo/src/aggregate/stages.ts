import { randomBytes } from 'node:crypto';
import { Int32, Long } from 'bson';
import { encode, isDoc, own, toInteger, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { BY_GEOHASH, BY_REGEX, failedToParse, StoreError } from '../errors.js';
import { compile } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import { addAt } from '../query/projection.js';
import { sortKey } from '../bson/sort.js';
import { MAX_SORT_BYTES, Sorter } from '../query/sorter.js';
import type { Accumulator } from '../expressions/accumulators.js';
import { groupFields } from './accumulators-of-groups.js';
import { bucketAutoStage, bucketGroup } from './buckets.js';
import { compileDocumentStage, DOCUMENT_STAGES } from './document-stages.js';
import { compileExpression, type Expression } from '../expressions/expressions.js';
import { compileGraphLookup } from './graph-lookup.js';
import { compileLookup } from './lookup.js';
import { paced, portions } from './portions.js';
import { natural, parseSortStage, positive } from './stage-arguments.js';

export type Stream = AsyncGenerator<Doc[], void, undefined>;
export type Stage = (source: Stream) => Stream;

/** What stages need of the world. */
export interface Environment {
  variables: Doc;
  breathe: () => Promise<void>;
  lookup: (collection: string, pipeline: unknown[], variables: Doc) => Promise<Doc[]>;
  branch: (pipeline: unknown, documents: Doc[]) => Promise<Doc[]>;
}

/** What to do without a stage that is often asked for. */
const INSTEAD: Record<string, string> = {
  $out: ': it must be the last stage of a pipeline of an aggregate command',
  $merge: ': it must be the last stage of a pipeline of an aggregate command',
  $documents: ': it must be the first stage of an aggregation on a database',
  $changeStream: ': it must be the first stage of a pipeline of an aggregate command',
  $setWindowFields: '; group the documents and compute the window in the program',
  $densify: '; add the missing values in the program',
  $fill: '; fill the missing values in the program',
  $redact: '; use $match and $project',
  $geoNear: `; ${BY_GEOHASH}`,
  $search: `; ${BY_REGEX}`,
  $indexStats: '; explain shows which index a query uses',
  $collStats: '; use the commands collStats and dbStats',
};

/** Compiles a stage; one that is not listed in the README is refused by name. */
export function compileStage(name: string, argument: unknown, environment: Environment): Stage {
  if (DOCUMENT_STAGES.has(name)) {
    const change = compileDocumentStage(name, argument, environment.variables);
    return mapped((doc) => [change(doc)]);
  }
  switch (name) {
    case '$match': {
      if (!isDoc(argument))
        throw new StoreError('Location15959', 'the match filter must be an expression in an object', {}, 15959);
      const test = compile(parseFilter(argument, environment.variables));
      return mapped((doc) => (test(doc) ? [doc] : []));
    }
    case '$sort':
      return sortStage(argument, environment);
    case '$skip':
      return skipStage(natural(argument, '$skip'));
    case '$limit':
      return limitStage(positive(argument));
    case '$unwind':
      return mapped(unwind(argument));
    case '$group':
      return groupStage(argument, environment);
    case '$sortByCount':
      return (source) =>
        sortStage(
          { count: -1 },
          environment,
        )(groupStage({ _id: argument, count: { $sum: new Int32(1) } }, environment)(source));
    case '$count':
      return countStage(argument);
    case '$facet':
      return facetStage(argument, environment);
    case '$sample':
      return sampleStage(argument, environment);
    case '$bucket': {
      const { group, id } = bucketGroup(argument);
      const [grouped, sort] = [groupStage(group, environment, id), sortStage({ _id: 1 }, environment)];
      return (source) => sort(grouped(source));
    }
    case '$bucketAuto':
      return bucketAutoStage(argument, environment);
    case '$graphLookup':
      return compileGraphLookup(argument, environment);
    case '$lookup':
      return compileLookup(argument, environment);
    case '$unionWith':
      return unionStage(argument, environment);
    default:
      throw new StoreError(
        'Location40324',
        `Unrecognized pipeline stage name: '${name}', or not supported by the embedded store${INSTEAD[name] ?? ''}`,
        {},
        40324,
      );
  }
}

function mapped(change: (doc: Doc) => Doc[]): Stage {
  return async function* (source) {
    for await (const batch of source) yield batch.flatMap(change);
  };
}

function sortStage(argument: unknown, { breathe }: Environment): Stage {
  const spec = parseSortStage(
    isDoc(argument) ? Object.fromEntries(Object.entries(argument).map(([path, way]) => [path, way])) : argument,
  );
  return async function* (source) {
    const sorter = new Sorter<Doc>();
    for await (const batch of source) for (const doc of batch) sorter.add(sortKey(doc, spec), doc, encode(doc).length);
    yield* paced(sorter.sorted(), breathe);
  };
}

function skipStage(count: number): Stage {
  return async function* (source) {
    let left = count;
    for await (const batch of source) {
      yield batch.slice(left);
      left = Math.max(0, left - batch.length);
    }
  };
}

function limitStage(count: number): Stage {
  return async function* (source) {
    let left = count;
    for await (const batch of source) {
      yield batch.slice(0, left);
      left -= batch.length;
      if (left <= 0) return;
    }
  };
}

function unwind(argument: unknown): (doc: Doc) => Doc[] {
  const options: Doc = isDoc(argument) ? argument : { path: argument };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = options;
  if (typeof path !== 'string' || !path.startsWith('$') || path.length < 2) {
    throw new StoreError('Location28818', "path option to $unwind stage should be prefixed with a '$'", {}, 28818);
  }
  const parts = path.slice(1).split('.');
  const keep = preserveNullAndEmptyArrays === true;
  const indexPath = typeof includeArrayIndex === 'string' ? includeArrayIndex.split('.') : undefined;
  const withIndex = (doc: Doc, index: number | null): Doc => {
    if (indexPath) addAt(doc, indexPath, index === null ? null : Long.fromNumber(index));
    return doc;
  };
  const replaced = (doc: Doc, value: unknown): Doc => {
    const out = { ...doc };
    addAt(out, parts, value);
    return out;
  };
  return (doc) => {
    const value = parts.reduce<unknown>((node, part) => (isDoc(node) ? own(node, part) : undefined), doc);
    if (Array.isArray(value) && value.length > 0)
      return value.map((item, index) => withIndex(replaced(doc, item), index));
    if (Array.isArray(value)) return keep ? [withIndex(replaced(doc, undefined), null)] : [];
    if (value === null || value === undefined) return keep ? [withIndex({ ...doc }, null)] : [];
    return [withIndex({ ...doc }, null)];
  };
}

function groupStage(argument: unknown, { variables, breathe }: Environment, idOf?: Expression): Stage {
  if (!isDoc(argument))
    throw new StoreError('Location15947', "a group's fields must be specified in an object", {}, 15947);
  if (!('_id' in argument))
    throw new StoreError('Location15955', 'a group specification must include an _id', {}, 15955);
  const id = idOf ?? compileExpression(argument._id);
  const fields = groupFields(argument);
  return async function* (source) {
    const groups = new Map<string, { id: unknown; accumulators: Accumulator[] }>();
    let held = 0;
    for await (const batch of source) {
      for (const doc of batch) {
        const scope = { root: doc, variables };
        const value = id(scope);
        const key = encodeWhole([value ?? null], [1]).toString('latin1');
        let group = groups.get(key);
        if (!group) groups.set(key, (group = { id: value ?? null, accumulators: fields.map(({ make }) => make()) }));
        for (const [at, field] of fields.entries()) (group.accumulators[at] as Accumulator).add(field.value(scope));
        held += key.length;
      }
      if (groups.size > 1_000_000 || held > MAX_SORT_BYTES * 20)
        throw new StoreError('QueryExceededMemoryLimitNoDiskUseAllowed', 'Exceeded memory limit for $group');
    }
    for await (const portion of portions([...groups.values()], breathe)) {
      yield portion.map((group) => {
        const out: Doc = { _id: group.id };
        fields.forEach(({ name }, at) => (out[name] = (group.accumulators[at] as Accumulator).result()));
        return out;
      });
    }
  };
}

/** Documents by chance: those with the smallest of random numbers, of which not many more are held at any time. */
function sampleStage(argument: unknown, { breathe }: Environment): Stage {
  const { size, ...others } = isDoc(argument) ? argument : {};
  if (size === undefined || Object.keys(others).length > 0)
    throw new StoreError('Location28745', '$sample needs an object with the field size and no other', {}, 28745);
  const count = toInteger(size, 'size of $sample');
  if (count <= 0) throw new StoreError('Location28747', 'size argument to $sample must be positive', {}, 28747);
  return async function* (source) {
    const sorter = new Sorter<Doc>(count);
    for await (const batch of source) {
      for (const doc of batch) sorter.add(randomBytes(8), doc, encode(doc).length);
      yield* paced(sorter.prune(), breathe);
    }
    yield* paced(sorter.sorted(), breathe);
  };
}

function countStage(argument: unknown): Stage {
  if (typeof argument !== 'string' || argument === '' || argument.startsWith('$') || argument.includes('.')) {
    throw new StoreError('Location40156', 'the count field must be a non-empty string without $ or dots', {}, 40156);
  }
  return async function* (source) {
    let total = 0;
    for await (const batch of source) total += batch.length;
    if (total > 0) yield [{ [argument]: new Int32(total) }];
  };
}

function unionStage(argument: unknown, { variables, lookup, breathe }: Environment): Stage {
  const {
    coll,
    pipeline = [],
    ...others
  } = typeof argument === 'string' ? { coll: argument } : isDoc(argument) ? argument : {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw failedToParse(`unknown argument to $unionWith: ${unknown}`);
  if (typeof coll !== 'string' || coll === '')
    throw failedToParse("$unionWith needs the name of a collection as 'coll'");
  if (!Array.isArray(pipeline)) throw failedToParse("'pipeline' of $unionWith must be an array");
  return async function* (source) {
    yield* source;
    yield* portions(await lookup(coll, pipeline, variables), breathe);
  };
}

function facetStage(argument: unknown, { branch }: Environment): Stage {
  if (!isDoc(argument) || Object.keys(argument).length === 0)
    throw new StoreError('Location40169', 'the $facet specification must be a non-empty object', {}, 40169);
  return async function* (source) {
    const documents: Doc[] = [];
    for await (const batch of source) documents.push(...batch);
    const out: Doc = {};
    for (const [name, pipeline] of Object.entries(argument)) out[name] = await branch(pipeline, documents);
    yield [out];
  };
}
