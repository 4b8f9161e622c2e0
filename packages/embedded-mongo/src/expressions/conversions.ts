import { Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { isDoc } from '../bson/codec.js';
import { toDecimal } from '../bson/decimal.js';
import { isNumeric, numberOf, truncated } from '../bson/numbers.js';
import { isNullish, isTrue, typeCode, typeName } from '../bson/values.js';
import { failedToParse, notSupported, StoreError } from '../errors.js';
import type { ValueFunction } from './expressions.js';

function toText(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Long || value instanceof Int32 || typeof value === 'number') return String(value);
  if (value instanceof Decimal128) return value.toString();
  if (value instanceof Double) return doubleText(value.value);
  throw notSupported(`$toString of ${typeName(value)}`);
}

function doubleText(value: number): string {
  if (Math.abs(value) >= 1e16 || (value !== 0 && Math.abs(value) < 1e-4))
    throw notSupported('$toString of a very large or very small double');
  return Object.is(value, -0) ? '-0' : String(value);
}

function toWhole(value: unknown, name: string, max: bigint, make: (number: bigint) => unknown): unknown {
  if (isNullish(value)) return null;
  if (typeof value === 'boolean') return make(value ? 1n : 0n);
  if (value instanceof Date && name === '$toLong') return make(BigInt(value.getTime()));
  if (typeof value === 'string' && !/^[+-]?\d+$/.test(value)) throw conversionFailure(name, value);
  const number =
    typeof value === 'string' ? BigInt(value.replace(/^\+/, '')) : isNumeric(value) ? wholeOf(value) : undefined;
  if (number === undefined || number > max || number < -max - 1n) throw conversionFailure(name, value);
  return make(number);
}

function wholeOf(value: unknown): bigint | undefined {
  const number = numberOf(value);
  if (number === undefined) return truncated(value as Decimal128);
  return typeof number === 'bigint' ? number : Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

const conversionFailure = (name: string, value: unknown): StoreError =>
  new StoreError('ConversionFailure', `Failed to convert ${typeName(value)} in ${name}`, {}, 241);

function toDouble(value: unknown): unknown {
  if (isNullish(value)) return null;
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value === 'boolean') return new Double(Number(value));
  if (isNumeric(value)) return new Double(Number(numberOf(value) ?? String(value)));
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
          ? new Date(Number(wholeOf(value)))
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

function decimalOrFailure(value: unknown): unknown {
  if (isNullish(value)) return null;
  const plain =
    typeof value === 'boolean' ? new Int32(Number(value)) : value instanceof Date ? new Double(value.getTime()) : value;
  const decimal = isNumeric(plain) || typeof plain === 'string' ? toDecimal(plain) : undefined;
  if (decimal === undefined) throw conversionFailure('$toDecimal', value);
  return decimal;
}

const CONVERT_FIELDS = new Set(['input', 'to', 'onError', 'onNull']);

/** By the code of the type. */
const TARGETS = new Map([
  [1, '$toDouble'],
  [2, '$toString'],
  [7, '$toObjectId'],
  [8, '$toBool'],
  [9, '$toDate'],
  [16, '$toInt'],
  [18, '$toLong'],
  [19, '$toDecimal'],
]);

function convert(argument: unknown): unknown {
  if (!isDoc(argument)) throw failedToParse('$convert only supports an object as its argument');
  const unknown = Object.keys(argument).find((name) => !CONVERT_FIELDS.has(name));
  if (unknown !== undefined) throw failedToParse(`$convert found an unknown argument: ${unknown}`);
  const { input, to } = argument;
  if (isNullish(to)) return null;
  const target = TARGETS.get(typeCode(to) ?? 0);
  if (target === undefined)
    throw new StoreError(
      'ConversionFailure',
      `$convert: 'to' must be double, string, objectId, bool, date, int, long or decimal`,
      {},
      241,
    );
  if (isNullish(input)) return argument.onNull ?? null;
  try {
    return CONVERSIONS[target]?.([input]);
  } catch (error) {
    if ('onError' in argument && error instanceof StoreError) return argument.onError;
    throw error;
  }
}

/** Conversions from one type to another. */
export const CONVERSIONS: Record<string, ValueFunction> = {
  $toString: ([value]) => toText(value),
  $toInt: ([value]) => toWhole(value, '$toInt', 2n ** 31n - 1n, (number) => new Int32(Number(number))),
  $toLong: ([value]) => toWhole(value, '$toLong', 2n ** 63n - 1n, (number) => Long.fromBigInt(number)),
  $toDouble: ([value]) => toDouble(value),
  $toBool: ([value]) => (isNullish(value) ? null : isTrue(value)),
  $toDate: ([value]) => toDate(value),
  $toObjectId: ([value]) => toObjectId(value),
  $toDecimal: ([value]) => decimalOrFailure(value),
  $convert: ([argument]) => convert(argument),
};
