import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import type { Members } from '#libs/validation';
import { warningOf } from './warning-header.js';

/** Undefined if the handler may read anything. */
export interface Reads {
  readonly body: Fields | undefined;
  readonly query: Fields | undefined;
}

interface SentInput {
  readonly method: string;
  readonly url: string;
  readonly query: unknown;
  readonly body?: unknown;
}

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
}

const NOTHING: Fields = {};
const NONE: readonly string[] = [];
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

export interface Warnings {
  /** Value of the header `Herald-Warning`. */
  readonly header: string;
  /** One text for each name, for servers that reject them. */
  readonly faults: readonly string[];
}

/**
 * A typo in an optional name would otherwise look like success.
 * @returns undefined if everything is known
 */
export function warningsOf(reads: Reads, request: SentInput): Warnings | undefined {
  const hasQuery = reads.query !== undefined && request.url.includes('?');
  const query = hasQuery ? unknownFields(request.query, reads.query ?? NOTHING) : NONE;
  const hasBody = reads.body !== undefined && (reads.body !== NOTHING || WITH_BODY.has(request.method));
  const body = hasBody ? unknownFields(request.body, reads.body ?? NOTHING) : NONE;
  if (query.length + body.length === 0) return undefined;
  return {
    header: warningOf(body, query),
    faults: [
      ...body.map((path) => `${path} is not a field of this request. Correct its name or leave it out`),
      ...query.map((name) => `${name} is not a query parameter of this route. Correct its name or leave it out`),
    ],
  };
}

/** From the metadata of the handler's parameters. */
export function readsOf(type: Type<unknown>, method: string): Reads {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as Record<string, RouteArgument>;
  const classes = (Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? []) as unknown[];
  const reads: { body: Fields | undefined; query: Fields | undefined } = { body: NOTHING, query: NOTHING };
  for (const [key, { index, data }] of Object.entries(parameters)) {
    const kind = Number(key.split(':', 1)[0]);
    if (kind === (RouteParamtypes.REQUEST as number)) return { body: undefined, query: undefined };
    if (kind === (RouteParamtypes.RAW_BODY as number)) reads.body = undefined;
    const place = kind === (RouteParamtypes.BODY as number) ? 'body' : 'query';
    if (place === 'query' && kind !== (RouteParamtypes.QUERY as number)) continue;
    reads[place] = typeof data === 'string' ? { ...reads[place], [data]: true } : fieldsOfClass(classes[index]);
  }
  return reads;
}

function fieldsOfClass(type: unknown): Fields | undefined {
  if (typeof type !== 'function' || type === Object) return undefined;
  const fields = fieldsOf(type as Type<unknown>);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** `true` is a value that is not examined; the fields of a list are those of its entries. */
export type Fields = Members;

/** Stands for each name that the sender chooses. */
export const ANY = '*';

function fieldOf(known: Fields, name: string): true | Fields | undefined {
  return Object.hasOwn(known, name) ? known[name] : known[ANY];
}

/** Stored with the validation metadata, which mapped types copy. */
export class FieldsMark {
  constructor(readonly fields: () => Fields) {}
}

/** Never set by requests, like all names that begin with `_`. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'deleted', 'deletedAt', 'deletedBy']);

/** Entries and keys examined: more than real inputs have, few enough for hostile ones. */
const MAX_ENTRIES = 20_000;
const MAX_REPORTED = 100;

const alsoShown = new WeakMap<object, readonly string[]>();
const compiled = new WeakMap<object, Fields>();

/** Fields without effect that clients may send back as read: no warning about them. */
export function ReadBack(...names: readonly string[]): ClassDecorator {
  return (target) => {
    alsoShown.set(target, names);
  };
}

/** Includes nested classes. */
export function fieldsOf(type: Type<unknown>): Fields {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  const fields: Record<string, true | Fields> = {};
  compiled.set(type, fields);
  for (const { propertyName, constraints } of getMetadataStorage().getTargetValidationMetadatas(
    type,
    '',
    true,
    false,
  )) {
    const mark = (constraints as unknown[] | undefined)?.find((one) => one instanceof FieldsMark);
    fields[propertyName] = mark?.fields() ?? nestedFields(type, propertyName) ?? fields[propertyName] ?? true;
  }
  for (let at: object | null = type; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of alsoShown.get(at) ?? []) fields[name] ??= true;
  }
  return fields;
}

function nestedFields(type: Type<unknown>, property: string): Fields | undefined {
  const nested = defaultMetadataStorage.findTypeMetadata(type, property)?.typeFunction() as Type<unknown> | undefined;
  if (typeof nested !== 'function') return undefined;
  const fields = fieldsOf(nested);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** `actve`, `steps.0.actve`; at most a hundred. */
export function unknownFields(input: unknown, fields: Fields): string[] {
  return countKnown(input, fields) <= MAX_ENTRIES ? [] : findUnknown(input, fields);
}

/** Infinity if a field is unknown. */
function countKnown(value: unknown, known: Fields): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let seen = value.length;
    for (const entry of value as unknown[]) seen += countKnown(entry, known);
    return seen;
  }
  const names = Object.keys(value);
  let seen = names.length;
  for (const name of names) {
    const within = fieldOf(known, name);
    if (within === undefined && !isReadOnly(name)) return Infinity;
    if (within !== undefined && within !== true) seen += countKnown((value as Record<string, unknown>)[name], within);
  }
  return seen;
}

function findUnknown(input: unknown, fields: Fields): string[] {
  const found: string[] = [];
  let looks = MAX_ENTRIES;
  const look = (value: unknown, known: Fields, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      if (--looks < 0 || found.length >= MAX_REPORTED) return;
      const child = (value as Record<string, unknown>)[key];
      if (isList) {
        look(child, known, `${path}${key}.`);
        continue;
      }
      const within = fieldOf(known, key);
      if (within === undefined) {
        if (!isReadOnly(key)) found.push(`${path}${key}`);
      } else if (within !== true) look(child, within, `${path}${key}.`);
    }
  };
  look(input, fields, '');
  return found;
}

function isReadOnly(name: string): boolean {
  return name.startsWith('_') || READ_ONLY.has(name);
}
