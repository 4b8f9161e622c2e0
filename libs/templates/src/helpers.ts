import { formatDate } from './date-format.js';
import type { CustomHelperName } from './helper-names.js';
import { TemplateError } from './template-error.js';
import { toText } from './to-text.js';

/** The time limit is checked between helpers only, so a single helper must be fast. */
const MAX_LIST = 10_000;

export interface HelperSettings {
  timeZone: string;
}

type Hash = Readonly<Record<string, unknown>>;
/** As a block, a truthy result selects the first part. */
export type ValueHelper = (args: readonly unknown[], hash: Hash) => unknown;

/** In addition to the blocks of Handlebars. None changes its arguments. */
export function createHelpers({ timeZone }: HelperSettings): Readonly<Record<CustomHelperName, ValueHelper>> {
  return {
    json: ([value]) => toJson(value),
    equals: ([a, b]) => isLooselyEqual(a, b),
    titlecase: ([value]) => toText(value).replace(/[^\s]+/g, titleWord),
    uppercase: ([value]) => toText(value).toUpperCase(),
    lowercase: ([value]) => toText(value).toLowerCase(),
    pluralize: ([count, one, many]) => (toNumber(count) === 1 ? one : many),
    dateFormat: ([date, format], hash) =>
      formatDate(date, toText(format), { zone: timeZone, shownIn: hash.timeZone }) ?? date,
    unique: ([list, property]) => unique(list, property),
    groupBy: ([list, property]) => groupBy(list, property),
    sortBy: ([list, property]) => sortBy(list, property),
    numberFormat: ([value], hash) => formatNumber(value, hash),
    gt: ([a, b]) => order(a, b) > 0,
    gte: ([a, b]) => order(a, b) >= 0,
    lt: ([a, b]) => order(a, b) < 0,
    lte: ([a, b]) => order(a, b) <= 0,
    eq: ([a, b]) => a === b,
    ne: ([a, b]) => a !== b,
    and: (values) => decisive(values, (value) => !isTruthy(value)),
    or: (values) => decisive(values, isTruthy),
    not: ([value]) => !isTruthy(value),
    uriEncode: ([value]) => uriPart(toText(value)),
  };
}

/** The first value that decides, else the last one, so that `or` can give a value instead of a missing one. */
function decisive(values: readonly unknown[], decides: (value: unknown) => boolean): unknown {
  const place = values.findIndex(decides);
  return place === -1 ? values.at(-1) : values[place];
}

/** As the block `if` judges it: an empty list is not. */
function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** A part of a path, or a value of a query. URLs take `.` and `..` for folders, however they are encoded. */
function uriPart(text: string): string {
  if (text === '.' || text === '..') throw new TemplateError(`"uriEncode" cannot encode '${text}' as a part of a URL`);
  return encodeURIComponent(text.toWellFormed());
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    throw new TemplateError('"json" cannot show a value that is not plain data');
  }
}

/** JavaScript's `==` for plain values only: comparing an object would call its methods. */
function isLooselyEqual(a: unknown, b: unknown): boolean {
  if (isObject(a) || isObject(b)) return a === b;
  // eslint-disable-next-line eqeqeq -- what the helper promises
  return a == b;
}

function titleWord(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

function unique(list: unknown, property: unknown): unknown[] {
  return [...new Set(asList(list).map((item) => read(item, property)))];
}

function groupBy(list: unknown, property: unknown): { key: string; items: unknown[] }[] {
  const groups = new Map<string, unknown[]>();
  for (const item of asList(list)) {
    const key = toText(read(item, property));
    const items = groups.get(key);
    if (items) items.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].map(([key, items]) => ({ key, items }));
}

function sortBy(list: unknown, property: unknown): unknown[] {
  const keyed = asList(list).map((item) => ({ item, key: read(item, property) }));
  return keyed.sort((a, b) => sortOrder(a.key, b.key)).map(({ item }) => item);
}

/** Missing values come last; numbers before texts. */
function sortOrder(a: unknown, b: unknown): number {
  const missing = Number(isMissing(a)) - Number(isMissing(b));
  if (missing !== 0 || isMissing(a)) return missing;
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  const result = order(a, b);
  return Number.isNaN(result) ? 0 : result;
}

/** For plain values only; NaN if the values have no order. */
function order(a: unknown, b: unknown): number {
  if (isPlain(a) && isPlain(b)) return a < b ? -1 : a > b ? 1 : a <= b ? 0 : Number.NaN;
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  return Number.NaN;
}

function formatNumber(value: unknown, hash: Hash): unknown {
  const number = toNumber(value);
  if (!Number.isFinite(number) || Math.abs(number) >= 1e21) return value;
  const decimals = toNumber(hash.decimalLength ?? 2);
  const fixed = number.toFixed(Number.isFinite(decimals) ? Math.min(Math.max(Math.trunc(decimals), 0), 20) : 2);
  const [whole = '', fraction] = fixed.split('.');
  const separator = toText(hash.thousandsSep ?? ',');
  const grouped = groupThousands(whole, separator);
  return fraction === undefined ? grouped : `${grouped}${toText(hash.decimalSep ?? '.')}${fraction}`;
}

function groupThousands(digits: string, separator: string): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const groups: string[] = [];
  for (let end = digits.length; end > sign.length; end -= 3) {
    groups.unshift(digits.slice(Math.max(sign.length, end - 3), end));
  }
  return sign + groups.join(separator);
}

/** Own properties only; without a path the item itself. */
function read(item: unknown, property: unknown): unknown {
  if (typeof property !== 'string' || property === '') return item;
  let value = item;
  for (const segment of property.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  if (value.length > MAX_LIST) throw new TemplateError(`a helper takes lists of at most ${MAX_LIST} items`);
  return value;
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: unknown): value is string | number {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
