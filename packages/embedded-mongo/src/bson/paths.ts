import { isDoc, own, type Doc } from './codec.js';

const NUMERIC = /^(0|[1-9]\d*)$/;

export const isIndexPart = (part: string): boolean => NUMERIC.test(part);

/**
 * Calls `test` with every value that a dotted path reaches in a document, as MongoDB's matcher does, until one answers true:
 * arrays on the way are entered (documents inside them, or the element that a numeric part names), and an array at the end gives
 * its elements first and then itself. A missing field is reported once as `undefined`, but not from inside arrays of scalars.
 *
 * @param leaves false to report an array at the end only as itself (`$size`, `$elemMatch`)
 */
export function someAtPath(
  root: unknown,
  parts: readonly string[],
  test: (value: unknown) => boolean,
  leaves = true,
  at = 0,
): boolean {
  if (at === parts.length) {
    if (leaves && Array.isArray(root)) {
      for (const item of root) if (test(item === undefined ? null : item)) return true;
    }
    return test(root);
  }
  const part = parts[at] as string;
  if (isDoc(root)) return someAtPath(own(root, part), parts, test, leaves, at + 1);
  if (!Array.isArray(root)) return test(undefined);
  const numeric = isIndexPart(part);
  if (numeric) {
    const item: unknown = root[Number(part)];
    if (item !== undefined && (at + 1 === parts.length ? testItem(item, test, leaves) : enters(item))) {
      if (at + 1 === parts.length) return true;
      if (someAtPath(item, parts, test, leaves, at + 1)) return true;
    }
  }
  for (const item of root) {
    if (!isDoc(item) || (numeric && !Object.hasOwn(item, part))) continue;
    if (someAtPath(item, parts, test, leaves, at)) return true;
  }
  return false;
}

const enters = (item: unknown): boolean => isDoc(item) || Array.isArray(item);

/** An element that is named by its position is taken whole; if it is an array, its elements count as well. */
function testItem(item: unknown, test: (value: unknown) => boolean, leaves: boolean): boolean {
  if (leaves && Array.isArray(item) && item.some((inner) => test(inner))) return true;
  return test(item);
}

/** Every value that a path reaches, with an array at its end opened once; for `distinct` and `$lookup`. */
export function valuesAtPath(root: Doc, parts: readonly string[]): unknown[] {
  const found: unknown[] = [];
  const collect = (value: unknown): boolean => {
    if (Array.isArray(value)) for (const item of value) found.push(item);
    else if (value !== undefined) found.push(value);
    return false;
  };
  someAtPath(root, parts, collect, false);
  return found;
}

/**
 * The value at a path for expressions: an array on the way gives an array of what its documents have there. Positions in arrays
 * mean nothing here, and arrays directly inside arrays are not entered.
 */
export function valueAtPath(root: unknown, parts: readonly string[], at = 0): unknown {
  if (at === parts.length) return root;
  if (Array.isArray(root)) {
    const found: unknown[] = [];
    for (const item of root) {
      const value = isDoc(item) ? valueAtPath(item, parts, at) : undefined;
      if (value !== undefined) found.push(value);
    }
    return found;
  }
  return isDoc(root) ? valueAtPath(own(root, parts[at] as string), parts, at + 1) : undefined;
}

/** What a sort or an index sees at one end of an array-valued path. */
export function rowsAtPaths(
  root: unknown,
  paths: readonly (readonly string[])[],
): { rows: unknown[][]; multi: Set<number> } | 'parallel' {
  const multi = new Set<number>();
  const rows = expand(
    paths.map((parts) => ({ node: root, parts, at: 0, done: false })),
    multi,
  );
  return rows ? { rows, multi } : 'parallel';
}

interface Walk {
  node: unknown;
  parts: readonly string[];
  at: number;
  done: boolean;
}

function advance(walk: Walk): Walk {
  let { node, at } = walk;
  const { parts } = walk;
  if (walk.done) return walk;
  while (at < parts.length) {
    const part = parts[at] as string;
    if (isDoc(node)) node = own(node, part);
    else if (Array.isArray(node) && isIndexPart(part)) node = node[Number(part)] as unknown;
    else break;
    at++;
  }
  if (at < parts.length && !Array.isArray(node)) return { node: undefined, parts, at: parts.length, done: true };
  return { node, parts, at, done: !Array.isArray(node) };
}

/** Undefined when two different arrays would have to be combined. Missing values are null, an empty array's value is undefined. */
function expand(walks: Walk[], multi: Set<number>): unknown[][] | undefined {
  const ahead = walks.map(advance);
  const open = ahead.filter((walk) => !walk.done);
  const first = open[0];
  if (!first) return [ahead.map((walk) => (walk.node === undefined ? (walk.at < 0 ? undefined : null) : walk.node))];
  if (open.some((walk) => walk.node !== first.node)) return undefined;
  ahead.forEach((walk, index) => {
    if (!walk.done) multi.add(index);
  });
  const items = first.node as unknown[];
  // at = -1 marks the value of an empty array, which sorts before null
  const empty = (walk: Walk): Walk => ({
    ...walk,
    node: undefined,
    at: walk.at === walk.parts.length ? -1 : walk.parts.length,
    done: true,
  });
  const step = (walk: Walk, item: unknown): Walk => {
    if (walk.at === walk.parts.length) return { ...walk, node: item, done: true };
    return isDoc(item) ? { ...walk, node: item } : { ...walk, node: undefined, at: walk.parts.length, done: true };
  };
  const rows: unknown[][] = [];
  for (const item of items.length > 0 ? items : [undefined]) {
    const next = ahead.map((walk) => (walk.done ? walk : items.length > 0 ? step(walk, item) : empty(walk)));
    const more = expand(next, multi);
    if (!more) return undefined;
    rows.push(...more);
  }
  return rows;
}
