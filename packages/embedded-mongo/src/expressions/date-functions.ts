import { wholeText } from '../bson/regex.js';
import { isDoc, type Doc } from '../bson/codec.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { isNullish } from '../bson/values.js';
import { badValue, failedToParse, StoreError } from '../errors.js';
import type { ValueFunction } from './expressions.js';
import { offsetAt, timeShown } from './time-zones.js';

/** Dates from and to what the clocks of a time zone show. */

const conversionFailure = (message: string): StoreError => new StoreError('ConversionFailure', message, {}, 241);

function argumentsOf(argument: unknown, name: string, known: string): Doc {
  if (!isDoc(argument)) throw failedToParse(`${name} only supports an object as its argument`);
  const unknown = Object.keys(argument).find((field) => !known.split(' ').includes(field));
  if (unknown !== undefined) throw failedToParse(`Unrecognized argument to ${name}: ${unknown}`);
  return argument;
}

function zoneOf(value: unknown): string {
  if (typeof value !== 'string') throw badValue('a time zone must be a string');
  return value;
}

const FIRST_DAY_OF_EPOCH = 4;

/** The time of parts that may be greater or smaller than usual: the 14th month is the second of the next year. */
function dateFromParts(argument: unknown): unknown {
  const parts = argumentsOf(
    argument,
    '$dateFromParts',
    'year month day hour minute second millisecond timezone isoWeekYear isoWeek isoDayOfWeek',
  );
  if (Object.values(parts).some(isNullish)) return null;
  const part = (name: string, usual: number): number => {
    const value = parts[name] ?? usual;
    const number = typeof value === 'number' ? value : isNumeric(value) ? Number(numberOf(value)) : Number.NaN;
    if (!Number.isInteger(number) || Math.abs(number) > 32_767 * 1000)
      throw badValue(`'${name}' of $dateFromParts must evaluate to a whole number`);
    return number;
  };
  const isWeekly = 'isoWeekYear' in parts;
  if (isWeekly === 'year' in parts) throw failedToParse("$dateFromParts needs either 'year' or 'isoWeekYear'");
  const date = new Date(0);
  if (isWeekly) {
    date.setUTCFullYear(part('isoWeekYear', 1970), 0, FIRST_DAY_OF_EPOCH);
    const monday = date.getUTCDate() - ((date.getUTCDay() + 6) % 7);
    date.setUTCDate(monday + (part('isoWeek', 1) - 1) * 7 + part('isoDayOfWeek', 1) - 1);
  } else date.setUTCFullYear(part('year', 1970), part('month', 1) - 1, part('day', 1));
  date.setUTCHours(part('hour', 0), part('minute', 0), part('second', 0), part('millisecond', 0));
  if (Number.isNaN(date.getTime())) throw badValue('$dateFromParts gives no date that can be represented');
  return parts.timezone === undefined ? date : new Date(timeShown(zoneOf(parts.timezone), date.getTime()));
}

/** What stands for each part of a format, and where it goes. */
const FORMAT_PARTS: Record<string, string> = {
  Y: '(?<year>\\d{4})',
  m: '(?<month>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
  H: '(?<hour>\\d{1,2})',
  M: '(?<minute>\\d{1,2})',
  S: '(?<second>\\d{1,2})',
  L: '(?<millisecond>\\d{1,3})',
  z: '(?<zone>Z|[+-]\\d\\d:?\\d\\d)',
  '%': '%',
};

const ISO =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.(?<millisecond>\d{1,3}))?)?)?\s*(?<zone>Z|[+-]\d\d:?\d\d)?$/;

function patternOf(format: string): RegExp {
  const source = format.replace(/%([^])|[^A-Za-z0-9 ]/gu, (piece, letter?: string) => {
    if (letter === undefined) return `\\u{${(piece.codePointAt(0) ?? 0).toString(16)}}`;
    const part = Object.hasOwn(FORMAT_PARTS, letter) ? FORMAT_PARTS[letter] : undefined;
    if (part === undefined)
      throw badValue(`$dateFromString reads the parts %Y %m %d %H %M %S %L %z and %% of a format, not %${letter}`);
    return part;
  });
  try {
    return wholeText(source);
  } catch {
    throw badValue('$dateFromString: a part of a format may stand in it once');
  }
}

function parsed(text: string, format: unknown, timezone: unknown): Date {
  if (format !== undefined && typeof format !== 'string')
    throw badValue("'format' of $dateFromString must be a string");
  const found = (format === undefined ? ISO : patternOf(format)).exec(text)?.groups;
  if (!found) throw conversionFailure(`Error parsing date string '${text.slice(0, 100)}'`);
  const part = (name: string, usual: number): number => (found[name] === undefined ? usual : Number(found[name]));
  const [year, month, day] = [part('year', 1970), part('month', 1), part('day', 1)];
  const milliseconds = Number((found.millisecond ?? '0').padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || part('hour', 0) > 23 || part('minute', 0) > 59 || part('second', 0) > 59)
    throw conversionFailure(`Error parsing date string '${text.slice(0, 100)}'`);
  date.setUTCHours(part('hour', 0), part('minute', 0), part('second', 0), milliseconds);
  if (found.zone !== undefined && timezone !== undefined)
    throw conversionFailure('$dateFromString: the string has a time zone, so that none may be given');
  const zone = found.zone ?? timezone;
  return zone === undefined ? date : new Date(timeShown(zoneOf(zone), date.getTime()));
}

function dateFromString(argument: unknown): unknown {
  const known = argumentsOf(argument, '$dateFromString', 'dateString format timezone onError onNull');
  const { dateString, format, timezone } = known;
  if (isNullish(dateString)) return known.onNull ?? null;
  if (format === null || timezone === null) return null;
  try {
    if (typeof dateString !== 'string') throw conversionFailure('$dateFromString needs a string');
    return parsed(dateString, format, timezone);
  } catch (error) {
    if ('onError' in known && error instanceof StoreError && error.code === 241) return known.onError;
    throw error;
  }
}

/** Of a function that knows UTC only: it gets what the clocks of the zone show, and its answer is what they show then. */
export function inZone(argument: Doc, inUtc: (argument: Doc) => unknown): unknown {
  const { timezone, date, ...others } = argument;
  const zone = zoneOf(timezone);
  if (!(date instanceof Date)) return inUtc({ ...others, date });
  const result = inUtc({ ...others, date: new Date(date.getTime() + offsetAt(zone, date.getTime())) });
  return result instanceof Date ? new Date(timeShown(zone, result.getTime())) : result;
}

export const DATE_FUNCTIONS: Record<string, ValueFunction> = {
  $dateFromParts: ([argument]) => dateFromParts(argument),
  $dateFromString: ([argument]) => dateFromString(argument),
};
