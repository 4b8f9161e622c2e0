import { Double, Int32, Long } from 'bson';
import { isDoc, own, setOwn, type Doc } from '../bson/codec.js';
import { arithmetic, isNumeric, numberOf } from '../bson/numbers.js';
import { compareValues, isNullish, isTrue, typeName } from '../bson/values.js';
import { badValue, notSupported, StoreError } from '../errors.js';
import type { ValueFunction } from './expressions.js';

type Table = Record<string, ValueFunction>;

function total(args: unknown[], operator: 'add' | 'multiply'): unknown {
  if (args.some(isNullish)) return null;
  const date = args.find((arg) => arg instanceof Date);
  if (date && operator === 'add') {
    const rest = args.filter((arg) => arg !== date);
    if (!rest.every(isNumeric)) throw typeError('$add only supports numeric or date types, and only one date');
    return new Date(date.getTime() + rest.reduce<number>((sum, arg) => sum + Number(numberOf(arg)), 0));
  }
  if (!args.every(isNumeric)) throw typeError(`$${operator} only supports numeric types`);
  return args.reduce((sum, arg) => arithmetic(operator, sum, arg), new Int32(operator === 'add' ? 0 : 1));
}

const typeError = (message: string): StoreError => new StoreError('TypeMismatch', message);

function subtract([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return new Date(a.getTime() - Number(numberOf(b)));
  if (!isNumeric(a) || !isNumeric(b)) throw typeError('$subtract only supports numeric or date types');
  return arithmetic('add', a, arithmetic('multiply', b, new Int32(-1)));
}

function fieldName(value: unknown, name: string): string {
  if (typeof value !== 'string') throw badValue(`${name} requires 'field' to evaluate to a string`);
  return value;
}

/** `$setField`, `$unsetField`: names are taken literally, dots and dollars included. */
function withField(argument: unknown, name: string): unknown {
  if (!isDoc(argument)) throw badValue(`${name} only supports an object as its argument`);
  const input = argument.input;
  if (isNullish(input)) return null;
  if (!isDoc(input)) throw badValue(`${name} requires 'input' to evaluate to an object`);
  const out: Doc = { ...input };
  const field = fieldName(argument.field, name);
  if (name === '$unsetField' || argument.value === undefined) delete out[field];
  else setOwn(out, field, argument.value);
  return out;
}

function getField(argument: unknown): unknown {
  if (!isDoc(argument)) throw notSupported('$getField without field and input');
  return isDoc(argument.input)
    ? own(argument.input, fieldName(argument.field, '$getField'))
    : isNullish(argument.input)
      ? null
      : undefined;
}

function nameAndValue(pair: unknown): [string, unknown] {
  const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : isDoc(pair) ? [own(pair, 'k'), own(pair, 'v')] : [];
  if (typeof name !== 'string') throw typeError('$arrayToObject needs pairs of a name and a value');
  return [name, value];
}

/** Comparison, logic, arithmetic with typed results, and documents. */
export const VALUE_FUNCTIONS: Table = {
  $eq: ([a, b]) => compareValues(a, b) === 0,
  $ne: ([a, b]) => compareValues(a, b) !== 0,
  $lt: ([a, b]) => compareValues(a, b) < 0,
  $lte: ([a, b]) => compareValues(a, b) <= 0,
  $gt: ([a, b]) => compareValues(a, b) > 0,
  $gte: ([a, b]) => compareValues(a, b) >= 0,
  $cmp: ([a, b]) => new Int32(Math.sign(compareValues(a, b))),
  $not: ([value]) => !isTrue(value),
  $type: ([value]) => typeName(value),
  $rand: () => new Double(Math.random()),
  $isNumber: ([value]) => isNumeric(value),
  $add: (args) => total(args, 'add'),
  $multiply: (args) => total(args, 'multiply'),
  $subtract: subtract,
  $setField: ([argument]) => withField(argument, '$setField'),
  $unsetField: ([argument]) => withField(argument, '$unsetField'),
  $getField: ([argument]) => getField(argument),
  $mergeObjects: (args) => {
    const documents = (args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args).filter(
      (arg) => !isNullish(arg),
    );
    if (!documents.every(isDoc)) throw typeError('$mergeObjects requires object inputs');
    return Object.assign({}, ...documents) as Doc;
  },
  $objectToArray: ([value]) => {
    if (isNullish(value)) return null;
    if (!isDoc(value)) throw typeError('$objectToArray requires a document input');
    return Object.entries(value).map(([k, v]) => ({ k, v }));
  },
  $arrayToObject: ([value]) => {
    if (isNullish(value)) return null;
    if (!Array.isArray(value)) throw typeError('$arrayToObject requires an array input');
    return Object.fromEntries(value.map(nameAndValue));
  },
};
