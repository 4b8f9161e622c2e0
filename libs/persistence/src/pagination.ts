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
  exec(): Promise<R[]>;
}

export interface PageRows<R> {
  readonly rows: R[];
  readonly hasMore: boolean;
}

/** Reads one page and looks one row ahead, so that a full last page does not claim that there is more (decisions 4.3). */
export async function readPage<R>(query: unknown, { page, limit }: PageRequest): Promise<PageRows<R>> {
  const rows = await (query as Pageable<R>)
    .skip(page * limit)
    .limit(limit + 1)
    .exec();
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
