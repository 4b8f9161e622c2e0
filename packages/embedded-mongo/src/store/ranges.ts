import type { RootDatabase, Transaction } from 'lmdb';

export interface RangeOptions {
  start: Buffer;
  end: Buffer;
  reverse?: boolean;
  limit?: number;
}

/** The state of the store that a read sees: that of a read transaction, or the latest. */
export interface Snapshot {
  transaction?: Transaction;
}

export const LATEST: Snapshot = {};

type RangeQuery = NonNullable<Parameters<RootDatabase['getRange']>[0]>;

/** The library's reverse range goes down from its start, so that the ends swap with their inclusiveness. */
export function bounds({ start, end, reverse = false, limit }: RangeOptions): RangeQuery {
  const extra = limit === undefined ? {} : { limit };
  if (!reverse) return { start, end, ...extra };
  return { start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse: true, ...extra };
}

export interface Entry {
  key: Buffer;
  value: Buffer;
}

/** The error of a read that found damage under a key. */
export type DamageOf = (key: Buffer, what: string) => Error;

/**
 * Entries of LMDB, which gives those of the next page as they are: where pages were swapped, that may be entries of another collection.
 *
 * @param open turns what is stored into the value
 */
export function* inOrder(
  entries: Iterable<Entry>,
  { start, end, reverse = false }: RangeOptions,
  damageOf: DamageOf,
  open?: (key: Buffer, stored: Buffer) => Buffer,
): Generator<Entry> {
  let last = reverse ? end : start;
  // the start belongs to the range, and the end does not
  let least = reverse ? 1 : 0;
  for (const { key, value } of entries) {
    if ((reverse ? last.compare(key) : key.compare(last)) < least) throw damageOf(key, 'is out of order');
    [last, least] = [key, 1];
    yield { key, value: open ? open(key, value) : value };
  }
}
