import { z } from 'zod';
import { isObject, type RawObject } from './declare.js';
import { documentedForm } from './document.js';

/**
 * Null counts as absent in members that may be absent, at any depth. It stays where it has a meaning of its own, in members that
 * no schema declares, and where it is a fault.
 * @returns the value itself if there is nothing to leave out
 */
export function withoutNulls<T>(schema: z.ZodType, value: T): T {
  return cleaned(schema, value) as T;
}

function cleaned(schema: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) return cleanedList(schema, value);
  return isObject(value) ? cleanedObject(schema, value) : value;
}

function cleanedList(schema: z.ZodType, entries: readonly unknown[]): readonly unknown[] {
  const element = elementOf(schema);
  if (element === undefined) return entries;
  const kept = entries.map((entry) => cleaned(element, entry));
  return kept.some((entry, place) => entry !== entries[place]) ? kept : entries;
}

function cleanedObject(schema: z.ZodType, value: RawObject): RawObject {
  let changed: RawObject | undefined;
  for (const [key, member] of membersFor(schema, value)) {
    if (!Object.hasOwn(value, key)) continue;
    const kept = cleaned(member, value[key]);
    const isLeftOut = kept === null && mayBeAbsent(member);
    if (!isLeftOut && kept === value[key]) continue;
    changed ??= { ...value };
    if (isLeftOut) Reflect.deleteProperty(changed, key);
    else changed[key] = kept;
  }
  return changed ?? value;
}

function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const list = alternatives(schema).find((one) => one instanceof z.ZodArray);
  return list?.element as z.ZodType | undefined;
}

/** Of objects that a `type` tells apart, those of the type of the value. */
function membersFor(schema: z.ZodType, { type }: RawObject): readonly (readonly [string, z.ZodType])[] {
  return shapesOf(schema).find(({ types }) => types?.has(type) !== false)?.members ?? [];
}

interface Shape {
  /** Undefined where no literal tells them apart. */
  readonly types: ReadonlySet<unknown> | undefined;
  readonly members: readonly (readonly [string, z.ZodType])[];
}

/** Kept, because the entries of a list that is refused later may be hundreds of thousands. */
const shapes = new WeakMap<z.ZodType, readonly Shape[]>();

function shapesOf(schema: z.ZodType): readonly Shape[] {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const found = alternatives(schema).flatMap((one) => (one instanceof z.ZodObject ? [shapeOf(one)] : []));
  shapes.set(schema, found);
  return found;
}

function shapeOf({ shape }: z.ZodObject): Shape {
  const type = (shape as Record<string, unknown>)['type'];
  return {
    types: type instanceof z.ZodLiteral ? type.values : undefined,
    members: Object.entries(shape),
  };
}

function alternatives(schema: z.ZodType): z.ZodType[] {
  const form = documentedForm(schema);
  return form instanceof z.ZodUnion ? (form.options as z.ZodType[]).flatMap(alternatives) : [form];
}

function mayBeAbsent(member: z.ZodType): boolean {
  return (member instanceof z.ZodOptional || member instanceof z.ZodNullable) && !hasOwnNull(member);
}

function hasOwnNull(member: z.ZodType): boolean {
  if (member.meta()?.['nullable'] === true) return true;
  const isWrapped = member instanceof z.ZodOptional || member instanceof z.ZodNullable;
  return isWrapped && hasOwnNull(member.unwrap() as z.ZodType);
}
