import type { Portions } from '#libs/worker-pool';

/** One page of a list. The envelope puts the counters next to `data`. */
export class Page<T> {
  constructor(
    readonly data: readonly T[],
    readonly page: number,
    readonly pageSize: number,
    readonly hasMore: boolean,
    readonly totalCount?: number,
  ) {}
}

/** The rows that follow a cursor. The envelope puts the other fields next to `data`. */
export class CursorPage<T> {
  constructor(
    readonly data: readonly T[],
    readonly hasMore: boolean,
    /** The filter as the client sent it. */
    readonly filter: unknown,
  ) {}
}

/** About a millisecond of writing. */
const PORTION_LENGTH = 100_000;

/** Pauses after large rows or many small ones. */
export function* writePage<T>({ data, ...counters }: Page<T> | CursorPage<T>): Portions<string> {
  let rows = '';
  let written = 0;
  for (const row of data) {
    if (rows.length - written >= PORTION_LENGTH) {
      written = rows.length;
      yield;
    }
    rows += rows === '' ? JSON.stringify(row) : `,${JSON.stringify(row)}`;
  }
  return `{"data":[${rows}],${JSON.stringify(counters).slice(1)}`;
}
