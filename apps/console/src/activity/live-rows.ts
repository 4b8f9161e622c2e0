/** A row of the list, and whether it still matches the filters. */
export interface LiveRow<T> {
  readonly row: T;
  readonly isGone: boolean;
}

export interface Identified {
  readonly _id: string;
  readonly createdAt: string;
}

/**
 * Brings what is shown up to date without moving a row: rows change in place, and those that do not match any more stay
 * until the reader asks for the new ones.
 * @param shown newest first
 * @param fresh the first page as it is now, newest first
 * @param hasMore whether there are further pages
 * @returns the rows, and how many newer ones there are
 */
export function updateInPlace<T extends Identified>(
  shown: readonly LiveRow<T>[],
  fresh: readonly T[],
  hasMore: boolean,
): { rows: LiveRow<T>[]; waiting: number } {
  const byId = new Map(fresh.map((row) => [row._id, row]));
  const oldest = (hasMore ? fresh.at(-1)?.createdAt : undefined) ?? '';
  const rows = shown.map(({ row, isGone }) => {
    const now = byId.get(row._id);
    // A row below the first page is not in it, whether it matches or not.
    return now === undefined ? { row, isGone: isGone || row.createdAt > oldest } : { row: now, isGone: false };
  });
  const known = new Set(shown.map(({ row }) => row._id));
  const newest = shown[0]?.row.createdAt ?? '';
  return { rows, waiting: fresh.filter((row) => !known.has(row._id) && row.createdAt >= newest).length };
}
