import { z } from 'zod';
import { documentAs } from './document.js';

export type RawObject = Record<string, unknown>;

/** Null stands for absent in requests; the stored form omits it. */
export type WithoutNull<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Null counts as absent. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** They reach JavaScript prototypes. */
const FORBIDDEN_SEGMENTS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isForbiddenSegment(segment: string): boolean {
  return FORBIDDEN_SEGMENTS.has(segment);
}

// Each function states its fault as the end of a sentence; `faultsOf` puts the path before it: `steps.0.name must be a
// string`.

/** An error response lists no more. */
const MAX_FAULTS = 100;

/** The path is relative to the checked value. */
export type Report = (message: string, ...path: readonly (string | number)[]) => void;

/** Each fault begins with its path. Never throws. */
export function faultsOf(schema: z.ZodType, value: unknown, path: string): string[] {
  return issuesOf(schema, value).map((issue) => `${[path, ...issue.path].join('.')} ${issue.message}`);
}

/** Drops faults of length and pattern for a value of the wrong type. */
function issuesOf(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.filter(({ path }, index) => {
    const before = issues[index - 1];
    return before?.code !== 'invalid_type' || before.path.join('.') !== path.join('.');
  });
}

export function text(maxLength: number): z.ZodString {
  return z
    .string({ error: 'must be a string' })
    .max(maxLength, { error: `must be at most ${maxLength} characters long` });
}

/** @param error the fault of a value that is not text or is blank */
export function dataPath(maxLength: number, error: string): z.ZodString {
  return z
    .string({ error })
    .max(maxLength, { error: `must be at most ${maxLength} characters long` })
    .superRefine((path, context) => {
      if (path.length > maxLength) return;
      if (path.trim() === '') context.addIssue(error);
      else if (path.split('.').some(isForbiddenSegment)) {
        context.addIssue('must not contain __proto__, constructor or prototype');
      }
    });
}

export function flag(): z.ZodBoolean {
  return z.boolean({ error: 'must be a boolean' });
}

/** @param suggested values that the fault names; default: all */
export function oneOf<const T extends readonly [string, ...string[]]>(
  values: T,
  suggested: readonly string[] = values,
): z.ZodEnum<z.core.util.ToEnum<T[number]>> {
  return z.enum(values, { error: `must be one of ${suggested.join(', ')}` });
}

/** Other keys are not checked. */
export function object<T extends z.ZodRawShape>(shape: T, error = 'must be an object'): z.ZodObject<T, z.core.$strip> {
  return z.object(shape, { error });
}

export interface ListLimits {
  /** Not documented: an unused list may be empty, and responses show it. */
  readonly min?: number;
  readonly max?: number;
  /** For a value that is not a list. */
  readonly error: string;
  /** For too many or too few entries; default: `error`. */
  readonly wrongLength?: string;
}

/** Lists that are too long are not searched; the search ends after a hundred faults. */
export function list<T extends z.ZodType>(
  item: T,
  { min = 0, max = Infinity, error, wrongLength = error }: ListLimits,
): z.ZodType<z.output<T>[]> {
  return custom(max < Infinity ? z.array(item).max(max) : z.array(item), (value, report) => {
    if (!Array.isArray(value)) return report(error);
    if (value.length < min || value.length > max) return report(wrongLength);
    let found = 0;
    for (const [index, entry] of (value as unknown[]).entries()) {
      found += reportFaults(report, item, entry, index);
      if (found >= MAX_FAULTS) return;
    }
  });
}

/** Documented but not checked. */
export function unchecked<T extends z.ZodType>(documented: T): z.ZodOptional<z.ZodType<z.output<T>>> {
  return documentAs(documented, z.unknown()).optional();
}

/** The schema depends on the value. @param documented for the OpenAPI document and the type */
export function dependent<T extends z.ZodType>(
  documented: T,
  choose: (value: unknown) => z.ZodType,
): z.ZodType<z.output<T>> {
  return custom(documented, (value, report) => reportFaults(report, choose(value), value));
}

/** Checked as sent. @param documented as in {@link dependent} */
export function custom<T extends z.ZodType>(
  documented: T,
  check: (value: unknown, report: Report) => void,
): z.ZodType<z.output<T>> {
  return documentAs(
    documented,
    z.unknown().check(({ value, issues }) => {
      check(value, (message, ...path) => issues.push({ code: 'custom', message, path: [...path], input: value }));
    }),
  );
}

/** For several members. Sees the object as sent, even if a member is faulty. */
export function rule<T extends z.ZodType>(
  schema: T,
  check: (value: RawObject, report: Report) => void,
): z.ZodType<z.output<T>> {
  return custom(schema, (value, report) => {
    reportFaults(report, schema, value);
    if (isObject(value)) check(value, report);
  });
}

/** @returns the number of faults */
export function reportFaults(report: Report, schema: z.ZodType, value: unknown, ...at: (string | number)[]): number {
  const issues = issuesOf(schema, value);
  for (const { message, path } of issues) report(message, ...at, ...path.map(keyOf));
  return issues.length;
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}
