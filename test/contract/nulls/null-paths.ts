import type { Json } from '../../support/answers.js';
import { type Document, resolve, type Schema } from '../../support/routes.js';

/** Members and places of entries. */
export type Path = readonly string[];

/** What a body has, and what its schema declares besides, at any depth. Not what is in free-form objects. */
export function declaredPaths(document: Document, schema: Schema, value: unknown): { given: Path[]; others: Path[] } {
  const given: Path[] = [];
  const others: Path[] = [];
  const visit = (of: Schema, one: unknown, path: Path): void => {
    if (Array.isArray(one)) {
      const items = alternatives(document, of).find(({ items: some }) => some !== undefined)?.items ?? {};
      one.forEach((entry: unknown, place) => visit(items, entry, [...path, String(place)]));
    }
    if (!isObject(one)) return;
    for (const [name, property] of membersOf(document, of, one)) {
      const member = one[name];
      (member === undefined || member === null ? others : given).push([...path, name]);
      visit(property, member, [...path, name]);
    }
  };
  visit(schema, value, []);
  return { given, others };
}

/** Of alternatives that a `type` tells apart, those of the type of the value. */
function membersOf(document: Document, schema: Schema, value: Json): [string, Schema][] {
  const all = alternatives(document, schema).filter(({ properties }) => properties !== undefined);
  const ofType = all.filter(({ properties }) => {
    const types = resolve(document, properties?.['type']).enum;
    return types === undefined || types.includes(value['type']);
  });
  return Object.entries(Object.assign({}, ...ofType.map(({ properties }) => properties)) as Record<string, Schema>);
}

function alternatives(document: Document, schema: Schema): Schema[] {
  const resolved = resolve(document, schema);
  const parts = [...(resolved.oneOf ?? []), ...(resolved.allOf ?? [])];
  return [resolved, ...parts.flatMap((part) => alternatives(document, part))];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy with null at a path. */
export const withNull = (value: Json, path: Path): Json => changed(value, path, (key, of) => ({ ...of, [key]: null }));

/** A copy without what is at a path. */
export const without = (value: Json, path: Path): Json =>
  changed(value, path, (key, { [key]: _gone, ...rest }) => rest);

function changed<T>(value: T, [key = '', ...rest]: Path, change: (key: string, of: Json) => Json): T {
  if (rest.length === 0) return change(key, value as Json) as T;
  if (Array.isArray(value)) {
    return (value as unknown[]).map((entry, place) =>
      String(place) === key ? changed(entry, rest, change) : entry,
    ) as T;
  }
  const of = value as Json;
  return isObject(of[key]) || Array.isArray(of[key]) ? ({ ...of, [key]: changed(of[key], rest, change) } as T) : value;
}

/** What the cases put into free-form objects. */
export const isFree = (path: string): boolean => /(^|\.)(none|list|free)(\.|$)/.test(path);

/** Paths of nulls, with `*` for places in lists. */
export function nullsIn(value: unknown, path = ''): string[] {
  if (value === null) return [path.slice(1)];
  if (Array.isArray(value)) return [...new Set((value as unknown[]).flatMap((entry) => nullsIn(entry, `${path}.*`)))];
  if (!isPlain(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => nullsIn(member, `${path}.${key}`));
}

const isPlain = (value: unknown): value is Json =>
  isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
