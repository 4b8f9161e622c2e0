import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import type { Members } from '#libs/validation';

/** `true` is a value that is not examined; the fields of a list are those of its entries. */
export type Fields = Members;

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
    const within = Object.hasOwn(known, name) ? known[name] : undefined;
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
      const within = Object.hasOwn(known, key) ? known[key] : undefined;
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
