import { Turns } from '#libs/worker-pool';

/** Where a page begins and how many rows it has. */
export interface PageRequest {
  /** From 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly limit: number;
}

/** A query that can be limited to one page, such as Mongoose's lean queries. */
interface Pageable<R> {
  skip(n: number): Pageable<R>;
  limit(n: number): Pageable<R>;
  cursor(): AsyncIterable<R>;
}

export interface PageRows<R> {
  readonly rows: R[];
  readonly hasMore: boolean;
}

/** Reads one page and one row more, so that a full last page does not report another one. */
export async function readPage<R>(query: unknown, { page, limit }: PageRequest): Promise<PageRows<R>> {
  const paged = (query as Pageable<R>).skip(page * limit).limit(limit + 1);
  const rows = await collect(paged.cursor());
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** All rows of a cursor. Yields between rows, because decoding large ones takes long. */
export async function collect<R>(cursor: AsyncIterable<R>): Promise<R[]> {
  const turns = new Turns();
  const rows: R[] = [];
  for await (const row of cursor) {
    rows.push(row);
    await turns.offer();
  }
  return rows;
}
