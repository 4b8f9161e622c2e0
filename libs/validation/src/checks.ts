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
