import { isDoc, own, setOwn, toInteger, type Doc } from '../bson/codec.js';
import { isNumeric } from '../bson/numbers.js';
import { isTrue } from '../bson/values.js';
import { compileExpression, type Expression } from '../expressions/expressions.js';
import { badValue, StoreError } from '../errors.js';
import type { Node } from './ast.js';
import { compile } from './match.js';
import { withMatchedElement } from './matched-index.js';
import { parseFilter } from './parse.js';

export type Projection = (doc: Doc) => Doc;

/** A node of the projection tree: how to treat a field and its children. */
interface Branch {
  children: Map<string, Branch>;
  keep?: boolean;
  /** Keeps only the position of a value that is computed later. */
  computed?: boolean;
  slice?: (items: unknown[]) => unknown[];
  match?: (item: unknown) => boolean;
}

interface Parsed {
  root: Branch;
  inclusive: boolean;
  /** undefined: not said */
  id: boolean | undefined;
  computed: { path: string[]; compute: Expression }[];
}

const branch = (): Branch => ({ children: new Map() });

/**
 * Compiles a projection. `find` allows `$slice` and `$elemMatch`; both forms take expressions.
 * Undefined when nothing is to be done.
 */
export function compileProjection(spec: unknown, variables: Doc, find: boolean, filter?: Node): Projection | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) throw new StoreError('TypeMismatch', 'a projection must be a document');
  if (Object.keys(spec).length === 0) {
    if (find) return undefined;
    throw new StoreError(
      'Location51272',
      'Invalid $project :: caused by :: projection specification must have at least one field',
      {},
      51272,
    );
  }
  const positional = Object.keys(spec).find((path) => path.endsWith('.$'));
  if (positional !== undefined && filter) return positionalProjection(spec, positional.slice(0, -2), variables, filter);
  const parsed = parse(spec, find);
  return (doc) => {
    const out = parsed.inclusive ? include(doc, parsed.root) : exclude(doc, parsed.root);
    for (const { path, compute } of parsed.computed) addAt(out, path, compute({ root: doc, variables }));
    return out;
  };
}

/** `{'a.$': 1}`: of the array, the element that the filter matched. */
function positionalProjection(spec: Doc, path: string, variables: Doc, filter: Node): Projection {
  const { [`${path}.$`]: asked, ...rest } = spec;
  if (!isTrue(asked) || path in rest)
    throw new StoreError(
      'Location31395',
      `positional projection of ${path} must be the only inclusion of it`,
      {},
      31395,
    );
  const others = compileProjection({ ...rest, [path]: asked }, variables, true) as Projection;
  const parts = path.split('.');
  return (doc) => {
    const narrowed = withMatchedElement(doc, filter, parts);
    if (!narrowed)
      throw new StoreError(
        'Location51246',
        `positional operator '.$' couldn't find a matching element in the array: the query must have a condition on ${path}`,
        {},
        51246,
      );
    return others(narrowed);
  };
}

function parse(spec: Doc, find: boolean): Parsed {
  const root = branch();
  const parsed: Parsed = { root, inclusive: false, id: undefined, computed: [] };
  let mode: boolean | undefined;
  let special = false;
  const decide = (inclusive: boolean, path: string): void => {
    if (mode !== undefined && mode !== inclusive) {
      const [code, what] = inclusive ? [31253, 'inclusion'] : [31254, 'exclusion'];
      throw new StoreError(
        `Location${code}`,
        `Cannot do ${what} on field ${path} in ${inclusive ? 'exclusion' : 'inclusion'} projection`,
        {},
        code,
      );
    }
    mode = inclusive;
  };
  for (const [path, value] of flatten(spec, '')) {
    const parts = checkedParts(path);
    if (isNumeric(value) || typeof value === 'boolean') {
      const keep = isTrue(value);
      if (path === '_id') parsed.id = keep;
      else decide(keep, path);
      if (path !== '_id' || !keep) leaf(root, parts).keep = keep;
    } else if (isDoc(value) && find && ('$slice' in value || '$elemMatch' in value)) {
      special = true;
      Object.assign(leaf(root, parts), arrayProjection(value, path));
      if ('$elemMatch' in value) decide(mode ?? true, path);
    } else {
      decide(true, path);
      parsed.computed.push({ path: parts, compute: compileExpression(value) });
      leaf(root, parts).computed = true;
      if (path === '_id') parsed.id = false;
    }
  }
  // {_id: 1} alone includes, {_id: 0} alone excludes, {a: {$slice: n}} alone keeps everything else
  parsed.inclusive = mode ?? (parsed.id === true && !special);
  if (parsed.inclusive && parsed.id !== false && !root.children.has('_id')) leaf(root, ['_id']).keep = true;
  if (parsed.inclusive && parsed.id === false) root.children.delete('_id');
  return parsed;
}

/** `{a: {b: 1}}` means `{'a.b': 1}`. */
function flatten(spec: Doc, prefix: string): [string, unknown][] {
  return Object.entries(spec).flatMap(([name, value]): [string, unknown][] => {
    const inner = isDoc(value) ? Object.keys(value) : [];
    if (isDoc(value) && inner.length > 0 && !inner.some((key) => key.startsWith('$')))
      return flatten(value, `${prefix}${name}.`);
    if (isDoc(value) && inner.length === 0)
      throw new StoreError('Location51270', 'An empty sub-projection is not a valid value', {}, 51270);
    return [[prefix + name, value]];
  });
}

function checkedParts(path: string): string[] {
  const parts = path.split('.');
  if (parts.some((part) => part === ''))
    throw new StoreError('Location40353', `FieldPath '${path}' must not have empty parts`, {}, 40353);
  if (parts.at(-1) === '$')
    throw new StoreError(
      'Location31394',
      "As of 4.4, it's illegal to use the positional projection here, or twice",
      {},
      31394,
    );
  if (parts.some((part) => part.startsWith('$')))
    throw new StoreError(
      'Location16410',
      "FieldPath field names may not start with '$'. Consider using $getField or $setField",
      {},
      16410,
    );
  return parts;
}

function leaf(root: Branch, parts: string[]): Branch {
  let node = root;
  parts.forEach((part, index) => {
    if (node.keep !== undefined && index > 0)
      throw new StoreError('Location31249', `Path collision at ${parts.join('.')}`, {}, 31249);
    let next = node.children.get(part);
    if (!next) node.children.set(part, (next = branch()));
    node = next;
  });
  if (node.children.size > 0) throw new StoreError('Location31250', `Path collision at ${parts.join('.')}`, {}, 31250);
  return node;
}

function arrayProjection(value: Doc, path: string): Partial<Branch> {
  if (Object.keys(value).length !== 1) throw badValue(`>1 field in the projection of ${path}`);
  if ('$elemMatch' in value) {
    const wrapped = parseFilter({ [path.split('.').at(-1) as string]: { $elemMatch: value.$elemMatch } });
    const name = path.split('.').at(-1) as string;
    if (path.includes('.')) throw badValue('Cannot use $elemMatch projection on a nested field');
    const test = compile(wrapped);
    return { keep: true, match: (item) => test({ [name]: [item] }) };
  }
  const { $slice } = value;
  if (Array.isArray($slice)) {
    const [skip, limit] = [toInteger($slice[0], '$slice'), toInteger($slice[1], '$slice')];
    if (limit <= 0) throw badValue('$slice limit must be positive');
    return { slice: (items) => items.slice(skip < 0 ? Math.max(0, items.length + skip) : skip).slice(0, limit) };
  }
  const count = toInteger($slice, '$slice');
  return { slice: (items) => (count < 0 ? items.slice(count) : items.slice(0, count)) };
}

function include(doc: Doc, node: Branch): Doc {
  const out: Doc = {};
  // fields keep the order of the document, not of the projection
  for (const [name, value] of Object.entries(doc)) {
    const child = node.children.get(name);
    if (!child) continue;
    const kept = includeValue(value, child);
    if (kept !== undefined) setOwn(out, name, kept);
  }
  return out;
}

function includeValue(value: unknown, node: Branch): unknown {
  if (node.match) {
    const hit: unknown = Array.isArray(value) ? value.find(node.match) : undefined;
    return hit === undefined ? undefined : [hit];
  }
  if (node.slice && Array.isArray(value)) return node.slice(value);
  if (node.computed) return undefined;
  if (node.children.size === 0) return value;
  if (Array.isArray(value)) {
    const places = holdsComputed(node);
    return value.flatMap((item) =>
      isDoc(item) || Array.isArray(item) ? [includeValue(item, node)] : places ? [{}] : [],
    );
  }
  return isDoc(value) ? include(value, node) : undefined;
}

const holdsComputed = (node: Branch): boolean =>
  node.computed === true || [...node.children.values()].some(holdsComputed);

function exclude(doc: Doc, node: Branch): Doc {
  const out: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const child = node.children.get(name);
    const kept = child ? excludeValue(value, child) : value;
    if (kept !== undefined) setOwn(out, name, kept);
  }
  return out;
}

function excludeValue(value: unknown, node: Branch): unknown {
  if (node.keep === false) return undefined;
  if (node.slice) return Array.isArray(value) ? node.slice(value) : value;
  if (Array.isArray(value)) return value.map((item) => excludeValue(item, node));
  return isDoc(value) ? exclude(value, node) : value;
}

/** Puts a computed value at a path, into every element where the path meets an array (as `$addFields` does). */
export function addAt(target: Doc, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) delete target[first];
    else setOwn(target, first, value);
    return;
  }
  const present = own(target, first);
  setOwn(target, first, withAdded(present, rest, value));
}

function withAdded(present: unknown, rest: readonly string[], value: unknown): unknown {
  if (Array.isArray(present)) return present.map((item) => withAdded(item, rest, value));
  const copy: Doc = isDoc(present) ? { ...present } : {};
  addAt(copy, rest, value);
  return copy;
}
