import { Int32 } from 'bson';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { compareValues, equalValues, isNullish, isTrue } from '../bson/values.js';
import { StoreError } from '../errors.js';
import type { ValueFunction } from './expressions.js';
import { summarize } from './accumulators.js';

function asArray(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new StoreError('TypeMismatch', `The argument to ${name} must be an array`);
  return value as unknown[];
}

function whole(value: unknown, name: string): number {
  const number = isNumeric(value) ? Number(numberOf(value)) : Number.NaN;
  if (!Number.isInteger(number)) throw new StoreError('TypeMismatch', `${name} needs a whole number`);
  return number;
}

const at = (array: unknown[], index: number): unknown => array[index < 0 ? array.length + index : index];

function unique(items: unknown[]): unknown[] {
  const out: unknown[] = [];
  for (const item of items) if (!out.some((present) => equalValues(present, item))) out.push(item);
  return out.sort(compareValues);
}

const holds = (array: unknown[], value: unknown): boolean => array.some((item) => equalValues(item, value));

function slice(args: unknown[]): unknown {
  const [array, first, count] = args;
  if (args.some(isNullish)) return null;
  const items = asArray(array, '$slice');
  if (args.length === 2) {
    const n = whole(first, '$slice');
    return n < 0 ? items.slice(n) : items.slice(0, n);
  }
  const start = whole(first, '$slice');
  const from = start < 0 ? Math.max(0, items.length + start) : start;
  const wanted = whole(count, '$slice');
  if (wanted <= 0) throw new StoreError('Location28729', 'The third argument to $slice must be positive', {}, 28729);
  return items.slice(from, from + wanted);
}

function indexOf([array, value, start = 0, end]: unknown[]): unknown {
  if (isNullish(array)) return null;
  const items = asArray(array, '$indexOfArray');
  const from = whole(start, '$indexOfArray');
  const to = end === undefined ? items.length : whole(end, '$indexOfArray');
  if (from < 0 || to < 0) throw new StoreError('Location40097', '$indexOfArray needs positions from 0 on', {}, 40097);
  return new Int32(items.findIndex((item, at) => at >= from && at < to && equalValues(item, value)));
}

/** That one call may give: others wait for it. */
const MAX_RANGE = 500_000;

function range([start, end, step = 1]: unknown[]): unknown {
  const [from, to, by] = [whole(start, '$range'), whole(end, '$range'), whole(step, '$range')];
  if (by === 0) throw new StoreError('BadValue', '$range requires a non-zero step value');
  if ((to - from) / by > MAX_RANGE) throw new StoreError('BadValue', `$range gives ${MAX_RANGE} numbers at most`);
  const out: unknown[] = [];
  for (let n = from; by > 0 ? n < to : n > to; n += by) out.push(new Int32(n));
  return out;
}

/** One array argument stands for its items, several arguments for themselves. */
const operands = (args: unknown[]): unknown[] =>
  args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args;

/** Arrays and sets; they move values without changing their types. */
export const ARRAY_FUNCTIONS: Record<string, ValueFunction> = {
  $isArray: ([value]) => Array.isArray(value),
  $size: ([value]) => new Int32(asArray(value, '$size').length),
  $arrayElemAt: ([array, index]) =>
    isNullish(array) || isNullish(index) ? null : at(asArray(array, '$arrayElemAt'), whole(index, '$arrayElemAt')),
  $first: ([array]) => (isNullish(array) ? null : asArray(array, '$first')[0]),
  $last: ([array]) => (isNullish(array) ? null : asArray(array, '$last').at(-1)),
  $in: ([value, array]) => holds(asArray(array, '$in'), value),
  $indexOfArray: indexOf,
  $concatArrays: (args) => (args.some(isNullish) ? null : args.flatMap((arg) => asArray(arg, '$concatArrays'))),
  $reverseArray: ([array]) => (isNullish(array) ? null : asArray(array, '$reverseArray').toReversed()),
  $slice: slice,
  $range: range,
  $setUnion: (args) => (args.some(isNullish) ? null : unique(args.flatMap((arg) => asArray(arg, '$setUnion')))),
  $setIntersection: (args) => {
    if (args.some(isNullish)) return null;
    const [first = [], ...others] = args.map((arg) => asArray(arg, '$setIntersection'));
    return unique(first.filter((item) => others.every((other) => holds(other, item))));
  },
  $setDifference: ([a, b]) => {
    if (isNullish(a) || isNullish(b)) return null;
    return unique(asArray(a, '$setDifference').filter((item) => !holds(asArray(b, '$setDifference'), item)));
  },
  $setIsSubset: ([a, b]) => asArray(a, '$setIsSubset').every((item) => holds(asArray(b, '$setIsSubset'), item)),
  $setEquals: (args) => {
    const [first = [], ...others] = args.map((arg) => asArray(arg, '$setEquals'));
    return others.every(
      (other) => first.every((item) => holds(other, item)) && other.every((item) => holds(first, item)),
    );
  },
  $anyElementTrue: ([array]) => asArray(array, '$anyElementTrue').some(isTrue),
  $allElementsTrue: ([array]) => asArray(array, '$allElementsTrue').every(isTrue),
  $sum: (args) => summarize('$sum', operands(args)),
  $avg: (args) => summarize('$avg', operands(args)),
  $min: (args) => summarize('$min', operands(args)),
  $max: (args) => summarize('$max', operands(args)),
};
