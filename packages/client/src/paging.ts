const PAGE_SIZE = 100;

export interface PageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly after?: string;
  readonly [name: string]: unknown;
}

interface Page {
  readonly data: readonly unknown[];
  readonly page?: number;
  readonly hasMore?: boolean;
  /** Of a page that is linked to others; null on the last one. */
  readonly next?: string | null;
}

/**
 * The rows of a list, page by page, each once: a row that moves to a later page because others were added is not repeated.
 * Follows the link to the next page or page numbers where the response has one, otherwise the id of the last row.
 * @param read reads one page
 */
export async function* rowsOf(query: PageQuery, read: (query: PageQuery) => Promise<unknown>): AsyncGenerator<unknown> {
  const limit = query.limit ?? PAGE_SIZE;
  const seen = new Set<unknown>();
  let next: PageQuery = { ...query, limit };
  for (;;) {
    const page = (await read(next)) as Page;
    const fresh = page.data.filter((row) => !seen.has(idOf(row)));
    for (const row of fresh) seen.add(idOf(row));
    yield* fresh;
    if (page.next !== undefined) {
      if (page.next === null) return;
      next = { ...next, before: undefined, after: page.next };
      continue;
    }
    const last = page.data.at(-1);
    const hasMore = page.hasMore ?? (fresh.length > 0 && page.data.length >= limit);
    if (!hasMore || last === undefined) return;
    next =
      page.hasMore !== undefined && page.page === undefined
        ? { ...next, after: String(idOf(last)) }
        : { ...next, page: (next.page ?? 0) + 1 };
  }
}

/** Rows without an id are all different. */
function idOf(row: unknown): unknown {
  const { _id, id } = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>;
  return _id ?? id ?? row;
}
