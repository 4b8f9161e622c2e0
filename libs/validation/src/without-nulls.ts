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
  const list = alternatives(schema).find((one) => one instanceof z.ZodArray);
  if (list === undefined) return entries;
  const kept = entries.map((entry) => cleaned(list.element as z.ZodType, entry));
  return kept.some((entry, place) => entry !== entries[place]) ? kept : entries;
}

function cleanedObject(schema: z.ZodType, value: RawObject): RawObject {
  const members = membersFor(schema, value);
  let changed: RawObject | undefined;
  for (const [key, member] of Object.entries(members)) {
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

/** Of objects that a `type` tells apart, those of the type of the value. */
function membersFor(schema: z.ZodType, { type }: RawObject): Readonly<Record<string, z.ZodType>> {
  const shapes = alternatives(schema).flatMap((one) => (one instanceof z.ZodObject ? [one.shape] : []));
  return shapes.find(({ type: known }) => !(known instanceof z.ZodLiteral) || known.values.has(type as string)) ?? {};
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
