import { isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { compareValues, isNullish } from '../bson/values.js';
import { badValue, failedToParse, StoreError } from '../errors.js';
import { parseSort, sortKey } from '../bson/sort.js';
import { summarize } from './accumulators.js';
import type { ValueFunction } from './expressions.js';

/** Functions of arrays that take an object as their argument. */

/** Values that one call may give. */
const MAX_ZIPPED = 100_000;
/** Items that one call may sort: others wait for it. */
const MAX_SORTED = 50_000;

function parameters(argument: unknown, name: string, required: string[], optional: string[] = []): Doc {
  if (!isDoc(argument)) throw failedToParse(`${name} only supports an object as its argument`);
  for (const field of Object.keys(argument))
    if (!required.includes(field) && !optional.includes(field))
      throw failedToParse(`Unrecognized argument to ${name}: ${field}`);
  for (const field of required)
    if (!(field in argument) && field !== 'input') throw failedToParse(`Missing '${field}' parameter to ${name}`);
  return argument;
}

function listOf(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value))
    throw new StoreError('Location2942504', `${name}: the input must be an array`, {}, 2942504);
  return value as unknown[];
}

function sortable(value: unknown, name: string): unknown[] {
  const items = listOf(value, name);
  if (items.length > MAX_SORTED)
    throw badValue(`${name} sorts ${MAX_SORTED} items at most; $unwind the array and use $sort`);
  return items;
}

function sortArray(argument: unknown): unknown {
  const { input, sortBy } = parameters(argument, '$sortArray', ['input', 'sortBy']);
  if (isNullish(input)) return null;
  const items = sortable(input, '$sortArray');
  if (!isDoc(sortBy)) {
    const way = isNumeric(sortBy) ? Number(numberOf(sortBy)) : 0;
    if (way !== 1 && way !== -1) throw badValue('$sortArray: sortBy must be 1, -1 or a document of fields');
    return items.toSorted((a, b) => compareValues(a, b) * way);
  }
  const spec = parseSort(sortBy);
  if (spec.length === 0) throw badValue('$sortArray: sortBy must name at least one field');
  const keyed = items.map((item) => ({ item, key: sortKey(isDoc(item) ? item : {}, spec) }));
  return keyed.sort((a, b) => a.key.compare(b.key)).map(({ item }) => item);
}

function zip(argument: unknown): unknown {
  const { inputs, useLongestLength, defaults } = parameters(
    argument,
    '$zip',
    ['inputs'],
    ['useLongestLength', 'defaults'],
  );
  if (!Array.isArray(inputs) || inputs.length === 0) throw badValue("$zip needs 'inputs', a non-empty array of arrays");
  if (inputs.some(isNullish)) return null;
  const lists = inputs.map((input) => listOf(input, '$zip'));
  if (defaults !== undefined && useLongestLength !== true)
    throw badValue("$zip: 'defaults' need 'useLongestLength': true");
  if (defaults !== undefined && (!Array.isArray(defaults) || defaults.length !== lists.length))
    throw badValue("$zip: 'defaults' must be an array with a value for each of 'inputs'");
  const lengths = lists.map(({ length }) => length);
  const length = useLongestLength === true ? Math.max(...lengths) : Math.min(...lengths);
  if (length * lists.length > MAX_ZIPPED) throw badValue(`$zip gives ${MAX_ZIPPED} values at most`);
  return Array.from({ length }, (_, at) =>
    lists.map((list, which) => (at < list.length ? list[at] : ((defaults as unknown[] | undefined)?.[which] ?? null))),
  );
}

/** The number of values that are wanted. */
export function countOf(n: unknown, name: string): number {
  const count = isNumeric(n) ? Number(numberOf(n)) : Number.NaN;
  if (!Number.isSafeInteger(count) || count <= 0)
    throw new StoreError('Location5787902', `${name}: 'n' must be a whole number greater than 0`, {}, 5787902);
  return count;
}

function some(name: string, take: (items: unknown[], n: number) => unknown[]): ValueFunction {
  return ([argument]) => {
    const { n, input } = parameters(argument, name, ['n', 'input']);
    const count = countOf(n, name);
    return take(listOf(input, name), count);
  };
}

const ordered = (items: unknown[], way: 1 | -1): unknown[] =>
  items
    .filter((item) => !isNullish(item))
    .map((item) => ({ item, key: encodeWhole([item], [way]) }))
    .sort((a, b) => a.key.compare(b.key))
    .map(({ item }) => item);

function deviation(name: '$stdDevPop' | '$stdDevSamp'): ValueFunction {
  return (args) => {
    const items = args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    return summarize(name, items);
  };
}

export const LIST_FUNCTIONS: Record<string, ValueFunction> = {
  $sortArray: ([argument]) => sortArray(argument),
  $zip: ([argument]) => zip(argument),
  $firstN: some('$firstN', (items, n) => items.slice(0, n)),
  $lastN: some('$lastN', (items, n) => items.slice(-n)),
  $minN: some('$minN', (items, n) => ordered(sortable(items, '$minN'), 1).slice(0, n)),
  $maxN: some('$maxN', (items, n) => ordered(sortable(items, '$maxN'), -1).slice(0, n)),
  $stdDevPop: deviation('$stdDevPop'),
  $stdDevSamp: deviation('$stdDevSamp'),
};
