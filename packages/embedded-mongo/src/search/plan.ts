import { MaxKey, MinKey } from 'bson';
import { after } from '../bson/keys.js';
import { numberOf } from '../bson/numbers.js';
import type { Collection } from '../store/collection.js';
import type { Index } from '../store/index.js';
import { conjuncts, type Node } from '../query/ast.js';
import { boundsOf, type FieldBounds, intersect, type Interval, inverted } from './bounds.js';
import { KIND, kindOf } from '../bson/values.js';
import { valueTest } from '../query/match.js';
import type { SortSpec } from '../bson/sort.js';

export interface KeyRange {
  start: Buffer;
  end: Buffer;
  /** Position in its keys where the requested order begins; fields before it are equal in the whole range. */
  orderAt: number;
  /** The whole key, when it can only be one: a unique index with a value for every field. */
  key?: Buffer;
}

/** How to find the candidates of a filter. */
export type Plan = IndexPlan | { type: 'union'; branches: Plan[]; exact: false; sorted: false };

export interface IndexPlan {
  type: 'index';
  index: Index;
  ranges: KeyRange[];
  reverse: boolean;
  /** Every candidate matches the filter: no document needs to be looked at. */
  exact: boolean;
  /** Candidates come in the requested order; several ranges are merged by their keys. */
  sorted: boolean;
  /** Conditions that the ranges make use of: 0 is a scan of everything. */
  used: number;
  points: number;
}

/** The lowest byte after a number in descending order that is not that of a greater decimal. */
const FIRST_AFTER_NUMBER = Buffer.from([1]);
/** Most ranges that combinations of `$in` lists may give. A single list of values may be longer: each is a look-up. */
const MAX_RANGES = 1000;
const MAX_LOOK_UPS = 100_000;
const ESTIMATE_LIMIT = 2000;

export interface PlanRequest {
  filter: Node;
  sort: SortSpec;
  /** Number of results wanted, if limited. */
  limit?: number;
  /** Name of the index to use, from a hint. */
  hint?: string;
}

/** Chooses how to find the documents of a filter; the answer never depends on the choice, only its cost does. */
export function plan(
  collection: Collection,
  request: PlanRequest,
  estimate: (plan: IndexPlan, limit: number) => number,
): Plan {
  const conditions = conjuncts(request.filter);
  const scan = indexPlan(collection.primary, conditions, request.sort) as IndexPlan;
  if (isLookUp(scan) && request.hint === undefined) return scan;
  const all = [
    scan,
    ...collection.indexes.flatMap((index) =>
      index.hidden && index.name !== request.hint ? [] : (indexPlan(index, conditions, request.sort) ?? []),
    ),
  ];
  const hinted =
    request.hint === undefined ? undefined : all.find((candidate) => candidate.index.name === request.hint);
  if (hinted) return hinted;
  const single = all.find(isLookUp);
  if (single) return single;
  const sortWanted = request.sort.length > 0;
  const useful = all.filter((candidate) => candidate.used > 0 || (sortWanted && candidate.sorted));
  const bounded = useful.filter((candidate) => candidate.used > 0);
  if (bounded.length === 0) {
    const union = unionPlan(collection, conditions, estimate);
    if (union) return union;
    return useful.find((candidate) => candidate.sorted) ?? scan;
  }
  if (useful.length === 1) return useful[0] as IndexPlan;
  return cheapest(useful, request, estimate);
}

/** The plan with an index that was chosen before for a query of the same shape; undefined if the values no longer allow it. */
export function planWith(index: Index, { filter, sort }: PlanRequest): IndexPlan | undefined {
  return indexPlan(index, conjuncts(filter), sort);
}

/**
 * What the choice of an index may be kept by: the paths and operators of a query without its values.
 *
 * @param decisive paths whose values decide which indexes may be used
 */
export function shapeOf({ filter, sort, limit }: PlanRequest, decisive: ReadonlySet<string>): string {
  let order = limit === undefined ? 'all' : 'some';
  for (const { path, direction } of sort) order += `${direction < 0 ? '-' : '+'}${path.join('.')}`;
  return `${order}|${shapeOfNode(filter, decisive)}`;
}

function shapeOfNode(node: Node, decisive: ReadonlySet<string>): string {
  switch (node.type) {
    case 'and':
    case 'or':
    case 'nor':
      return `${node.type}(${node.nodes.map((inner) => shapeOfNode(inner, decisive)).join()})`;
    case 'not':
      return `!${shapeOfNode(node.node, decisive)}`;
    case 'expr':
      return '$expr';
    case 'compare':
    case 'in': {
      const path = node.path.join('.');
      const values = node.type === 'in' ? node.values : [node.value];
      const known = decisive.has(path) ? values.map(literalOf) : values.slice(0, 3).map(kindOf);
      return `${path} ${node.type === 'in' ? 'in' : node.op}${node.collation ? ' collated' : ''} ${known.join()}`;
    }
    default:
      return `${node.path.join('.')} ${node.type}`;
  }
}

/** A value by which a partial index may be told to serve; long and composed ones are not told apart. */
function literalOf(value: unknown): string {
  const kind = kindOf(value);
  if (kind === KIND.Number) return String(numberOf(value));
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return kind === KIND.Boolean ? String(value) : `#${kind}`;
}

/** One key of a unique index: nothing can be cheaper. */
const isLookUp = ({ ranges }: IndexPlan): boolean => ranges.length === 1 && ranges[0]?.key !== undefined;

function cheapest(
  candidates: IndexPlan[],
  { sort, limit }: PlanRequest,
  estimate: (plan: IndexPlan, limit: number) => number,
): IndexPlan {
  let best = candidates[0] as IndexPlan;
  const everything = limit === undefined ? Number.MAX_SAFE_INTEGER : ESTIMATE_LIMIT * 4;
  let lowest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const found = candidate.used === 0 ? everything : estimate(candidate, ESTIMATE_LIMIT);
    const sorted = sort.length === 0 || candidate.sorted;
    const likely = found >= ESTIMATE_LIMIT ? found * 10 : found;
    // with an index in the right order a limited query stops early when every candidate matches
    const read = sorted && limit !== undefined && candidate.exact ? Math.min(likely, limit) : likely;
    const cost =
      read * (sorted ? 1 : 1.5) -
      candidate.points * 0.01 -
      (candidate.exact ? 0.005 : 0) -
      (sort.length > 0 && sorted ? 0.003 : 0) -
      (candidate.index.unique ? 0.002 : 0);
    if (cost < lowest) {
      lowest = cost;
      best = candidate;
    }
  }
  return best;
}

function unionPlan(
  collection: Collection,
  conditions: Node[],
  estimate: (plan: IndexPlan, limit: number) => number,
): Plan | undefined {
  for (const condition of conditions) {
    if (condition.type !== 'or') continue;
    const others = conditions.filter((other) => other !== condition);
    const branches = condition.nodes.map((node) =>
      plan(collection, { filter: { type: 'and', nodes: [...others, node] }, sort: [] }, estimate),
    );
    if (branches.every((branch) => branch.type === 'union' || branch.used > 0))
      return { type: 'union', branches, exact: false, sorted: false };
  }
  return undefined;
}

/** The plan that an index allows, or undefined when it may lack documents that the filter wants. */
function indexPlan(index: Index, conditions: Node[], sort: SortSpec): IndexPlan | undefined {
  const implied = index.partial ? impliedConditions(index.partial, conditions) : new Set<Node>();
  if (!implied) return undefined;
  const covered = new Set<Node>(implied);
  const fields: FieldBounds[] = [];
  const firsts = new Set<string>();
  let ranges = 1;
  let used = 0;
  for (const [position, path] of index.paths.entries()) {
    const multi = index.multi.has(position);
    // entries pair values of the same array element; two conditions may be met by different elements
    if (multi && firsts.has(path[0] as string)) break;
    const found = fieldBounds(index, position, conditions);
    if (!found || tooMany(found.bounds, ranges)) break;
    const { bounds, nodes } = found;
    if (bounds.exact) nodes.forEach((node) => covered.add(node));
    fields.push(bounds);
    if (multi) firsts.add(path[0] as string);
    ranges *= bounds.intervals.length;
    used++;
    if (bounds.intervals.some((interval) => !interval.point)) break;
  }
  if (index.sparse && used === 0) return undefined;
  // a compound sparse index leaves out documents without any of its fields; bounds on the first field exclude those
  const points = fields.filter(({ intervals }) => intervals.every((interval) => interval.point)).length;
  const order = sortOrder(index, fields, points, sort);
  const exact =
    !index.shortened && fields.every((field) => field.exact) && conditions.every((condition) => covered.has(condition));
  return {
    type: 'index',
    index,
    ranges: combine(index, fields, order?.from ?? 0, index.unique && points === index.paths.length),
    reverse: order?.reverse ?? index.flipped,
    exact,
    sorted: order !== undefined,
    used,
    points,
  };
}

/** Whether so many ranges would cost more than they save. Looking up values costs no more than reading them would. */
function tooMany({ intervals }: FieldBounds, before: number): boolean {
  if (before * intervals.length <= MAX_RANGES) return false;
  return before > 1 || intervals.length > MAX_LOOK_UPS || !intervals.every(({ point }) => point);
}

/** All conditions on one field taken together, and which of them are in the bounds. */
function fieldBounds(
  index: Index,
  position: number,
  conditions: Node[],
): { bounds: FieldBounds; nodes: Node[] } | undefined {
  const name = (index.paths[position] as string[]).join('.');
  const multi = index.multi.has(position);
  const facts = { multi, sparse: index.sparse, limit: Math.floor((index.limit ?? 1400) / index.paths.length) };
  let best: { bounds: FieldBounds; nodes: Node[] } | undefined;
  for (const node of conditions) {
    if (pathName(node) !== name) continue;
    const bounds = boundsOf(node, facts);
    if (!bounds) continue;
    if (!best) best = { bounds, nodes: [node] };
    else if (!multi) best = { bounds: intersect(best.bounds, bounds), nodes: [...best.nodes, node] };
    else if (narrower(bounds, best.bounds)) best = { bounds, nodes: [node] };
  }
  return best;
}

function pathName(node: Node): string | undefined {
  if ('path' in node) return node.path.join('.');
  return node.type === 'not' ? pathName(node.node) : undefined;
}

const narrower = (a: FieldBounds, b: FieldBounds): boolean =>
  a.intervals.every((interval) => interval.point) &&
  !(b.intervals.every((interval) => interval.point) && b.intervals.length <= a.intervals.length);

function combine(index: Index, fields: FieldBounds[], orderFrom: number, whole: boolean): KeyRange[] {
  let prefixes = [{ bytes: index.prefix, orderAt: index.prefix.length }];
  for (const [position, field] of fields.entries()) {
    const intervals: Interval[] = (index.directions[position] ?? 1) < 0 ? inverted(field.intervals) : field.intervals;
    if (position === fields.length - 1) {
      return prefixes.flatMap(({ bytes, orderAt }) =>
        intervals.map(({ start, end, isNumber }) => {
          const first = Buffer.concat([bytes, start]);
          const range = {
            start: isNumber && !whole ? Buffer.concat([first, FIRST_AFTER_NUMBER]) : first,
            end: Buffer.concat([bytes, end]),
            orderAt: orderFrom > position ? first.length : orderAt,
          };
          return whole ? { ...range, key: first } : range;
        }),
      );
    }
    prefixes = prefixes.flatMap(({ bytes, orderAt }) =>
      intervals.map(({ start }) => {
        const longer = Buffer.concat([bytes, start]);
        return { bytes: longer, orderAt: position < orderFrom ? longer.length : orderAt };
      }),
    );
  }
  return [{ start: index.prefix, end: after(index.prefix), orderAt: index.prefix.length }];
}

/** Whether reading the index in some direction gives the requested order, and from which field on its keys are in that order. */
function sortOrder(
  index: Index,
  fields: FieldBounds[],
  points: number,
  sort: SortSpec,
): { reverse: boolean; from: number } | undefined {
  if (sort.length === 0 || index.shortened) return undefined;
  const nameAt = (position: number): string => (index.paths[position] ?? []).join('.');
  const single = (position: number): boolean => position < points && fields[position]?.intervals.length === 1;
  let position = 0;
  let direction = 0;
  let from: number | undefined;
  for (const { path, direction: wanted } of sort) {
    const name = path.join('.');
    const fixed = index.paths.findIndex((_, at) => single(at) && nameAt(at) === name);
    if (fixed >= 0 && !index.multi.has(fixed)) continue;
    // fields with one value are skipped anywhere; several values before the first sorted field are merged
    while (nameAt(position) !== name && (single(position) || (from === undefined && position < points))) position++;
    if (nameAt(position) !== name || index.multi.has(position)) return undefined;
    const way = (index.directions[position] as number) * wanted;
    if (direction !== 0 && way !== direction) return undefined;
    direction = way;
    from ??= position;
    position++;
  }
  return { reverse: direction < 0, from: from ?? points };
}

/** The query's conditions that the partial filter repeats, or undefined when the query may want documents outside of it. */
function impliedConditions(partial: Node[], conditions: Node[]): Set<Node> | undefined {
  const repeated = new Set<Node>();
  for (const required of partial) {
    const witness = conditions.find((condition) => implies(condition, required));
    if (!witness) return undefined;
    if (repeats(witness, required)) repeated.add(witness);
  }
  return repeated;
}

function repeats(witness: Node, required: Node): boolean {
  if (witness.type === 'exists') return required.type === 'exists';
  if (witness.type !== 'compare' || required.type !== 'compare') return false;
  return witness.op === required.op && implies(required, witness);
}

function implies(condition: Node, required: Node): boolean {
  if ('collation' in condition) return false;
  if (!('path' in condition) || !('path' in required) || condition.path.join('.') !== required.path.join('.'))
    return false;
  const test = valueTest(required);
  if (condition.type === 'in')
    return condition.regexes.length === 0 && condition.values.every((value) => value !== null && test(value));
  if (condition.type !== 'compare') return condition.type === 'exists' && required.type === 'exists';
  if (condition.op === 'eq') return condition.value !== null ? test(condition.value) : false;
  if (required.type === 'exists') return condition.value !== null && !hasNoBounds(condition.value);
  if (required.type !== 'compare' || !test(condition.value)) return sameEdge(condition.op, required, condition.value);
  const side = condition.op.slice(0, 2);
  return required.op.startsWith(side);
}

/** A range that begins or ends with these keys holds for a missing value, too. */
const hasNoBounds = (value: unknown): boolean => value instanceof MinKey || value instanceof MaxKey;

/** `a > 5` implies `a > 5` although 5 itself does not. */
function sameEdge(op: string, required: Node, value: unknown): boolean {
  if (required.type !== 'compare' || required.op !== op) return false;
  return valueTest({ ...required, op: 'eq' })(value);
}
