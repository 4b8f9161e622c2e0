import { BSONRegExp, Int32 } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { compareText, isNullish, typeName } from '../bson/values.js';
import { badValue, notSupported, StoreError } from '../errors.js';
import { compileRegex, matchesOf } from '../bson/regex.js';
import type { ValueFunction } from './expressions.js';

/** Functions that the expression library has, but with other answers. */

function text(value: unknown, name: string): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return value;
  if (isNumeric(value) && numberOf(value) !== undefined) return String(numberOf(value));
  throw notSupported(`${name} of ${typeName(value)}`);
}

/** Case is changed for the letters of ASCII only. */
const changed =
  (name: string, letters: RegExp, change: (letter: string) => string): ValueFunction =>
  ([value]) =>
    text(value, name).replace(letters, change);

function replaced(argument: unknown, all: boolean): unknown {
  if (!isDoc(argument)) throw badValue('a replacement needs input, find and replacement');
  const { input, find, replacement } = argument;
  if ([input, find, replacement].some(isNullish)) return null;
  if (typeof input !== 'string' || typeof find !== 'string' || typeof replacement !== 'string')
    throw badValue('input, find and replacement must be strings');
  return all ? input.replaceAll(find, () => replacement) : input.replace(find, () => replacement);
}

/** The expression and the text in which it is looked for; undefined if there is none of them. */
function searched(argument: unknown, name: string): { input: string; regex: RegExp } | undefined {
  if (!isDoc(argument)) throw badValue(`${name} needs input and regex`);
  const { input, regex, options } = argument;
  if (isNullish(input) || isNullish(regex)) return undefined;
  if (typeof input !== 'string') throw badValue(`${name} needs 'input' to be a string`);
  const flags = typeof options === 'string' ? options : '';
  if (regex instanceof BSONRegExp) return { input, regex: compileRegex(regex.pattern, regex.options + flags) };
  if (typeof regex !== 'string') throw badValue(`${name} needs 'regex' to be a string or a regex`);
  return { input, regex: compileRegex(regex, flags) };
}

function regexMatch(argument: unknown): boolean {
  const found = searched(argument, '$regexMatch');
  return found?.regex.test(found.input) ?? false;
}

/** A match with the place of its first character, counted in code points. */
const shownMatch = ([match, ...captures]: RegExpExecArray, place: number): Doc => ({
  match,
  idx: new Int32(place),
  captures: captures.map((capture) => (capture as string | undefined) ?? null),
});

function regexFind(argument: unknown): Doc | null {
  const found = searched(argument, '$regexFind');
  const match = found?.regex.exec(found.input);
  return found && match ? shownMatch(match, [...found.input.slice(0, match.index)].length) : null;
}

/** That one call may give: others wait for it. */
const MOST_MATCHES = 50_000;

function regexFindAll(argument: unknown): Doc[] {
  const found = searched(argument, '$regexFindAll');
  if (!found) return [];
  const { input, regex } = found;
  const matches: Doc[] = [];
  let [at, place] = [0, 0];
  for (const match of matchesOf(input, regex)) {
    place += [...input.slice(at, match.index)].length;
    at = match.index;
    matches.push(shownMatch(match, place));
    if (matches.length > MOST_MATCHES) throw badValue(`$regexFindAll gives ${MOST_MATCHES} matches at most`);
  }
  return matches;
}

const MILLISECONDS: Record<string, number> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 };

/** Months are counted on the calendar; a day that the month does not have becomes its last. */
function dateAdd(argument: unknown, name: string, way: 1 | -1): unknown {
  if (!isDoc(argument)) throw badValue(`${name} needs startDate, unit and amount`);
  const { startDate, unit, amount, timezone } = argument;
  if ([startDate, unit, amount].some(isNullish)) return null;
  if ('timezone' in argument && isNullish(timezone)) return null;
  if (timezone !== undefined && timezone !== 'UTC' && timezone !== 'GMT')
    throw notSupported(`${name} with a time zone`);
  const count = isNumeric(amount) ? Number(numberOf(amount)) * way : Number.NaN;
  if (!(startDate instanceof Date) || typeof unit !== 'string' || !Number.isInteger(count)) {
    throw new StoreError('Location5166400', `${name} needs a date, a unit and a whole number`, {}, 5166400);
  }
  const fixed = Object.hasOwn(MILLISECONDS, unit) ? MILLISECONDS[unit] : undefined;
  if (fixed !== undefined) return new Date(startDate.getTime() + count * fixed);
  const months = Object.hasOwn(MONTHS, unit) ? MONTHS[unit] : undefined;
  if (months === undefined) throw badValue(`unknown time unit value: ${unit}`);
  const moved = new Date(startDate);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + count * months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(startDate.getUTCDate(), last));
  return moved;
}

export const TEXT_AND_DATE_FUNCTIONS: Record<string, ValueFunction> = {
  $toUpper: changed('$toUpper', /[a-z]/g, (letter) => letter.toUpperCase()),
  $toLower: changed('$toLower', /[A-Z]/g, (letter) => letter.toLowerCase()),
  $strcasecmp: (args) => {
    const [a = '', b = ''] = args.map((arg) =>
      text(arg, '$strcasecmp').replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    );
    return new Int32(Math.sign(compareText(a, b)));
  },
  $replaceOne: ([argument]) => replaced(argument, false),
  $replaceAll: ([argument]) => replaced(argument, true),
  $regexMatch: ([argument]) => regexMatch(argument),
  $regexFind: ([argument]) => regexFind(argument),
  $regexFindAll: ([argument]) => regexFindAll(argument),
  $dateAdd: ([argument]) => dateAdd(argument, '$dateAdd', 1),
  $dateSubtract: ([argument]) => dateAdd(argument, '$dateSubtract', -1),
};
