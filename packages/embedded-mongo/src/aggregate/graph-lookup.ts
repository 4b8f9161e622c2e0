import { Long } from 'bson';
import { encode, isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { valuesAtPath } from '../bson/paths.js';
import { failedToParse, StoreError } from '../errors.js';
import { compileExpression } from '../expressions/expressions.js';
import { countOf } from '../expressions/list-functions.js';
import { parseFilter } from '../query/parse.js';
import { addAt } from '../query/projection.js';
import { MAX_SORT_BYTES } from '../query/sorter.js';
import type { Environment, Stage } from './stages.js';

const REQUIRED = ['from', 'startWith', 'connectFromField', 'connectToField', 'as'];
const OPTIONAL = ['maxDepth', 'depthField', 'restrictSearchWithMatch'];
/** Values that are looked for at once. */
const STEP = 1000;

interface Search {
  from: string;
  connectFrom: string[];
  connectTo: string;
  maxDepth: number;
  depthField: string[] | undefined;
  restriction: Doc;
}

/** `$graphLookup`: what can be reached from a document, one step of the graph after the other. */
export function compileGraphLookup(argument: unknown, environment: Environment): Stage {
  const { variables } = environment;
  if (!isDoc(argument)) throw failedToParse('the $graphLookup stage specification must be an object');
  const unknown = Object.keys(argument).find((name) => !REQUIRED.includes(name) && !OPTIONAL.includes(name));
  if (unknown !== undefined) throw failedToParse(`Unknown argument to $graphLookup: ${unknown}`);
  for (const name of REQUIRED) {
    if (name === 'startWith' ? !(name in argument) : typeof argument[name] !== 'string')
      throw failedToParse(`$graphLookup needs '${name}'`);
  }
  const { restrictSearchWithMatch: restriction = {}, maxDepth, depthField } = argument;
  if (depthField !== undefined && typeof depthField !== 'string')
    throw failedToParse("'depthField' of $graphLookup must be a string");
  if (!isDoc(restriction)) throw failedToParse("'restrictSearchWithMatch' of $graphLookup must be an object");
  parseFilter(restriction, variables);
  const search: Search = {
    from: argument.from as string,
    connectFrom: (argument.connectFromField as string).split('.'),
    connectTo: argument.connectToField as string,
    maxDepth: maxDepth === undefined ? Number.POSITIVE_INFINITY : depthOf(maxDepth),
    depthField: typeof depthField === 'string' ? depthField.split('.') : undefined,
    restriction,
  };
  const start = compileExpression(argument.startWith);
  const as = (argument.as as string).split('.');
  return async function* (source) {
    for await (const batch of source) {
      const joined: Doc[] = [];
      for (const doc of batch) {
        const first = start({ root: doc, variables });
        const out = { ...doc };
        addAt(out, as, await reached(Array.isArray(first) ? (first as unknown[]) : [first], search, environment));
        joined.push(out);
      }
      yield joined;
    }
  };
}

/** One more than the depth, which may be 0, is a count. */
const depthOf = (value: unknown): number =>
  countOf(compileExpression({ $add: [value, 1] })({ root: {}, variables: {} }), "'maxDepth' of $graphLookup") - 1;

async function reached(start: unknown[], search: Search, { variables, lookup, breathe }: Environment): Promise<Doc[]> {
  const found = new Map<string, Doc>();
  const asked = new Set<string>();
  let bytes = 0;
  let frontier: unknown[] = start.filter((value) => value !== undefined && isNew(asked, value));
  for (let depth = 0; frontier.length > 0 && depth <= search.maxDepth; depth++) {
    const wanted = frontier;
    frontier = [];
    for (let at = 0; at < wanted.length; at += STEP) {
      const match = { $and: [{ [search.connectTo]: { $in: wanted.slice(at, at + STEP) } }, search.restriction] };
      for (const doc of await lookup(search.from, [{ $match: match }], variables)) {
        const key = encodeWhole([doc._id], [1]).toString('latin1');
        if (found.has(key)) continue;
        bytes += encode(doc).length;
        if (bytes > MAX_SORT_BYTES)
          throw new StoreError('Location40099', '$graphLookup reached more than 100 MB; limit its depth', {}, 40099);
        for (const value of valuesAtPath(doc, search.connectFrom)) if (isNew(asked, value)) frontier.push(value);
        if (search.depthField) addAt(doc, search.depthField, Long.fromNumber(depth));
        found.set(key, doc);
        await breathe();
      }
    }
  }
  return [...found.values()];
}

function isNew(asked: Set<string>, value: unknown): boolean {
  const key = encodeWhole([value], [1]).toString('latin1');
  return !asked.has(key) && asked.add(key) !== undefined;
}
