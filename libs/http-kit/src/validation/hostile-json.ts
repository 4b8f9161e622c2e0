import { MAX_KEYS, TOO_MANY_KEYS } from './json-masses.js';

/** Keys that reach for prototypes (decisions 3.4), or that the store's driver takes for marks of its own. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype', '_bsontype', 'isMongooseBuffer']);
/** Half of a character: it cannot be written as UTF-8, so no store gives it back as it came, and some checks throw on it. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const MAX_DEPTH = 64;

/**
 * Looks for what no honest client sends: keys that reach for prototypes (decisions 3.4), keys and texts that no store can
 * hold, nesting that exhausts a stack, masses of keys. Iterative, so that it cannot be brought down by what it looks for.
 * @returns the fault with its path, or undefined
 */
export function findHostileJson(body: unknown): string | undefined {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: body, path: '', depth: 0 }];
  let seen = 0;
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, path, depth } = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) return `${path.slice(0, 200)} is nested deeper than ${MAX_DEPTH} levels`;
    // Before anything is made of each entry: ten million of them take seconds.
    if (Array.isArray(value) && seen + value.length > MAX_KEYS) return TOO_MANY_KEYS;
    for (const [key, child] of Object.entries(value)) {
      if (++seen > MAX_KEYS) return TOO_MANY_KEYS;
      const childPath = path === '' ? key : `${path}.${key}`;
      if (DANGEROUS_KEYS.has(key)) return `${childPath} is not allowed as a key`;
      if (key.includes('\0')) return `${path === '' ? 'the body' : path} has a key with a null character`;
      if (LONE_SURROGATE.test(key)) return `${path === '' ? 'the body' : path} has a key that is no valid Unicode`;
      if (typeof child === 'string' && LONE_SURROGATE.test(child)) return `${childPath} must be valid Unicode`;
      if (typeof child === 'object' && child !== null) open.push({ value: child, path: childPath, depth: depth + 1 });
    }
  }
  return undefined;
}

/**
 * The paths of keys that begin with `$` in a free-form object (decisions 3.4): stores take them for operators.
 */
export function findOperatorKeys(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const childPath = `${path}.${key}`;
    return key.startsWith('$') ? [childPath] : findOperatorKeys(child, childPath);
  });
}
