import { ValidationFailed } from '../errors/common.errors.js';
import { findHostileJson, MAX_DEPTH, MAX_KEYS, TOO_MANY_KEYS } from '../validation/hostile-json.js';

const MAX_KEY_BYTES = 65_536;

export type Container = unknown[] | Record<string, unknown>;

/** An incomplete list or object; has a target once a part was parsed separately. */
export interface Level {
  readonly isList: boolean;
  readonly start: number;
  readonly depth: number;
  readonly parent: Level | undefined;
  target?: Container;
  path: string;
  key: string | number;
  /** Start of the part that is not in the target yet. */
  from: number;
  comma: number;
  entries: number;
  /** A list named `data` of whole numbers only, perhaps the bytes of a file. Counted when complete. */
  isPlain: boolean;
  afterValue: boolean;
  isEmpty: boolean;
}

export function refuseHostile(value: unknown, { path, depth }: Level, offset = 0): void {
  const fault = findHostileJson(value, { path, offset, depth });
  if (fault !== undefined) throw new ValidationFailed([fault]);
}

/** False if it, or its container, was replaced since. */
export function isStillThere(level: Level): boolean {
  for (let at = level; at.parent !== undefined; at = at.parent) {
    if ((at.parent.target as Record<string, unknown>)[at.key] !== at.target) return false;
  }
  return true;
}

export function refuseLongKey({ path }: Level, length: number): void {
  if (length > MAX_KEY_BYTES)
    throw new ValidationFailed([`${path || 'the body'} has a key of more than ${MAX_KEY_BYTES} bytes`]);
}

export function refuseMasses(keys: number): void {
  if (keys > MAX_KEYS) throw new ValidationFailed([TOO_MANY_KEYS]);
}

export function refuseDepth(): never {
  throw new ValidationFailed([`the body is nested deeper than ${MAX_DEPTH} levels`]);
}
