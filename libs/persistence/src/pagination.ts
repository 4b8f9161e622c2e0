import { Turns } from '#libs/worker-pool';

export interface PageRequest {
  /** Counted from 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly limit: number;
}

interface Pageable<R> {
  skip(n: number): Pageable<R>;
  limit(n: number): Pageable<R>;
  cursor(): AsyncIterable<R>;
}

export interface PageRows<R> {
  readonly rows: R[];
  readonly hasMore: boolean;
}

/** Reads one extra row, so that a full last page does not announce another one. */
export async function readPage<R>(query: unknown, { page, limit }: PageRequest): Promise<PageRows<R>> {
  const paged = (query as Pageable<R>).skip(page * limit).limit(limit + 1);
  const rows = await collect(paged.cursor());
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** All rows of a cursor. Yields between rows, because decoding large ones is slow. */
export async function collect<R>(cursor: AsyncIterable<R>): Promise<R[]> {
  const turns = new Turns();
  const rows: R[] = [];
  for await (const row of cursor) {
    rows.push(row);
    await turns.offer();
  }
  return rows;
}
