export interface Counted {
  readonly count: number;
  readonly hasMore: boolean;
}

interface Page {
  readonly data: readonly unknown[];
  readonly hasMore: boolean;
}

/**
 * Counts the rows of a list that tells no total, with a few pages of it.
 * @param pages how many pages of the list are counted at most
 * @param load gives one page, counted from 0
 * @returns the number of rows, and whether there are more
 */
export async function countUpTo(
  pages: number,
  pageSize: number,
  load: (page: number) => Promise<Page>,
): Promise<Counted> {
  let known = { at: 0, ...(await load(0)) };
  let beyond = pages;
  while (known.hasMore && beyond - known.at > 1) {
    // The last page that counts first: most long lists are longer than the bound.
    const at = beyond === pages && known.at === 0 ? pages - 1 : Math.floor((known.at + beyond) / 2);
    const page = await load(at);
    if (page.data.length > 0) known = { at, ...page };
    else beyond = at;
  }
  return { count: known.at * pageSize + known.data.length, hasMore: known.hasMore };
}
