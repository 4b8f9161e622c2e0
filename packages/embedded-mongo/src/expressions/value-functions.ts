import { Decimal128, Double, Int32, Long, ObjectId } from 'bson';
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

function toText(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Long || value instanceof Int32 || typeof value === 'number') return String(value);
  if (value instanceof Double) return doubleText(value.value);
  throw notSupported(`$toString of ${typeName(value)}`);
}

function doubleText(value: number): string {
  if (Math.abs(value) >= 1e16 || (value !== 0 && Math.abs(value) < 1e-4))
    throw notSupported('$toString of a very large or very small double');
  return Object.is(value, -0) ? '-0' : String(value);
}

function toWhole(value: unknown, name: string, max: number, make: (number: bigint) => unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'boolean') return make(value ? 1n : 0n);
  if (value instanceof Date && name === '$toLong') return make(BigInt(value.getTime()));
  if (value instanceof Decimal128) throw notSupported(`${name} of a decimal`);
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw conversionFailure(name, value);
  const number =
    typeof value === 'string'
      ? BigInt(value.replace(/^\+/, ''))
      : isNumeric(value)
        ? wholeOf(numberOf(value) as number | bigint)
        : undefined;
  if (number === undefined || number > BigInt(max) || number < -BigInt(max) - 1n) throw conversionFailure(name, value);
  return make(number);
}

const wholeOf = (number: number | bigint): bigint | undefined =>
  typeof number === 'bigint' ? number : Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;

const conversionFailure = (name: string, value: unknown): StoreError =>
  new StoreError('ConversionFailure', `Failed to convert ${typeName(value)} in ${name}`, {}, 241);

function toDouble(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'boolean') return new Double(Number(value));
  if (isNumeric(value) && !(value instanceof Decimal128)) return new Double(Number(numberOf(value)));
  if (typeof value !== 'string' || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value))
    throw conversionFailure('$toDouble', value);
  return new Double(Number(value));
}

function toDate(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  const date =
    typeof value === 'string'
      ? isoDate(value)
      : value instanceof Int32
        ? undefined
        : isNumeric(value)
          ? new Date(Number(numberOf(value)))
          : undefined;
  if (!date || Number.isNaN(date.getTime())) throw conversionFailure('$toDate', value);
  return date;
}

function isoDate(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) || text.length === 10 ? text : `${text}Z`;
  return new Date(zoned.replace(' ', 'T'));
}

function toObjectId(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string' || !/^[0-9a-f]{24}$/i.test(value)) throw conversionFailure('$toObjectId', value);
  return ObjectId.createFromHexString(value);
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

/** Comparison, logic, arithmetic with typed results, conversions and documents. */
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
  $toString: ([value]) => toText(value),
  $toInt: ([value]) => toWhole(value, '$toInt', 2 ** 31 - 1, (number) => new Int32(Number(number))),
  $toLong: ([value]) => toWhole(value, '$toLong', Number.MAX_SAFE_INTEGER, (number) => Long.fromBigInt(number)),
  $toDouble: ([value]) => toDouble(value),
  $toBool: ([value]) => (isNullish(value) ? null : isTrue(value)),
  $toDate: ([value]) => toDate(value),
  $toObjectId: ([value]) => toObjectId(value),
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
