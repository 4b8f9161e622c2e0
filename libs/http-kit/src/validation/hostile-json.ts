import { z } from 'zod';
import { custom, faultsOf, isObject, type Report } from '#libs/validation';

/** They reach prototypes or have a meaning for the store's driver. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype', '_bsontype', 'isMongooseBuffer']);
export const MAX_DEPTH = 64;
/** More keys and entries than a real body has. */
export const MAX_KEYS = 200_000;
export const TOO_MANY_KEYS = `the body has more than ${MAX_KEYS} keys and entries`;

export interface Place {
  readonly path: string;
  /** Number of preceding entries in its list. */
  readonly offset: number;
  readonly depth: number;
}

const WHOLE: Place = { path: '', offset: 0, depth: 0 };

/**
 * Keys that reach prototypes, keys and texts that no store can hold, excessive nesting, masses of keys.
 * @returns the fault with its path, or undefined
 */
export function findHostileJson(body: unknown, place = WHOLE): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  return countHarmless(body, MAX_DEPTH - place.depth) <= MAX_KEYS ? undefined : faultOf(body, place);
}

/** Infinity if any part is hostile. Builds no paths, which only faults need. */
function countHarmless(value: object, levels: number): number {
  if (levels <= 0) return Infinity;
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const size = names?.length ?? (value as unknown[]).length;
  let seen = size;
  for (let at = 0; at < size; at++) {
    const key = names?.[at];
    if (key !== undefined && !isHarmlessKey(key)) return Infinity;
    const child = key === undefined ? (value as unknown[])[at] : (value as Record<string, unknown>)[key];
    if (typeof child === 'string') {
      if (!child.isWellFormed()) return Infinity;
    } else if (typeof child === 'object' && child !== null) seen += countHarmless(child, levels - 1);
  }
  return seen;
}

function isHarmlessKey(key: string): boolean {
  return !DANGEROUS_KEYS.has(key) && !key.includes('\0') && key.isWellFormed();
}

/** Iterative, so that deep nesting cannot exhaust the stack. */
function faultOf(body: unknown, place: Place): string | undefined {
  const open: (Place & { value: unknown })[] = [{ value: body, ...place }];
  let seen = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, path, depth, offset } = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) {
      return `${path.slice(0, 200) || 'the body'} is nested deeper than ${MAX_DEPTH} levels`;
    }
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const size = names?.length ?? (value as unknown[]).length;
    seen += size;
    if (seen > MAX_KEYS) return TOO_MANY_KEYS;
    for (let at = 0; at < size; at++) {
      const key = names?.[at];
      const child = key === undefined ? (value as unknown[])[at] : (value as Record<string, unknown>)[key];
      const fault = key === undefined ? undefined : keyFault(key, path);
      if (fault !== undefined) return fault;
      if (typeof child === 'string' ? child.isWellFormed() : typeof child !== 'object' || child === null) continue;
      // A lone surrogate has no UTF-8 form: no store returns it unchanged, and some checks throw.
      if (typeof child === 'string') return `${pathOf(path, key ?? at + offset)} must be valid Unicode`;
      open.push({ value: child, path: pathOf(path, key ?? at + offset), offset: 0, depth: depth + 1 });
    }
  }
  return undefined;
}

function keyFault(key: string, path: string): string | undefined {
  if (isHarmlessKey(key)) return undefined;
  if (DANGEROUS_KEYS.has(key)) return `${pathOf(path, key)} is not allowed as a key`;
  const fault = key.includes('\0') ? 'a key with a null character' : 'a key that is no valid Unicode';
  return `${path || 'the body'} has ${fault}`;
}

export function pathOf(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

/** More than a real free-form object has. Each copy takes the store's driver some 20 ms. */
const MAX_VALUES = 50_000;
/** Many keys cost much more than a list of the same length. */
const MAX_OBJECT_KEYS = 10_000;

export const freeForm = custom(z.record(z.string(), z.unknown()), (value, report) => {
  if (isObject(value) && countWithoutOperators(value) <= MAX_VALUES) return;
  const fault = isObject(value) ? massFault(value) : 'must be an object';
  if (fault !== undefined) return report(fault);
  reportOperatorKeys(value, report);
});

/** Stores treat keys that begin with `$` as operators. */
export function reportOperatorKeys(value: unknown, report: Report): void {
  for (const path of findOperatorKeys(value, '')) report('is not allowed: keys must not begin with $', path.slice(1));
}

export function operatorKeyFaults(value: unknown, path: string): string[] {
  return faultsOf(withoutOperatorKeys, value, path);
}

const withoutOperatorKeys = custom(z.unknown(), reportOperatorKeys);

/** Infinity with an operator key or an object that is too large. */
function countWithoutOperators(value: object): number {
  if (Array.isArray(value)) {
    let seen = value.length;
    for (const entry of value as unknown[]) {
      if (typeof entry === 'object' && entry !== null) seen += countWithoutOperators(entry);
    }
    return seen;
  }
  const names = Object.keys(value);
  if (names.length > MAX_OBJECT_KEYS) return Infinity;
  let seen = names.length;
  for (const name of names) {
    if (name.startsWith('$')) return Infinity;
    const child = (value as Record<string, unknown>)[name];
    if (typeof child === 'object' && child !== null) seen += countWithoutOperators(child);
  }
  return seen;
}

function massFault(value: object): string | undefined {
  const open: object[] = [value];
  let seen = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const values: unknown[] = Array.isArray(item) ? item : Object.values(item);
    if (values.length > MAX_OBJECT_KEYS && !Array.isArray(item)) {
      return `has an object of more than ${MAX_OBJECT_KEYS} keys. Use a list for so many values`;
    }
    seen += values.length;
    if (seen > MAX_VALUES) return `has more than ${MAX_VALUES} keys and entries. Send fewer`;
    for (const child of values) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return undefined;
}

export function findOperatorKeys(value: unknown, path: string): string[] {
  const found: string[] = [];
  collectOperatorKeys(value, [path], found);
  return found;
}

/** Builds the path only for findings: masses of texts would cost more than the search. */
function collectOperatorKeys(value: unknown, path: (string | number)[], found: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const size = names?.length ?? (value as unknown[]).length;
  for (let at = 0; at < size; at++) {
    const key = names?.[at] ?? at;
    const child = (value as Record<string | number, unknown>)[key];
    const isOperator = typeof key === 'string' && key.startsWith('$');
    if (isOperator) found.push([...path, key].join('.'));
    if (isOperator || typeof child !== 'object' || child === null) continue;
    path.push(key);
    collectOperatorKeys(child, path, found);
    path.pop();
  }
}

/**
 * Null characters, and keys that reach prototypes or have a meaning for the driver. Skips requests without a query,
 * because some frameworks parse it on first access.
 * @returns the fault, or undefined
 */
export function queryFault(request: { readonly url: string; readonly query: unknown }): string | undefined {
  if (request.url.includes('%00')) return 'the address must not hold null characters';
  return request.url.includes('?') ? findHostileJson(request.query) : undefined;
}
