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

export function* writePage<T>({ data, ...counters }: Page<T>): Portions<string> {
  const rows: string[] = [];
  for (const row of data) {
    rows.push(JSON.stringify(row));
    yield;
  }
  const rest = JSON.stringify(counters);
  return `{"data":[${rows.join(',')}],${rest.slice(1)}`;
}
