import { isDeepStrictEqual } from 'node:util';
import { isObject, type RawObject } from '#libs/validation';
import { withStepNames } from '../portable-steps.js';

export const DIFFERENCE_KINDS = ['added', 'removed', 'changed', 'moved'] as const;

/** One difference between two definitions. */
export interface Difference {
  /** The names that lead to the value. A step or variant is named by its `uuid`. */
  readonly path: readonly string[];
  /** `moved`: the same entries in another order, which `before` and `after` list by `uuid`. */
  readonly kind: (typeof DIFFERENCE_KINDS)[number];
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Lists of entries with a `uuid` are compared entry by entry; other lists and plain values as a whole. */
export function differencesOf(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ path, kind: 'added', after }];
  if (after === undefined) return [{ path, kind: 'removed', before }];
  const [former, latter] = [entriesOf(before), entriesOf(after)];
  if (former && latter) return ofLists(former, latter, path);
  if (isObject(before) && isObject(after)) return ofMembers(before, after, path);
  return [{ path, kind: 'changed', before, after }];
}

function ofMembers(before: RawObject, after: RawObject, path: readonly string[]): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete('uuid');
  return [...names].flatMap((name) => differencesOf(before[name], after[name], [...path, name]));
}

type Entries = ReadonlyMap<string, RawObject>;

function ofLists(before: Entries, after: Entries, path: readonly string[]): Difference[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  const inEach = [...names].flatMap((name) => differencesOf(before.get(name), after.get(name), [...path, name]));
  const [former, latter] = [common(before, after), common(after, before)];
  if (isDeepStrictEqual(former, latter)) return inEach;
  return [{ path, kind: 'moved', before: former, after: latter }, ...inEach];
}

function common(entries: Entries, others: Entries): string[] {
  return [...entries.keys()].filter((name) => others.has(name));
}

/** Undefined for what is no list of entries with a `uuid` each. */
function entriesOf(value: unknown): Entries | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = (value as unknown[]).filter((entry) => isObject(entry) && typeof entry['uuid'] === 'string');
  if (named.length !== value.length) return undefined;
  return new Map((named as RawObject[]).map((entry) => [entry['uuid'] as string, entry]));
}

type Definition = object | null;

/** With the names of steps that definitions leave out, by which steps are compared. */
function named(definition: Definition): Definition {
  return definition === null || !('steps' in definition)
    ? definition
    : { ...definition, steps: withStepNames(definition.steps) };
}

/** What differs between definitions of two environments, of which null is none. */
export const workflowDifferences = {
  named: (before: Definition, after: Definition): [Definition, Definition] => [named(before), named(after)],
  of: (before: Definition, after: Definition): Difference[] =>
    after === null ? [] : before === null ? ofNew(after) : differencesOf(before, after),
};

/** Each step is one of its own, after what the workflow says. */
function ofNew(after: object): Difference[] {
  const { steps, ...rest } = after as { readonly steps?: unknown };
  return [...differencesOf({}, rest), ...(steps === undefined ? [] : differencesOf([], steps, ['steps']))];
}
