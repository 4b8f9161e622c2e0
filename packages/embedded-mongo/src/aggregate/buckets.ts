import { Int32 } from 'bson';
import { encode, isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { compareValues, kindOf } from '../bson/values.js';
import { failedToParse, StoreError } from '../errors.js';
import { compileExpression, type Expression } from '../expressions/expressions.js';
import { countOf } from '../expressions/list-functions.js';
import { Sorter } from '../query/sorter.js';
import { groupFields } from './accumulators-of-groups.js';
import { portions } from './portions.js';
import type { Environment, Stage } from './stages.js';

const COUNTED: Doc = { count: { $sum: new Int32(1) } };

function specification(name: string, argument: unknown, known: readonly string[]): Doc {
  if (!isDoc(argument)) throw failedToParse(`Argument to ${name} stage must be an object`);
  const unknown = Object.keys(argument).find((field) => !known.includes(field));
  if (unknown !== undefined) throw failedToParse(`Unrecognized option to ${name}: ${unknown}`);
  if (!('groupBy' in argument)) throw failedToParse(`${name} requires 'groupBy'`);
  if (argument.output !== undefined && !isDoc(argument.output))
    throw failedToParse(`The ${name} 'output' field must be an object`);
  return argument;
}

/** The `$group` that a `$bucket` is, with its `_id`; it is followed by a sort by `_id`. */
export function bucketGroup(argument: unknown): { group: Doc; id: Expression } {
  const spec = specification('$bucket', argument, ['groupBy', 'boundaries', 'default', 'output']);
  const { groupBy, boundaries, output = COUNTED } = spec;
  if (!Array.isArray(boundaries) || boundaries.length < 2)
    throw failedToParse("$bucket needs 'boundaries', an array of at least 2 values");
  const bounds: unknown[] = boundaries.map((bound: unknown) => compileExpression(bound)({ root: {}, variables: {} }));
  for (let at = 1; at < bounds.length; at++) {
    if (kindOf(bounds[at - 1]) !== kindOf(bounds[at]) || compareValues(bounds[at - 1], bounds[at]) >= 0)
      throw failedToParse("The 'boundaries' of $bucket must be of one type and in ascending order");
  }
  const inside = (value: unknown): boolean =>
    compareValues(value, bounds[0]) >= 0 && compareValues(value, bounds.at(-1)) < 0;
  if ('default' in spec && inside(spec.default))
    throw failedToParse("The 'default' of $bucket must lie outside of its boundaries");
  const value = compileExpression(groupBy);
  const id: Expression = (scope) => {
    const found = value(scope) ?? null;
    if (inside(found)) return bounds[placeAmong(bounds, found)];
    if ('default' in spec) return spec.default;
    throw new StoreError(
      'Location40066',
      "$bucket found a value outside of its boundaries, and has no 'default' for it",
      {},
      40066,
    );
  };
  return { group: { _id: null, ...(output as Doc) }, id };
}

/** The last of some ascending values that is not greater. */
function placeAmong(values: readonly unknown[], value: unknown): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (compareValues(values[middle], value) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** `$bucketAuto`: as many groups of about the same size. Documents with one value are in one of them. */
export function bucketAutoStage(argument: unknown, { variables, breathe }: Environment): Stage {
  const spec = specification('$bucketAuto', argument, ['groupBy', 'buckets', 'output', 'granularity']);
  if (spec.granularity !== undefined)
    throw new StoreError(
      'NotImplemented',
      "the 'granularity' of $bucketAuto is not supported by the embedded store; round the values of 'groupBy'",
    );
  const buckets = countOf(spec.buckets, '$bucketAuto');
  const groupBy = compileExpression(spec.groupBy);
  const fields = groupFields((spec.output as Doc | undefined) ?? COUNTED);
  return async function* (source) {
    const sorter = new Sorter<{ doc: Doc; value: unknown; key: string }>();
    let total = 0;
    for await (const batch of source) {
      for (const doc of batch) {
        const value = groupBy({ root: doc, variables }) ?? null;
        const key = encodeWhole([value], [1]);
        sorter.add(key, { doc, value, key: key.toString('latin1') }, encode(doc).length);
        total++;
      }
    }
    const size = total / buckets;
    const out: Doc[] = [];
    let bucket: { min: unknown; last: unknown; lastKey: string; accumulators: ReturnType<typeof made> } | undefined;
    const made = (): ReturnType<(typeof fields)[number]['make']>[] => fields.map(({ make }) => make());
    const close = (next?: unknown): void => {
      if (!bucket) return;
      const { min, last, accumulators } = bucket;
      const shown: Doc = { _id: { min, max: next ?? last } };
      fields.forEach(({ name }, at) => (shown[name] = accumulators[at]?.result()));
      out.push(shown);
      bucket = undefined;
    };
    let seen = 0;
    for (const batch of sorter.sorted()) {
      for (const { doc, value, key } of batch) {
        const isFull = seen >= Math.round(size * (out.length + 1)) && out.length + 1 < buckets;
        if (bucket && isFull && bucket.lastKey !== key) close(value);
        bucket ??= { min: value, last: value, lastKey: key, accumulators: made() };
        [bucket.last, bucket.lastKey] = [value, key];
        for (const [at, field] of fields.entries()) bucket.accumulators[at]?.add(field.value({ root: doc, variables }));
        seen++;
      }
      await breathe();
    }
    close();
    yield* portions(out, breathe);
  };
}
