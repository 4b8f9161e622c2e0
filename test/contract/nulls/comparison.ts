import type { Json } from '../../support/answers.js';
import { isObject } from './null-paths.js';

/** What differs in any two answers. */
const GENERATED: readonly [RegExp, string][] = [
  [/null-case-\d+/g, 'NAME'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/\b[0-9a-f]{24}\b/g, 'ID'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/de-x-a\d+/gi, 'LOCALE'],
  [/#[\w-]{43}$/, '#TOKEN'],
  [/-[0-9A-Za-z]{10}$/, '-SHORT'],
];
/** Numbers and secrets of their own. */
const OWN = new Set(['__v', 'version', 'priority', 'csrfToken', 'secret', 'token', 'key']);

/** An answer, with the same words for what Herald generates. */
export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return GENERATED.reduce((text, [of, word]) => text.replace(of, word), value);
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (OWN.has(key) ? [] : [[key, comparable(member)]])),
  );
}

/** Where two values differ. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => differences(one[key], other[key], `${path}.${key}`));
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((entry, place) => differences(entry, (other as Json[])[place], `${path}.${place}`));
  }
  return [`${path.slice(1)}: ${short(one)} instead of ${short(other)}`];
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
