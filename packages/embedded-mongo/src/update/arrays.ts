import { BSONRegExp } from 'bson';
import { isDoc, toInteger } from '../bson/codec.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { compareValues, equalValues } from '../bson/values.js';
import { encodeWhole } from '../bson/keys.js';
import { badValue, failedToParse } from '../errors.js';
import { compile } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import { valueAtPath } from '../bson/paths.js';

/** What an array operator makes of the present value of its field: a new value, or undefined to leave the field alone. */
export type ArrayOperator = (current: unknown, argument: unknown, path: string) => unknown;

function arrayOf(current: unknown, path: string, operator: string): unknown[] {
  if (current === undefined) return [];
  if (!Array.isArray(current))
    throw badValue(`The field '${path}' must be an array but is of another type; ${operator} needs an array`);
  return current as unknown[];
}

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$sort', '$position']);

function push(current: unknown, argument: unknown, path: string): unknown {
  const array = arrayOf(current, path, '$push');
  if (!isDoc(argument) || !('$each' in argument)) return [...array, argument];
  for (const name of Object.keys(argument)) {
    if (!PUSH_MODIFIERS.has(name)) throw badValue(`Unrecognized clause in $push: ${name}`);
  }
  const { $each, $slice, $sort, $position } = argument;
  if (!Array.isArray($each)) throw badValue('The argument to $each in $push must be an array');
  let result = [...array];
  if ($position === undefined) result.push(...($each as unknown[]));
  else result.splice(toInteger($position, '$position'), 0, ...($each as unknown[]));
  if ($sort !== undefined) result = sorted(result, $sort);
  if ($slice !== undefined) {
    const slice = toInteger($slice, '$slice');
    result = slice < 0 ? result.slice(slice) : result.slice(0, slice);
  }
  return result;
}

function direction(value: unknown): number {
  const number = isNumeric(value) ? Number(numberOf(value)) : 0;
  if (number !== 1 && number !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return number;
}

function sorted(items: unknown[], spec: unknown): unknown[] {
  if (!isDoc(spec)) {
    const way = direction(spec);
    return items.toSorted((a, b) => way * compareValues(a, b));
  }
  const fields = Object.entries(spec).map(([path, value]) => ({ parts: path.split('.'), way: direction(value) }));
  if (fields.length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
  const keyed = items.map((item) => {
    const values = fields.map(({ parts }) => (isDoc(item) ? (valueAtPath(item, parts) ?? null) : null));
    return {
      item,
      key: encodeWhole(
        values,
        fields.map(({ way }) => way),
      ),
    };
  });
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ item }) => item);
}

function addToSet(current: unknown, argument: unknown, path: string): unknown {
  const array = arrayOf(current, path, '$addToSet');
  let additions = [argument];
  if (isDoc(argument) && '$each' in argument) {
    if (!Array.isArray(argument.$each)) throw badValue('The argument to $each in $addToSet must be an array');
    if (Object.keys(argument).length > 1) throw badValue('Found unexpected fields after $each in $addToSet');
    additions = argument.$each as unknown[];
  }
  const result = [...array];
  for (const item of additions) if (!result.some((present) => equalValues(present, item))) result.push(item);
  return result.length === array.length && current !== undefined ? undefined : result;
}

function pull(current: unknown, argument: unknown, path: string): unknown {
  if (current === undefined) return undefined;
  const array = arrayOf(current, path, '$pull');
  const test = pullTest(argument);
  const kept = array.filter((item) => !test(item));
  return kept.length === array.length ? undefined : kept;
}

/** `$pull` takes a value, conditions on the element itself, or a filter for elements that are documents. */
function pullTest(argument: unknown): (item: unknown) => boolean {
  if (isDoc(argument) && !(Object.keys(argument)[0] ?? '').startsWith('$')) {
    const test = compile(parseFilter(argument));
    return (item) => isDoc(item) && test(item);
  }
  if (!isDoc(argument) && !(argument instanceof BSONRegExp)) return (item) => equalValues(item, argument);
  const test = compile(parseFilter({ '': argument }));
  return (item) => test({ '': item });
}

function pullAll(current: unknown, argument: unknown, path: string): unknown {
  if (!Array.isArray(argument)) throw badValue('$pullAll requires an array argument');
  if (current === undefined) return undefined;
  const array = arrayOf(current, path, '$pullAll');
  const kept = array.filter((item) => !(argument as unknown[]).some((value) => equalValues(value, item)));
  return kept.length === array.length ? undefined : kept;
}

function pop(current: unknown, argument: unknown, path: string): unknown {
  const way = isNumeric(argument) ? Number(numberOf(argument)) : 0;
  if (way !== 1 && way !== -1) throw failedToParse('$pop expects 1 or -1');
  if (current === undefined) return undefined;
  const array = arrayOf(current, path, '$pop');
  if (array.length === 0) return undefined;
  return way === 1 ? array.slice(0, -1) : array.slice(1);
}

export const ARRAY_OPERATORS: Record<string, ArrayOperator> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};

/** Field documents of an update (`{$set: {...}}`) are checked here so that every operator gets the same errors. */
export function fieldsOfOperator(operator: string, argument: unknown): [string, unknown][] {
  if (!isDoc(argument)) {
    throw badValue(
      `Modifiers operate on fields but we found another type instead. For example: {$mod: {<field>: ...}} not {${operator}: ...}`,
    );
  }
  return Object.entries(argument);
}
