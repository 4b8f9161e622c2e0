import { isDeepStrictEqual } from 'node:util';
import type { ConditionOperator } from './condition.types.js';

/** A full or date-only ISO 8601 date; a bare year or a number is no date. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

type Scalar = string | number | bigint | boolean | null;

/**
 * Compares a value with what a condition expects.
 *
 * - The expected text is first cast to the actual value's type: to a number, to a boolean (only `"true"` is true), or to
 *   a date where the actual value is one. A missing actual value equals nothing but `null`.
 * - `LARGER`, `SMALLER` and their `_EQUAL` forms compare numbers, dates (ISO 8601), and other texts by code point. Two
 *   texts that both are numbers compare as numbers.
 * - `BETWEEN` takes two bounds, both included, as a list or as text with a comma.
 * - `IN` is true when the actual list or text contains the expected value, or when the expected list (also as text with
 *   commas) contains the actual value; between two lists one common member is enough. `ANY_IN` is true when the actual
 *   list contains any of the expected values, `ALL_IN` when it contains all of them, and at least one is expected.
 * - `LIKE` looks for a text within the actual one, whatever the case; with `%` or `*`, which stand for any characters,
 *   the whole text has to match.
 * - `IS_DEFINED` is true for anything but a missing value or `null`.
 * - Every `NOT_` operator is the opposite of its positive form, also for missing values.
 */
export function compare(operator: ConditionOperator, actual: unknown, expected: unknown): boolean {
  switch (operator) {
    case 'EQUAL':
      return isEqual(actual, expected);
    case 'NOT_EQUAL':
      return !isEqual(actual, expected);
    case 'LARGER':
      return ordered(actual, expected, (order) => order > 0);
    case 'LARGER_EQUAL':
      return ordered(actual, expected, (order) => order >= 0);
    case 'SMALLER':
      return ordered(actual, expected, (order) => order < 0);
    case 'SMALLER_EQUAL':
      return ordered(actual, expected, (order) => order <= 0);
    case 'BETWEEN':
      return isBetween(actual, expected);
    case 'NOT_BETWEEN':
      return !isBetween(actual, expected);
    case 'IN':
      return isIn(actual, expected);
    case 'NOT_IN':
      return !isIn(actual, expected);
    case 'ANY_IN':
      return listOf(expected).some((item) => containsMember(listOf(actual), item));
    case 'ALL_IN':
      return listOf(expected).length > 0 && listOf(expected).every((item) => containsMember(listOf(actual), item));
    case 'LIKE':
      return isLike(actual, expected);
    case 'NOT_LIKE':
      return !isLike(actual, expected);
    case 'IS_DEFINED':
      return isPresent(actual);
  }
}

function isEqual(actual: unknown, expected: unknown): boolean {
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

/** Negative, zero or positive as the actual value is smaller, equal or larger; nothing where they do not compare. */
function orderOf(actual: unknown, expected: unknown): number | undefined {
  if (!isPresent(actual) || !isPresent(expected)) return undefined;
  const dates = datesOf(actual, expected);
  if (dates) return dates[0] - dates[1];
  if (typeof actual === 'number' || typeof actual === 'bigint') return numericOrder(Number(actual), toNumber(expected));
  if (typeof actual !== 'string' || !isScalar(expected)) return undefined;
  const text = String(expected);
  if (NUMBER.test(actual.trim()) && NUMBER.test(text.trim())) return numericOrder(Number(actual), Number(text));
  return actual < text ? -1 : actual > text ? 1 : 0;
}

function numericOrder(actual: number, expected: number): number | undefined {
  return Number.isNaN(expected) || Number.isNaN(actual)
    ? undefined
    : actual < expected
      ? -1
      : actual > expected
        ? 1
        : 0;
}

function ordered(actual: unknown, expected: unknown, accept: (order: number) => boolean): boolean {
  const order = orderOf(actual, expected);
  return order !== undefined && accept(order);
}

function isBetween(actual: unknown, expected: unknown): boolean {
  const bounds = listOf(expected);
  if (bounds.length !== 2) return false;
  return ordered(actual, bounds[0], (order) => order >= 0) && ordered(actual, bounds[1], (order) => order <= 0);
}

function isIn(actual: unknown, expected: unknown): boolean {
  if (!isPresent(actual) || !isPresent(expected)) return false;
  if (Array.isArray(actual)) {
    return containsMember(actual, expected) || listOf(expected).some((item) => containsMember(actual, item));
  }
  if (typeof actual === 'string' && isScalar(expected) && actual.includes(String(expected))) return true;
  return listOf(expected).some((item) => isEqual(actual, item));
}

function containsMember(list: readonly unknown[], item: unknown): boolean {
  return list.some((member) => isEqual(member, item));
}

/** A list as it is, text at its commas, anything else as a list of one; nothing for a missing value or empty text. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value.trim() === '' ? [] : value.split(',').map((part) => part.trim());
  return isPresent(value) ? [value] : [];
}

function isLike(actual: unknown, expected: unknown): boolean {
  if (!isScalar(actual) || !isScalar(expected) || actual === null || expected === null) return false;
  const text = String(actual).toLowerCase();
  const pattern = String(expected).toLowerCase();
  return /[%*]/.test(pattern) ? matchesWildcards(text, pattern.split(/[%*]+/)) : text.includes(pattern);
}

/** Matches without a regular expression, so that no pattern can take more than quadratic time. */
function matchesWildcards(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  const last = parts[parts.length - 1] ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return position <= text.length - last.length;
}

/** Both as milliseconds, where the actual value is a date and the expected one can be read as a date. */
function datesOf(actual: unknown, expected: unknown): [number, number] | undefined {
  const left = dateOf(actual);
  const right = left === undefined ? undefined : dateOf(expected);
  return left === undefined || right === undefined ? undefined : [left, right];
}

function dateOf(value: unknown): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIso(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** ISO dates without an offset are read as UTC, so that the result does not depend on the machine. */
function parseIso(text: string): number {
  const match = ISO_DATE.exec(text);
  if (!match) return Number.NaN;
  const hasTime = match[1] !== undefined;
  const hasOffset = match[4] !== undefined;
  return Date.parse(hasTime && !hasOffset ? `${text}Z` : text);
}

function toNumber(value: unknown): number {
  if (typeof value === 'string') return NUMBER.test(value.trim()) ? Number(value) : Number.NaN;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

function bigintOf(value: unknown): unknown {
  const number = toNumber(value);
  return Number.isInteger(number) ? BigInt(number) : value;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
