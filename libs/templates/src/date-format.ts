// eslint-disable-next-line no-restricted-imports -- shows dates; nothing happens at them
import { DateTime } from 'luxon';
import { canonicalZone } from '#libs/validation';

type Local = DateTime<true>;

/** Unicode tokens; texts are the equivalent Luxon tokens. All others are not supported. */
const TOKENS: Readonly<Record<string, string | ((date: Local) => string)>> = {
  ...sameInLuxon('y yy yyyy M MM MMM MMMM MMMMM L LL LLL LLLL d dd H HH h hh m mm s ss SSS EEEE EEEEE'),
  E: 'EEE',
  EE: 'EEE',
  EEE: 'EEE',
  SS: (date) => String(Math.floor(date.millisecond / 10)).padStart(2, '0'),
  S: (date) => String(Math.floor(date.millisecond / 100)),
  a: 'a',
  aa: 'a',
  aaa: (date) => date.toFormat('a').toLowerCase(),
  aaaa: (date) => (date.hour < 12 ? 'a.m.' : 'p.m.'),
  do: (date) => ordinal(date.day),
  Mo: (date) => ordinal(date.month),
  i: 'E',
  I: 'W',
  II: 'WW',
  R: 'kkkk',
  Q: 'q',
  QQQ: (date) => `Q${date.quarter}`,
  QQQQ: (date) => `${ordinal(date.quarter)} quarter`,
  X: (date) => (date.offset === 0 ? 'Z' : date.toFormat('ZZZ')),
  XXX: (date) => (date.offset === 0 ? 'Z' : date.toFormat('ZZ')),
  xx: 'ZZZ',
  xxx: 'ZZ',
  O: (date) => (date.offset === 0 ? 'GMT' : `GMT${date.toFormat('Z')}`),
  t: 'X',
  T: 'x',
  P: 'MM/dd/yyyy',
  PP: 'MMM d, y',
  PPP: (date) => `${date.toFormat('MMMM')} ${ordinal(date.day)}, ${date.year}`,
  PPPP: (date) => `${date.toFormat('EEEE, MMMM')} ${ordinal(date.day)}, ${date.year}`,
  p: 'h:mm a',
  pp: 'h:mm:ss a',
};

const MAX_FORMAT_LENGTH = 500;
const MAX_DATE_LENGTH = 100;
/** Quoted text, a run of one letter (with the `o` of ordinals), or anything else. */
const PARTS = /''|'(?:[^']|'')*'|[dM]o|([a-zA-Z])\1*|[^a-zA-Z']+/g;

interface Zones {
  /** Default of the date. */
  readonly zone: string;
  /** Name of the zone of the result; default: `zone`. */
  readonly shownIn?: unknown;
}

/**
 * Accepts the Unicode tokens of date-fns (`yyyy-MM-dd HH:mm`, `do MMMM`). Undefined for an invalid date or an unknown
 * token.
 */
export function formatDate(value: unknown, format: string, { zone, shownIn }: Zones): string | undefined {
  if (format.length > MAX_FORMAT_LENGTH) return undefined;
  const read = readDate(value, zone);
  if (!read) return undefined;
  const date = inZone(read, shownIn);
  let result = '';
  for (const [part, letter] of format.matchAll(PARTS)) {
    const text = letter === undefined && !/^[dM]o$/.test(part) ? unquote(part) : formatToken(date, part);
    if (text === undefined) return undefined;
    result += text;
  }
  return result;
}

function formatToken(date: Local, token: string): string | undefined {
  const how = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined;
  return typeof how === 'string' ? date.toFormat(how) : how?.(date);
}

function unquote(part: string): string {
  if (part === "''") return "'";
  return part.startsWith("'") ? part.slice(1, -1).replaceAll("''", "'") : part;
}

export function readDate(value: unknown, zone: string): Local | undefined {
  const options = { zone, locale: 'en-US' };
  if (value instanceof Date) return valid(DateTime.fromJSDate(value, options));
  if (typeof value === 'number') return valid(DateTime.fromMillis(value, options));
  if (typeof value !== 'string' || value.length > MAX_DATE_LENGTH || value.trim() === '') return undefined;
  const text = value.trim();
  return (
    valid(DateTime.fromISO(text, options)) ??
    valid(DateTime.fromSQL(text, options)) ??
    valid(DateTime.fromRFC2822(text, options))
  );
}

function inZone(date: Local, name: unknown): Local {
  const zone = typeof name === 'string' ? canonicalZone(name) : undefined;
  return zone === undefined ? date : (valid(date.setZone(zone)) ?? date);
}

function valid(date: DateTime<true> | DateTime<false>): Local | undefined {
  return date.isValid ? date : undefined;
}

function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

function sameInLuxon(tokens: string): Record<string, string> {
  return Object.fromEntries(tokens.split(' ').map((token) => [token, token]));
}
