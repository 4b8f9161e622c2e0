import { decode, pick, type Doc } from '../bson/codec.js';
import type { Collation } from '../bson/collation.js';
import { StoreError } from '../errors.js';
import { fieldsOf, type Node } from '../query/ast.js';
import { compile, type Predicate } from '../query/match.js';
import { compileStored } from '../query/stored-match.js';
import { plan, planWith, shapeOf, type IndexPlan, type Plan, type PlanRequest } from './plan.js';
import { collatedKey, sortKey, type SortSpec } from '../bson/sort.js';
import { Sorter, type SortKey } from '../query/sorter.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';
import { openScan, type Candidate } from './scan.js';

export interface SearchRequest {
  filter: Node;
  sort: SortSpec;
  skip: number;
  /** 0 for all. */
  limit: number;
  hint?: string;
  /** By which texts are sorted; that of the filter is in its conditions. */
  collation?: Collation;
}

/** What a search cost; for the log and for limits. */
export interface SearchStats {
  examined: number;
  scanned: boolean;
}

/** Documents per step; fewer where each may have to be decoded for its test. */
const STEP = 256;
const TESTED_STEP = 64;

/** What a cheaper plan has to save before a kept choice is given up. */
const REPLAN_FACTOR = 10;
const REPLAN_MARGIN = 1000;

function wantedBy({ filter, sort, skip, limit, hint, collation }: SearchRequest): PlanRequest {
  // no index has texts in this order
  const isSorted = collation !== undefined && sort.length > 0;
  return {
    filter,
    sort: isSorted ? [] : sort,
    ...(limit > 0 && !isSorted && { limit: skip + limit }),
    ...(hint !== undefined && { hint }),
  };
}

/** The plan of a search with an index that is chosen now, whichever is kept for searches of its shape. */
export function planOf(store: Store, collection: Collection, request: SearchRequest): Plan {
  return choose(store, collection, wantedBy(request));
}

function choose(store: Store, collection: Collection, wanted: PlanRequest): Plan {
  const estimate = (candidate: IndexPlan, most: number): number => {
    let found = 0;
    for (const { start, end } of candidate.ranges) {
      found += store.countKeys(start, end, most - found);
      if (found >= most) break;
    }
    return found;
  };
  return plan(collection, wanted, estimate);
}

function planFor(store: Store, collection: Collection, request: SearchRequest): { chosen: Plan; shape: string } {
  const wanted = wantedBy(request);
  const shape = mayKeep(collection, request) ? shapeOf(wanted, collection.choices.decisive) : '';
  const kept = shape === '' ? undefined : collection.choices.get(shape);
  const planned = kept && planWith(kept.index, wanted);
  if (planned) return { chosen: planned, shape };
  const chosen = choose(store, collection, wanted);
  if (shape !== '' && chosen.type === 'index' && chosen.used > 0) collection.choices.keep(shape, chosen.index);
  return { chosen, shape };
}

/** Without a choice, or with one that is made at once, there is nothing to keep. */
function mayKeep(collection: Collection, { filter, hint }: SearchRequest): boolean {
  if (hint !== undefined || collection.indexes.length === 0) return false;
  return !(filter.type === 'compare' && filter.path[0] === '_id');
}

/** Remembers what the kept choice of an index cost, and gives it up when it costs far more than it did. */
function judge(collection: Collection, shape: string, examined: number): void {
  const kept = shape === '' ? undefined : collection.choices.get(shape);
  if (!kept) return;
  kept.examined ??= examined;
  if (examined > kept.examined * REPLAN_FACTOR + REPLAN_MARGIN) collection.choices.forget(shape);
}

/** A test of stored documents: from their bytes, or from the decoded fields that the filter reads. */
export function rawTest(filter: Node): (raw: Buffer) => boolean {
  const stored = compileStored(filter);
  let test: Predicate | undefined;
  const fields = fieldsOf(filter);
  return (raw) => {
    const verdict = stored?.(raw);
    if (verdict !== undefined) return verdict;
    test ??= compile(filter);
    return test(fields ? pick(raw, fields) : decode(raw));
  };
}

/**
 * Finds documents, some at a time: every step does a bounded piece of work and may come back empty, so that the caller can let
 * others run, look at the clock, or stop.
 */
export function* search(
  store: Store,
  collection: Collection,
  request: SearchRequest,
  stats: SearchStats,
): Generator<Candidate[]> {
  const { chosen, shape } = planFor(store, collection, request);
  const exact = chosen.exact;
  stats.scanned = chosen.type === 'index' && chosen.used === 0;
  const test = exact ? undefined : rawTest(request.filter);
  const scan = openScan(store, collection, chosen);
  const inOrder = request.sort.length === 0 || (chosen.sorted && request.collation === undefined);
  const wanted = request.limit > 0 ? request.skip + request.limit : Number.POSITIVE_INFINITY;
  const most = exact ? STEP : TESTED_STEP;
  const first = inOrder && exact ? Math.min(wanted, most) : inOrder ? Math.min(Math.max(wanted, 8), most) : most;
  const matches = function* (): Generator<Candidate[]> {
    for (let step = first; ; step = most) {
      const candidates = scan.next(step);
      if (candidates.length === 0) return;
      stats.examined += candidates.length;
      yield test ? candidates.filter(({ raw }) => test(raw)) : candidates;
    }
  };
  const before = stats.examined;
  try {
    if (inOrder) yield* windowed(matches(), request.skip, wanted);
    else yield* sortedMatches(matches(), request, wanted);
  } finally {
    judge(collection, shape, stats.examined - before);
  }
}

function* windowed(source: Generator<Candidate[]>, skip: number, wanted: number): Generator<Candidate[]> {
  let seen = 0;
  for (const batch of source) {
    const from = Math.max(0, skip - seen);
    const kept = batch.slice(from, wanted - seen);
    seen += batch.length;
    yield kept;
    if (seen >= wanted) return;
  }
}

function* sortedMatches(
  source: Generator<Candidate[]>,
  { sort, skip, collation }: SearchRequest,
  wanted: number,
): Generator<Candidate[]> {
  const sorter = new Sorter<Candidate>(wanted);
  const keyOf = (doc: Doc): SortKey => (collation ? collatedKey(doc, sort, collation) : sortKey(doc, sort));
  const fields = new Set(sort.map(({ path }) => path[0] as string));
  for (const batch of source) {
    for (const candidate of batch) sorter.add(keyOf(pick(candidate.raw, fields)), candidate, candidate.raw.length);
    yield [];
    yield* sorter.prune();
  }
  yield* windowed(sorter.sorted(), skip, wanted);
}

/** Number of matches, from index keys alone where the index answers the filter exactly. */
export function* countMatches(
  store: Store,
  collection: Collection,
  request: SearchRequest,
  stats: SearchStats,
): Generator<number> {
  if (request.filter.type === 'and' && request.filter.nodes.length === 0 && request.skip === 0 && request.limit === 0) {
    yield collection.count;
    return;
  }
  const { chosen } = planFor(store, collection, { ...request, sort: [] });
  if (!chosen.exact) {
    for (const batch of search(store, collection, { ...request, sort: [] }, stats)) yield batch.length;
    return;
  }
  const wanted = request.limit > 0 ? request.skip + request.limit : Number.POSITIVE_INFINITY;
  let seen = 0;
  const scan = openScan(store, collection, chosen);
  while (seen < wanted) {
    const found =
      chosen.type === 'index' && chosen.index.multi.size === 0 ? countRanges(store, chosen, wanted) : undefined;
    if (found !== undefined) {
      seen = found;
      break;
    }
    const ids = scan.nextIds(STEP * 4);
    if (ids.length === 0) break;
    seen += ids.length;
    yield 0;
  }
  yield Math.max(0, Math.min(seen, wanted) - request.skip);
}

/** Counted inside the store at ten million keys a second; longer ranges are left to the caller's steps. */
const QUICK_COUNT = 100_000;

function countRanges(store: Store, { ranges }: IndexPlan, wanted: number): number | undefined {
  const most = Math.min(wanted, QUICK_COUNT);
  let found = 0;
  for (const { start, end } of ranges) {
    if (found >= most) break;
    found += store.countKeys(start, end, most - found);
  }
  return found < most || found >= wanted ? found : undefined;
}

/** The index that a hint names, by its name or its key pattern. */
export function resolveHint(collection: Collection, hint: unknown): string | undefined {
  if (hint === undefined || hint === null || (typeof hint === 'object' && Object.keys(hint).length === 0))
    return undefined;
  const all = [collection.primary, ...collection.indexes.filter(({ hidden }) => !hidden)];
  if (typeof hint === 'object' && '$natural' in hint) return collection.primary.name;
  const wanted = typeof hint === 'string' ? hint : shape(hint as Doc);
  const index = all.find(
    (candidate) => (typeof hint === 'string' ? candidate.name : shape(candidate.record.key)) === wanted,
  );
  if (!index)
    throw new StoreError(
      'BadValue',
      'error processing query: planner returned error: hint provided does not correspond to an existing index',
    );
  return index.name;
}

const shape = (key: Doc): string =>
  JSON.stringify(Object.entries(key).map(([path, value]) => [path, Number(String(value))]));
