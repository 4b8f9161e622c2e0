import type { Portions } from '#libs/worker-pool';
import { ValidationFailed } from '../errors/common.errors.js';

/** Rows, and fields that the envelope puts next to `data`. */
export class Rows<T> {
  constructor(
    readonly data: readonly T[],
    beside: object = {},
  ) {
    Object.assign(this, beside);
  }
}

/** One page of a list, by its number. */
export class Page<T> extends Rows<T> {
  constructor(
    data: readonly T[],
    readonly page: number,
    readonly pageSize: number,
    readonly hasMore: boolean,
    readonly totalCount?: number,
  ) {
    super(data);
  }
}

/** The rows that follow a cursor. */
export class CursorPage<T> extends Rows<T> {
  constructor(
    data: readonly T[],
    readonly hasMore: boolean,
    /** The filter as the client sent it. */
    readonly filter: unknown,
  ) {
    super(data);
  }
}

/** The rows between two cursors. */
export class LinkedPage<T> extends Rows<T> {
  /** Rows are not counted beyond it. */
  static readonly MAX_COUNT = 50_000;
  readonly totalCount: number;
  readonly totalCountCapped: boolean;

  private constructor(
    data: readonly T[],
    readonly next: string | null,
    readonly previous: string | null,
    counted: number,
  ) {
    super(data);
    this.totalCount = Math.min(counted, LinkedPage.MAX_COUNT);
    this.totalCountCapped = counted > LinkedPage.MAX_COUNT;
  }

  /**
   * @param found undefined: the cursor is none of this list
   * @param counted up to one more than {@link MAX_COUNT}
   * @throws {ValidationFailed} for such a cursor
   */
  static of<R, T>(found: Linked<R> | undefined, show: (row: R) => T, counted: number): LinkedPage<T> {
    if (found === undefined) throw new ValidationFailed([FOREIGN_CURSOR]);
    return new LinkedPage(found.rows.map(show), found.next, found.previous, counted);
  }
}

interface Linked<R> {
  readonly rows: readonly R[];
  readonly next: string | null;
  readonly previous: string | null;
}

const FOREIGN_CURSOR = 'after must be the `next`, or before the `previous`, of a page in the same order';

/** About a millisecond of writing. */
const PORTION_LENGTH = 100_000;

/** Pauses after large rows or many small ones. */
export function* writePage<T>({ data, ...beside }: Rows<T>): Portions<string> {
  let rows = '';
  let written = 0;
  for (const row of data) {
    if (rows.length - written >= PORTION_LENGTH) {
      written = rows.length;
      yield;
    }
    rows += rows === '' ? JSON.stringify(row) : `,${JSON.stringify(row)}`;
  }
  const others = JSON.stringify(beside).slice(1);
  return `{"data":[${rows}]${others === '}' ? '' : ','}${others}`;
}
