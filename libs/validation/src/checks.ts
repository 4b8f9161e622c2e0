export type RawObject = Record<string, unknown>;

/** What is stored of an object in which null stands for absent. */
export type WithoutNull<T> = { [K in keyof T]: Exclude<T[K], null> };

/** Clients send null for what they leave out. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Whether it is an object with named members: neither null nor a list. */
export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that reach into JavaScript's object machinery rather than into data. */
const FORBIDDEN_SEGMENTS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isForbiddenSegment(segment: string): boolean {
  return FORBIDDEN_SEGMENTS.has(segment);
}
