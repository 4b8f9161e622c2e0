import { CollatedKey } from '../bson/collation.js';
import { StoreError } from '../errors.js';

export const MAX_SORT_BYTES = 100 * 1024 * 1024;
/** Items that are sorted in one step: about two milliseconds. */
const RUN_ITEMS = 1024;

interface Keyed<T> {
  key: SortKey;
  order: number;
  item: T;
  size: number;
}

/** A sorted run, and how far it has been merged. */
interface Run<T> {
  items: Keyed<T>[];
  at: number;
}

/** Within one sorter, all keys are of one kind. */
export type SortKey = Buffer | CollatedKey;

const order = (a: SortKey, b: SortKey): number =>
  a instanceof CollatedKey ? a.compare(b as CollatedKey) : a.compare(b as Buffer);
const compare = <T>(a: Keyed<T>, b: Keyed<T>): number => order(a.key, b.key) || a.order - b.order;
const head = <T>({ items, at }: Run<T>): Keyed<T> => items[at] as Keyed<T>;

/**
 * Sorts in memory within a limit of bytes, in steps of bounded work: short runs are sorted as items come and merged at the end.
 * Items with equal keys keep their order.
 */
export class Sorter<T> {
  private runs: Run<T>[] = [];
  private fresh: Keyed<T>[] = [];
  private held = 0;
  private bytes = 0;
  private count = 0;
  /** The last of the first `keep` items so far: nothing from there on is needed. */
  private worst: SortKey | undefined;

  /** @param keep only the first so many are wanted, and not many more are held at any time */
  constructor(private readonly keep = Number.POSITIVE_INFINITY) {}

  add(key: SortKey, item: T, size: number): void {
    if (this.worst && order(key, this.worst) >= 0) return;
    this.fresh.push({ key, order: this.count++, item, size });
    this.held++;
    this.bytes += size + key.length;
    if (this.fresh.length >= RUN_ITEMS) this.endRun();
    if (this.bytes > MAX_SORT_BYTES) {
      throw new StoreError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes; add an index or a limit`,
      );
    }
  }

  /** Drops what is not wanted once that is as much as what is; to be called after some additions. Its steps are empty. */
  *prune(): Generator<never[]> {
    if (this.held < this.keep * 2 + RUN_ITEMS) return;
    const items: Keyed<T>[] = [];
    for (const step of this.merged()) {
      for (const one of step) items.push(one);
      yield [];
    }
    this.runs = [{ items, at: 0 }];
    this.held = items.length;
    this.bytes = items.reduce((sum, { key, size }) => sum + key.length + size, 0);
    this.worst = items.at(-1)?.key;
  }

  /** The wanted items in their order, a step at a time. */
  *sorted(): Generator<T[]> {
    for (const step of this.merged()) yield step.map(({ item }) => item);
  }

  private endRun(): void {
    if (this.fresh.length > 0) this.runs.push({ items: this.fresh.sort(compare), at: 0 });
    this.fresh = [];
  }

  private *merged(): Generator<Keyed<T>[]> {
    this.endRun();
    const heap = this.runs.sort((a, b) => compare(head(a), head(b)));
    let left = this.keep;
    while (heap.length > 0 && left > 0) {
      const step: Keyed<T>[] = [];
      while (heap.length > 0 && step.length < Math.min(left, RUN_ITEMS)) step.push(takeFirst(heap));
      left -= step.length;
      yield step;
    }
  }
}

/** The smallest item of all runs. Each run comes before those at twice its place and the next. */
function takeFirst<T>(heap: Run<T>[]): Keyed<T> {
  const first = heap[0] as Run<T>;
  const item = head(first);
  first.at++;
  if (first.at === first.items.length) {
    const last = heap.pop() as Run<T>;
    if (heap.length > 0 && last !== first) heap[0] = last;
  }
  settleFirst(heap);
  return item;
}

function settleFirst<T>(heap: Run<T>[]): void {
  for (let at = 0; ;) {
    let child = 2 * at + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && isBefore(heap, child + 1, child)) child++;
    if (!isBefore(heap, child, at)) return;
    [heap[at], heap[child]] = [heap[child] as Run<T>, heap[at] as Run<T>];
    at = child;
  }
}

const isBefore = <T>(heap: Run<T>[], left: number, right: number): boolean =>
  compare(head(heap[left] as Run<T>), head(heap[right] as Run<T>)) < 0;
