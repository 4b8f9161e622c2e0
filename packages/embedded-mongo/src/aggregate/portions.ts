/** Documents that go into the next stage in one step: about a millisecond of work. */
const PORTION = 256;

/** Many documents at hand, some at a time, so that others get their turn. */
export async function* portions<T>(
  all: readonly T[],
  breathe: () => Promise<void>,
): AsyncGenerator<T[], void, undefined> {
  for (let at = 0; at < all.length; at += PORTION) {
    yield all.slice(at, at + PORTION);
    await breathe();
  }
}

/** The steps of some work, between which others get their turn. */
export async function* paced<T>(
  steps: Iterable<T[]>,
  breathe: () => Promise<void>,
): AsyncGenerator<T[], void, undefined> {
  for (const step of steps) {
    yield step;
    await breathe();
  }
}
