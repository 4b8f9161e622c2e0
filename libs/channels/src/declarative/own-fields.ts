import type { EmailMessage } from '../core/messages.js';
import type { OwnFields, ProviderDeclaration, StoredTemplate } from '../core/declaration.js';
import { ProviderError } from '../errors/provider-error.js';
import type { FormPart, HttpCall } from './http-call.js';
import { at } from './json-path.js';

type Values = Readonly<Record<string, unknown>>;
export type OwnDeclaration = Pick<ProviderDeclaration, 'ownFields' | 'storedTemplate'>;

/** The names of fields of a provider's own that would say who gets a mail, or set its headers. */
export function forbiddenFields(values: Values, { not = [] }: OwnFields): string[] {
  return not.filter((path) => isThere(values, path.split('.')));
}

function isThere(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return value !== undefined && value !== null;
  if (typeof value !== 'object' || value === null) return false;
  const wanted = first.toLowerCase();
  const isWanted = wanted.endsWith('*')
    ? (key: string): boolean => key.startsWith(wanted.slice(0, -1))
    : (key: string): boolean => key === wanted;
  return Object.entries(value).some(([key, child]) => isWanted(key.toLowerCase()) && isThere(child, rest));
}

/** What of the custom data of a mail names a stored template, as fields of the provider's own, and what is left: nothing, or data. */
export function templateOfData(
  customData: EmailMessage['customData'],
  template: StoredTemplate | undefined,
): { readonly fields: Values; readonly left: Values | undefined } {
  const none = { fields: {}, left: customData };
  if (customData === undefined || template === undefined) return none;
  const { names, data } = template;
  const given = Object.entries(data).filter(([key]) => isGiven(customData[key]));
  if (!given.some(([, place]) => names.includes(place))) return none;
  const fields = given.reduce<Values>((all, [key, place]) => placed(all, place.split('.'), customData[key]), {});
  const left = Object.fromEntries(Object.entries(customData).filter(([key]) => !Object.hasOwn(data, key)));
  return { fields, left: Object.keys(left).length > 0 ? left : undefined };
}

/** Whether fields of a provider's own, or custom data, name a template that is stored there. */
export function namesTemplate(values: Values, { names, data }: StoredTemplate): boolean {
  const keys = Object.keys(data).filter((key) => names.includes(data[key] ?? ''));
  return [...names, ...keys].some((path) => isGiven(at(values, path)));
}

/** Puts fields of the provider's own into its request, and leaves out what a stored template takes the place of. */
export function withOwnFields(call: HttpCall, fields: Values, { ownFields, storedTemplate }: OwnDeclaration): HttpCall {
  if (ownFields === undefined || Object.keys(fields).length === 0) return call;
  const [forbidden] = forbiddenFields(fields, ownFields);
  if (forbidden !== undefined) {
    const details = { code: 'message_incomplete', retryable: false } as const;
    throw new ProviderError(`The field ${forbidden} of an override is set by Herald.`, details);
  }
  const isStored = storedTemplate?.names.some((path) => at(fields, path) !== undefined) === true;
  const stored = isStored ? storedTemplate : undefined;
  const path = stored?.path === undefined ? {} : { path: stored.path };
  const { json, multipart } = call;
  if (multipart !== undefined) return { ...call, ...path, multipart: inParts(multipart, fields, stored) };
  const root = ownFields.at?.split('.') ?? [];
  const own = root.reduce<unknown>((value, key) => (value as Values)[key], json);
  const kept = stored === undefined ? own : replaced(own, stored);
  const all = merged(kept, fields, ownFields.lists ?? []);
  const encoded = (stored?.texts ?? []).reduce((one, place) => asJson(one, place), all);
  return { ...call, ...path, json: placed(json, root, encoded) };
}

function replaced(own: unknown, { replaces, moves = {}, adds = {} }: StoredTemplate): unknown {
  const moved = Object.entries(moves).reduce((all, [from, to]) => {
    const value = at(own, from);
    return value === undefined ? all : placed(all, to.split('.'), value);
  }, own);
  const rest = replaces.reduce((all, path) => placed(all, path.split('.'), undefined), moved);
  return merged(adds, rest as Values, []);
}

function asJson(value: unknown, path: string): unknown {
  const found = at(value, path);
  return typeof found === 'object' && found !== null ? placed(value, path.split('.'), JSON.stringify(found)) : value;
}

/** Members of objects are set one by one, other values as a whole. @param lists whose entries are set one by one as well */
function merged(own: unknown, more: Values, lists: readonly string[]): unknown {
  const all: Record<string, unknown> = { ...(own as Values) };
  for (const [key, value] of Object.entries(more)) {
    const known = all[key];
    if (isRecord(known) && isRecord(value)) all[key] = merged(known, value, []);
    else if (lists.includes(key) && Array.isArray(known) && Array.isArray(value))
      all[key] = known.map((entry: unknown, place) => {
        const given: unknown = value[place];
        return isRecord(given) ? merged(entry, given, []) : entry;
      });
    else all[key] = value;
  }
  return all;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** A copy with a value at a path, whose lists and objects are made where they are missing. */
function placed<T>(value: T, [first, ...rest]: readonly string[], child: unknown): T {
  if (first === undefined) return child as T;
  const isList = Array.isArray(value) || (value === undefined && /^\d+$/.test(first));
  const copy = (isList ? [...((value as unknown[] | undefined) ?? [])] : { ...value }) as Record<string, unknown>;
  if (rest.length > 0 || child !== undefined) copy[first] = placed(copy[first], rest, child);
  else delete copy[first];
  return copy as T;
}

/** A list is a part for each entry, and an object is JSON. */
function inParts(parts: readonly FormPart[], fields: Values, stored: StoredTemplate | undefined): FormPart[] {
  const names = new Set([...Object.keys(fields), ...(stored?.replaces ?? [])]);
  const own = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((entry) => ({ name, value: typeof entry === 'string' ? entry : JSON.stringify(entry) })),
  );
  return [...parts.filter(({ name, filename }) => filename !== undefined || !names.has(name)), ...own];
}
