/** Members of a list in one query: stores look each of so many up, and longer answers would lie in memory at once. */
const PORTION = 1_000;

/** Does something for a list piece by piece. */
export async function inPortions<T>(items: readonly T[], work: (portion: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += PORTION) await work(items.slice(from, from + PORTION));
}
