import { isDeepStrictEqual } from 'node:util';
import { ConditionBudgetError } from './condition.errors.js';
import { count, dateOf, isEqual, isPresent, isScalar, toNumber } from './values.js';

/** Of a list that a condition searches or compares. */
export const MAX_MEMBERS = 20_000;
/** Characters. */
export const MAX_LIST_TEXT = 100_000;

/**
 * Splits text at commas; other values become a list of one. Empty for a missing value or empty text.
 * @throws {ConditionBudgetError} for a list that is too long
 */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    if (value.length > MAX_MEMBERS) {
      throw new ConditionBudgetError(
        `A condition compares a list of ${count(value.length)} members; the maximum is ${count(MAX_MEMBERS)}.`,
      );
    }
    return value;
  }
  if (typeof value !== 'string') return isPresent(value) ? [value] : [];
  if (value.length > MAX_LIST_TEXT) {
    throw new ConditionBudgetError(
      `A condition reads a text of ${count(value.length)} characters as a list; the maximum is ${count(MAX_LIST_TEXT)}.`,
    );
  }
  return value.trim() === '' ? [] : value.split(',').map((part) => part.trim());
}

/** Finds members equal by `isEqual` without a search. */
export class Members {
  private readonly texts = new Set<string>();
  private readonly times = new Set<number>();
  private readonly numbers = new Set<number>();
  private readonly others: unknown[] = [];
  private readonly isEmptyMember: boolean;
  private readonly booleans: ReadonlySet<unknown>;

  constructor(private readonly list: readonly unknown[]) {
    this.isEmptyMember = list.includes(null);
    this.booleans = new Set(list.filter((member) => typeof member === 'boolean'));
    for (const member of list) this.add(member);
  }

  has(item: unknown): boolean {
    if (!isScalar(item)) return this.list.some((member) => isEqual(member, item));
    if (item === null) return this.isEmptyMember;
    const time = dateOf(item);
    if (time !== undefined && this.times.has(time)) return true;
    return (
      this.texts.has(String(item)) ||
      (this.numbers.size > 0 && this.numbers.has(toNumber(item))) ||
      this.booleans.has(item === true || item === 'true') ||
      // A scalar can otherwise equal only numbers that a Set does not distinguish and values of other types.
      this.others.some((member) => isScalar(member) && isEqual(member, item))
    );
  }

  private add(member: unknown): void {
    const time = dateOf(member);
    if (time !== undefined) this.times.add(time);
    if (typeof member === 'string') this.texts.add(member);
    else if (typeof member === 'number' && !isDeepStrictEqual(member, -0) && member !== 0) this.numbers.add(member);
    else if (typeof member !== 'boolean' && member !== null) this.others.push(member);
  }
}
