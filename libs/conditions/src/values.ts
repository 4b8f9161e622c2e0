import { isDeepStrictEqual } from 'node:util';

/** A full or date-only ISO 8601 date. A bare year is no date. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Longer texts are neither numbers nor dates. */
const MAX_LITERAL = 1_000;

export type Scalar = string | number | bigint | boolean | null;

/** Casts the expected value to the type of the actual one. Dates are equal if they mean the same moment. */
export function isEqual(actual: unknown, expected: unknown): boolean {
  const dates = datesOf(actual, expected);
  if (dates) return dates[0] === dates[1];
  return isDeepStrictEqual(actual, castTo(actual, expected));
}

function castTo(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) || !isPresent(expected)) return expected;
  switch (typeof actual) {
    case 'number':
      return toNumber(expected);
    case 'bigint':
      return typeof expected === 'bigint' ? expected : bigintOf(expected);
    case 'string':
      return isScalar(expected) ? String(expected) : expected;
    case 'boolean':
      return expected === true || expected === 'true';
    default:
      return expected;
  }
}

/** Milliseconds; undefined unless the actual value is a date and the expected one can be read as a date. */
export function datesOf(actual: unknown, expected: unknown): [number, number] | undefined {
  const left = dateOf(actual);
  const right = left === undefined ? undefined : dateOf(expected);
  return left === undefined || right === undefined ? undefined : [left, right];
}

export function dateOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIso(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Dates without an offset are UTC, whatever the machine's zone. */
function parseIso(text: string): number {
  const match = text.length > MAX_LITERAL ? null : ISO_DATE.exec(text);
  if (!match) return Number.NaN;
  const hasTime = match[1] !== undefined;
  const hasOffset = match[4] !== undefined;
  return Date.parse(hasTime && !hasOffset ? `${text}Z` : text);
}

export function toNumber(value: unknown): number {
  if (typeof value === 'string') return isNumeric(value) ? Number(value) : Number.NaN;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

function bigintOf(value: unknown): unknown {
  const number = toNumber(value);
  return Number.isInteger(number) ? BigInt(number) : value;
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function isNumeric(text: string): boolean {
  return text.length <= MAX_LITERAL && NUMBER.test(text.trim());
}

/** For people: `1,000`. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Whether a text is known only after rendering, in any language of templates. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && /\{[{%]/.test(value);
}
