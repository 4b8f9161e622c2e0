import { Turns } from '#libs/worker-pool';

export interface PageRequest {
  /** Counted from 0. */
  readonly page: number;
  /** 1 to 100. */
  readonly limit: number;
}

export interface PageRows<R> {
  readonly rows: R[];
  readonly hasMore: boolean;
}

/** Yields between rows, because decoding large ones is slow. */
export async function collect<R>(cursor: AsyncIterable<R>): Promise<R[]> {
  const turns = new Turns();
  const rows: R[] = [];
  for await (const row of cursor) {
    rows.push(row);
    await turns.offer();
  }
  return rows;
}
