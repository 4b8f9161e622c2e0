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

const ID_HEADINGS = ['subscriberId', 'id', 'user id', 'external id'];
const KNOWN: ReadonlyMap<string, Target> = new Map([
  ...ID_HEADINGS.map((heading): [string, Target] => [lettersOf(heading), 'subscriberId']),
  ...SUBSCRIBER_FIELDS.flatMap(({ name, headings }) =>
    headings.map((heading): [string, Target] => [lettersOf(heading), name]),
  ),
]);

function lettersOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** What the headings say. A target has one column; the others go into data. */
export function guessedTargets(headings: readonly string[]): Target[] {
  const taken = new Set<Target>();
  return headings.map((heading) => {
    const target = KNOWN.get(lettersOf(heading)) ?? 'data';
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
  const checks = checksByKind();
  lines.forEach((cells, at) => {
    const line = at + 2;
    const subscriber = subscriberOf(headings, cells, targets);
    const { subscriberId } = subscriber;
    const before = lineOf.get(subscriberId);
    const message = before === undefined ? faultOf(subscriber, checks) : `The id is in line ${before} as well.`;
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

type Check = (text: string) => boolean;

interface KindCheck {
  readonly is: Check;
  readonly what: string;
}

function faultOf(subscriber: Subscriber, checks: Checks): string | undefined {
  const { subscriberId } = subscriber;
  if (subscriberId === '') return 'There is no id.';
  if (subscriberId.length > MAX_ID) return `The id is longer than ${MAX_ID} characters.`;
  for (const { name, kind } of SUBSCRIBER_FIELDS) {
    const [text, check] = [subscriber[name], checks[kind]];
    if (text && check && !check.is(text)) return `${text} is not ${check.what}.`;
  }
  return undefined;
}

type Checks = Readonly<Partial<Record<string, KindCheck>>>;

/** Asks the browser once for each value: a file has many rows and few zones, which take long to look up. */
function checksByKind(): Checks {
  const once = (read: (text: string) => unknown): Check => {
    const known = new Map<string, boolean>();
    return (text) => {
      const found = known.get(text) ?? isReadable(() => read(text));
      known.set(text, found);
      return found;
    };
  };
  return {
    email: { is: (text) => /^[^\s@]+@[^\s@]+$/.test(text), what: 'an email address' },
    phone: { is: (text) => /^[+\d][\d\s()./-]*$/.test(text), what: 'a phone number' },
    url: { is: (text) => URL.canParse(text), what: 'a URL' },
    locale: { is: once((text) => Intl.getCanonicalLocales(text.replaceAll('_', '-'))), what: 'a language' },
    timezone: { is: once((timeZone) => new Intl.DateTimeFormat('en', { timeZone })), what: 'a time zone' },
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

/** The rows of a portion that were refused. Texts about fields begin with `subscribers.3.email`, where a line of the file says more. */
export function refusedRows(portion: readonly Row[], failed: readonly Schemas['BulkFailure'][]): Fault[] {
  const lineOf = new Map(portion.map(({ line, subscriber }) => [subscriber.subscriberId, line]));
  return failed.map(({ subscriberId = '', message }) => ({
    line: lineOf.get(subscriberId) ?? 0,
    subscriberId,
    message: message.replaceAll(/(^|; )subscribers\.\d+\./g, '$1'),
  }));
}
