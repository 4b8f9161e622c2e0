import type { Schemas } from '../api/client.js';
import { SUBSCRIBER_FIELDS } from './subscriber-fields.js';

type Subscriber = Schemas['CreateSubscriberDto'];
type Name = (typeof SUBSCRIBER_FIELDS)[number]['name'];

/** Where a column of the file goes. */
export type Target = 'subscriberId' | Name | 'data' | 'none';

export interface Fault {
  /** Line of the file, counted from 1 with the heading. */
  readonly line: number;
  readonly subscriberId: string;
  readonly message: string;
}

/** A row that can be imported. */
export interface Row {
  readonly line: number;
  readonly subscriber: Subscriber;
}

export interface Checked {
  readonly rows: readonly Row[];
  readonly faults: readonly Fault[];
}

const MAX_ID = 255;
/** What one request may have. */
const MAX_ROWS = 500;
/** Stays below the limit of a body. */
const MAX_CHARACTERS = 300_000;

const KNOWN: ReadonlyMap<string, Target> = new Map([
  ['subscriberid', 'subscriberId'],
  ['id', 'subscriberId'],
  ['userid', 'subscriberId'],
  ['externalid', 'subscriberId'],
  ['firstname', 'firstName'],
  ['givenname', 'firstName'],
  ['lastname', 'lastName'],
  ['surname', 'lastName'],
  ['familyname', 'lastName'],
  ['email', 'email'],
  ['mail', 'email'],
  ['emailaddress', 'email'],
  ['phone', 'phone'],
  ['phonenumber', 'phone'],
  ['mobile', 'phone'],
  ['locale', 'locale'],
  ['language', 'locale'],
  ['timezone', 'timezone'],
  ['avatar', 'avatar'],
  ['picture', 'avatar'],
]);

/** What the headings say. A target has one column; the others go into data. */
export function guessedTargets(headings: readonly string[]): Target[] {
  const taken = new Set<Target>();
  return headings.map((heading) => {
    const target = KNOWN.get(heading.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? 'data';
    if (target === 'data' || taken.has(target)) return 'data';
    taken.add(target);
    return target;
  });
}

/** What can be checked before anything is sent: ids, each of them once, and the form of addresses. */
export function checkedRows(
  headings: readonly string[],
  lines: readonly (readonly string[])[],
  targets: readonly Target[],
): Checked {
  const rows: Row[] = [];
  const faults: Fault[] = [];
  const lineOf = new Map<string, number>();
  const isKnown = knownOnce();
  lines.forEach((cells, at) => {
    const line = at + 2;
    const subscriber = subscriberOf(headings, cells, targets);
    const { subscriberId } = subscriber;
    const before = lineOf.get(subscriberId);
    const message = before === undefined ? faultOf(subscriber, isKnown) : `The id is in line ${before} as well.`;
    if (message !== undefined) return void faults.push({ line, subscriberId, message });
    lineOf.set(subscriberId, line);
    rows.push({ line, subscriber });
  });
  return { rows, faults };
}

function subscriberOf(headings: readonly string[], cells: readonly string[], targets: readonly Target[]): Subscriber {
  const fields: Record<string, string> = {};
  const data: [string, string][] = [];
  targets.forEach((target, column) => {
    const text = cells[column]?.trim() ?? '';
    if (text === '' || target === 'none') return;
    if (target === 'data') data.push([headings[column]?.trim() || `column${column + 1}`, text]);
    else fields[target] = text;
  });
  return { subscriberId: '', ...fields, ...(data.length > 0 && { data: Object.fromEntries(data) }) };
}

type Known = ReturnType<typeof knownOnce>;

function faultOf(
  { subscriberId, email, phone, locale, timezone, avatar }: Subscriber,
  isKnown: Known,
): string | undefined {
  if (subscriberId === '') return 'There is no id.';
  if (subscriberId.length > MAX_ID) return `The id is longer than ${MAX_ID} characters.`;
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) return `${email} is not an email address.`;
  if (phone && !/^[+\d][\d\s()./-]*$/.test(phone)) return `${phone} is not a phone number.`;
  if (locale && !isKnown.locale(locale)) return `${locale} is not a language.`;
  if (timezone && !isKnown.timezone(timezone)) return `${timezone} is not a time zone.`;
  if (avatar && !URL.canParse(avatar)) return `${avatar} is not a URL.`;
  return undefined;
}

/** Asks the browser once for each value: a file has many rows and few zones, which take long to look up. */
function knownOnce(): Record<'locale' | 'timezone', (text: string) => boolean> {
  const once = (read: (text: string) => unknown): ((text: string) => boolean) => {
    const known = new Map<string, boolean>();
    return (text) => {
      const found = known.get(text) ?? isReadable(() => read(text));
      known.set(text, found);
      return found;
    };
  };
  return {
    locale: once((text) => Intl.getCanonicalLocales(text.replaceAll('_', '-'))),
    timezone: once((timeZone) => new Intl.DateTimeFormat('en', { timeZone })),
  };
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** The rows of the next request. */
export function nextPortion(rows: readonly Row[], from: number): readonly Row[] {
  let characters = 0;
  let to = from;
  while (to < rows.length && to - from < MAX_ROWS) {
    characters += JSON.stringify(rows[to]?.subscriber).length;
    if (characters > MAX_CHARACTERS && to > from) break;
    to += 1;
  }
  return rows.slice(from, to);
}

/**
 * Which rows of a portion a refusal is about: its texts begin with `subscribers.3.email`.
 * @returns undefined if a text is about none of them
 */
export function refusedRows(portion: readonly Row[], texts: readonly string[]): Fault[] | undefined {
  const faults = new Map<number, Fault>();
  for (const text of texts) {
    const [, index = '', message = ''] = /^subscribers\.(\d+)\.(.*)$/.exec(text) ?? [];
    const row = index === '' ? undefined : portion[Number(index)];
    if (row === undefined) return undefined;
    const fault = faults.get(row.line);
    faults.set(row.line, {
      line: row.line,
      subscriberId: row.subscriber.subscriberId,
      message: fault === undefined ? message : `${fault.message}; ${message}`,
    });
  }
  return [...faults.values()];
}
