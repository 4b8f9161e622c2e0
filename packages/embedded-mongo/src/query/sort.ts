import { isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { badValue, notSupported, StoreError } from '../errors.js';
import { rowsAtPaths } from '../bson/paths.js';

export const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Requested order: dotted paths and directions. */
export type SortSpec = { path: string[]; direction: number }[];

export function parseSort(spec: unknown): SortSpec {
  if (spec === undefined || spec === null) return [];
  if (!isDoc(spec)) throw new StoreError('TypeMismatch', 'a sort must be a document');
  return Object.entries(spec).map(([path, value]) => {
    if (isDoc(value) && '$meta' in value) throw notSupported('$meta');
    const direction = isNumeric(value) ? Number(numberOf(value)) : 0;
    if (direction !== 1 && direction !== -1)
      throw badValue('a sort direction must be 1 (for ascending) or -1 (for descending)');
    if (path.split('.').some((part) => part === '')) throw badValue('FieldPath field names may not be empty strings.');
    return { path: path.split('.'), direction };
  });
}

/**
 * A byte string per document whose order is the requested one. An array counts with its smallest element, or its greatest where the
 * order descends; several fields inside one array are taken from the same element.
 */
export function sortKey(doc: Doc, spec: SortSpec): Buffer {
  const found = rowsAtPaths(
    doc,
    spec.map(({ path }) => path),
  );
  if (found === 'parallel') throw badValue('cannot sort with keys that are parallel arrays');
  const directions = spec.map(({ direction }) => direction);
  return found.rows
    .map((row) => encodeWhole(row, directions))
    .reduce((best, key) => (key.compare(best) < 0 ? key : best));
}

interface Keyed<T> {
  key: Buffer;
  order: number;
  item: T;
  size: number;
}

/** Sorts in memory within a limit of bytes; with `keep` only the first so many are held at any time. */
export class Sorter<T> {
  private items: Keyed<T>[] = [];
  private bytes = 0;
  private count = 0;
  private worst: Buffer | undefined;

  constructor(private readonly keep = Number.POSITIVE_INFINITY) {}

  add(key: Buffer, item: T, size: number): void {
    if (this.worst && key.compare(this.worst) >= 0) return;
    this.items.push({ key, order: this.count++, item, size });
    this.bytes += size + key.length;
    if (this.items.length >= this.keep * 2 + 64) this.prune();
    if (this.bytes > MAX_SORT_BYTES) {
      throw new StoreError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes; add an index or a limit`,
      );
    }
  }

  private prune(): void {
    this.items.sort(byKey);
    this.items.length = Math.min(this.items.length, this.keep);
    this.bytes = this.items.reduce((sum, { key, size }) => sum + key.length + size, 0);
    this.worst = this.items.length === this.keep ? this.items.at(-1)?.key : undefined;
  }

  sorted(): T[] {
    this.items.sort(byKey);
    return this.items.slice(0, this.keep).map(({ item }) => item);
  }
}

const byKey = <T>(a: Keyed<T>, b: Keyed<T>): number => a.key.compare(b.key) || a.order - b.order;
