import { isDoc, own, setOwn, type Doc } from '../bson/codec.js';
import { badValue, StoreError } from '../errors.js';
import { isIndexPart } from '../bson/paths.js';

const MAX_PADDING = 1_500_000;

function notViable(part: string, holder: unknown): StoreError {
  const kind = Array.isArray(holder) ? 'an array' : holder === null ? 'null' : 'a value that is not a document';
  return new StoreError('PathNotViable', `Cannot create field '${part}' in ${kind}`);
}

/** The value at an update path: array elements are named by position only; undefined when something on the way is missing. */
export function getAt(root: unknown, parts: readonly string[]): unknown {
  let node = root;
  for (const part of parts) {
    if (Array.isArray(node)) node = isIndexPart(part) ? (node[Number(part)] as unknown) : undefined;
    else node = isDoc(node) ? own(node, part) : undefined;
  }
  return node;
}

/** Sets the value at an update path and creates the documents that are missing on the way. */
export function setAt(root: Doc, parts: readonly string[], value: unknown): void {
  let node: unknown = root;
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    if (Array.isArray(node)) {
      if (!isIndexPart(part)) throw notViable(part, node);
      const at = Number(part);
      if (at - node.length > MAX_PADDING) throw badValue(`cannot pad an array by more than ${MAX_PADDING} elements`);
      while (node.length < at) node.push(null);
      if (last) node[at] = value;
      else if (node[at] === undefined) node[at] = {};
      node = node[at] as unknown;
    } else if (isDoc(node)) {
      if (last) setOwn(node, part, value);
      else if (!Object.hasOwn(node, part)) setOwn(node, part, {});
      node = own(node, part);
    } else {
      throw notViable(part, node);
    }
  });
}

/** Removes a field; an array element becomes null so that the others keep their places. */
export function unsetAt(root: Doc, parts: readonly string[]): void {
  const holder = getAt(root, parts.slice(0, -1));
  const last = parts.at(-1) as string;
  if (Array.isArray(holder)) {
    if (isIndexPart(last) && Number(last) < holder.length) holder[Number(last)] = null;
  } else if (isDoc(holder)) {
    delete holder[last];
  }
}

/** How `$`, `$[]` and `$[name]` in an update path are resolved for one document. */
export interface Positions {
  /** Index of the array element that the filter matched, for `$`; the argument is the path of the array. */
  matched: (arrayPath: string[]) => number | undefined;
  filters: ReadonlyMap<string, (element: unknown) => boolean>;
}

export const isPositional = (part: string): boolean => part === '$' || part.startsWith('$[');

/** The concrete paths that a path with positional parts stands for in this document. */
export function resolvePositions(root: Doc, parts: readonly string[], positions: Positions): string[][] {
  const at = parts.findIndex(isPositional);
  if (at < 0) return [[...parts]];
  const part = parts[at] as string;
  const before = parts.slice(0, at);
  const array = getAt(root, before);
  const path = before.join('.');
  if (part === '$') {
    const index = positions.matched(before);
    if (index === undefined) throw badValue('The positional operator did not find the match needed from the query.');
    return resolvePositions(root, [...before, String(index), ...parts.slice(at + 1)], positions);
  }
  if (array === undefined)
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(array)) throw badValue(`Cannot apply array updates to non-array element ${path}`);
  const name = part.slice(2, -1);
  const test = name === '' ? (): boolean => true : positions.filters.get(name);
  if (!test) throw badValue(`No array filter found for identifier '${name}' in path '${parts.join('.')}'`);
  return array.flatMap((item, index) =>
    test(item) ? resolvePositions(root, [...before, String(index), ...parts.slice(at + 1)], positions) : [],
  );
}
