import type { Entry, RangeOptions } from './ranges.js';

/** A write that waits: a value, or undefined where the key is to be removed. */
export interface PendingWrite {
  key: Buffer;
  value: Buffer | undefined;
  /** The collection whose document it is; none for an entry of an index. */
  collectionId?: number;
}

/** Writes that wait, in the order of their keys. */
export class Overlay {
  private readonly sorted: PendingWrite[] = [];
  bytes = 0;

  get size(): number {
    return this.sorted.length;
  }

  get(key: Buffer): PendingWrite | undefined {
    const found = this.sorted[this.placeOf(key)];
    return found?.key.equals(key) ? found : undefined;
  }

  set(write: PendingWrite): void {
    const at = this.placeOf(write.key);
    const present = this.sorted[at];
    const replaces = present?.key.equals(write.key) === true;
    this.bytes += write.key.length + (write.value?.length ?? 0);
    if (replaces) this.bytes -= present.key.length + (present.value?.length ?? 0);
    this.sorted.splice(at, replaces ? 1 : 0, write);
  }

  all(): readonly PendingWrite[] {
    return this.sorted;
  }

  /** Those with `start <= key < end`, in ascending order. */
  within(start: Buffer, end: Buffer): PendingWrite[] {
    return this.sorted.slice(this.placeOf(start), this.placeOf(end));
  }

  /** What is stored in a range with these writes in it. */
  over(stored: (options: RangeOptions) => Iterable<Entry>, options: RangeOptions): Iterable<Entry> {
    const { start, end, limit, reverse } = options;
    const waiting = this.within(start, end);
    if (waiting.length === 0) return stored(options);
    if (reverse) waiting.reverse();
    const base = stored({ start, end, ...(reverse && { reverse }) });
    return merged(base, waiting, reverse ? -1 : 1, limit ?? Number.POSITIVE_INFINITY);
  }

  private placeOf(key: Buffer): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as PendingWrite).key.compare(key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function* merged(stored: Iterable<Entry>, waiting: PendingWrite[], way: 1 | -1, limit: number): Generator<Entry> {
  let [at, left] = [0, limit];
  const pending = function* (until?: Buffer): Generator<Entry> {
    for (let next = waiting[at]; next; next = waiting[at]) {
      if (until && next.key.compare(until) * way >= 0) return;
      at++;
      if (next.value) yield { key: next.key, value: next.value };
    }
  };
  const all = function* (): Generator<Entry> {
    for (const entry of stored) {
      yield* pending(entry.key);
      if (waiting[at]?.key.equals(entry.key)) continue;
      yield entry;
    }
    yield* pending();
  };
  if (left <= 0) return;
  for (const entry of all()) {
    yield entry;
    if (--left <= 0) return;
  }
}
