import { OPERATORS, synchronous } from '#libs/plugins';
import { ConditionBudgetError, ConditionOperatorError } from './condition.errors.js';
import type { ConditionOperator } from './condition.schema.js';
import { listOf, Members } from './members.js';
import { count, datesOf, isEqual, isNumeric, isPresent, isScalar, toNumber } from './values.js';

/** Longer texts are not searched. */
const MAX_SEARCHED_TEXT = 1_000_000;
/** Longer texts are not searched for. */
const MAX_PATTERN = 10_000;

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
 * - Operators of plugins decide for themselves.
 * - Every `NOT_` operator is the opposite of its positive form, also for missing values.
 *
 * @throws {ConditionBudgetError} for texts and lists that take too long to compare
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
      return containsAny(actual, listOf(expected));
    case 'ALL_IN':
      return containsAll(actual, listOf(expected));
    case 'LIKE':
      return isLike(actual, expected);
    case 'NOT_LIKE':
      return !isLike(actual, expected);
    case 'IS_DEFINED':
      return isPresent(actual);
    default:
      return passesPlugin(operator, actual, expected);
  }
}

/** @throws {ConditionOperatorError} */
function passesPlugin(operator: string, actual: unknown, expected: unknown): boolean {
  const passes = OPERATORS.get(operator);
  // Conditions that were stored before the plugin was removed must not pass or fail silently.
  if (passes === undefined) throw new ConditionOperatorError(operator, 'no loaded plugin has it');
  try {
    return Boolean(synchronous(passes(actual, expected)));
  } catch (error) {
    throw new ConditionOperatorError(operator, error instanceof Error ? error.message : String(error));
  }
}

/** Negative, zero or positive if the actual value is smaller, equal or larger; undefined if they have no order. */
function orderOf(actual: unknown, expected: unknown): number | undefined {
  if (!isPresent(actual) || !isPresent(expected)) return undefined;
  const dates = datesOf(actual, expected);
  if (dates) return dates[0] - dates[1];
  if (typeof actual === 'number' || typeof actual === 'bigint') return numericOrder(Number(actual), toNumber(expected));
  if (typeof actual !== 'string' || !isScalar(expected)) return undefined;
  const text = String(expected);
  if (isNumeric(actual) && isNumeric(text)) return numericOrder(Number(actual), Number(text));
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
    const members = new Members(listOf(actual));
    return members.has(expected) || listOf(expected).some((item) => members.has(item));
  }
  if (typeof actual === 'string' && isScalar(expected) && includes(actual, String(expected))) return true;
  return listOf(expected).some((item) => isEqual(actual, item));
}

function containsAny(actual: unknown, expected: readonly unknown[]): boolean {
  const members = new Members(listOf(actual));
  return expected.some((item) => members.has(item));
}

function containsAll(actual: unknown, expected: readonly unknown[]): boolean {
  const members = new Members(listOf(actual));
  return expected.length > 0 && expected.every((item) => members.has(item));
}

/** @throws {ConditionBudgetError} where the search could take long */
function includes(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  assertSearchable(text, part);
  return text.includes(part);
}

function assertSearchable(text: string, pattern: string): void {
  if (text.length <= MAX_PATTERN || pattern.length === 0) return;
  if (text.length > MAX_SEARCHED_TEXT || pattern.length > MAX_PATTERN) {
    throw new ConditionBudgetError(
      `A condition looks for ${count(pattern.length)} characters in a text of ${count(text.length)}; ` +
        `the maximum is ${count(MAX_PATTERN)} in ${count(MAX_SEARCHED_TEXT)}.`,
    );
  }
}

function isLike(actual: unknown, expected: unknown): boolean {
  if (!isScalar(actual) || !isScalar(expected) || actual === null || expected === null) return false;
  assertSearchable(String(actual), String(expected));
  const text = String(actual).toLowerCase();
  const pattern = String(expected).toLowerCase();
  return /[%*]/.test(pattern) ? matchesWildcards(text, pattern.split(/[%*]+/)) : text.includes(pattern);
}

/** No regular expression, so that no pattern takes more than quadratic time. */
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
