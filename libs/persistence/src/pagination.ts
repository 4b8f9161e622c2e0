import { Turns } from '#libs/worker-pool';

/** Where a page begins and how many rows it has. */
export interface PageRequest {
  /** From 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly limit: number;
}

/** A query that can be cut to one page, as Mongoose's lean queries can. */
interface Pageable<R> {
  skip(n: number): Pageable<R>;
  limit(n: number): Pageable<R>;
  cursor(): AsyncIterable<R>;
}

export interface PageRows<R> {
  readonly rows: R[];
  readonly hasMore: boolean;
}

/** Reads one page and looks one row ahead, so that a full last page does not claim that there is more. */
export async function readPage<R>(query: unknown, { page, limit }: PageRequest): Promise<PageRows<R>> {
  const paged = (query as Pageable<R>).skip(page * limit).limit(limit + 1);
  const rows = await collect(paged.cursor());
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** All rows of a cursor. Large ones take long to be read from the store's answer, so others have their turn between them. */
export async function collect<R>(cursor: AsyncIterable<R>): Promise<R[]> {
  const turns = new Turns();
  const rows: R[] = [];
  for await (const row of cursor) {
    rows.push(row);
    await turns.offer();
  }
  return rows;
}
