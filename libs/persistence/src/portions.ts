/** How much is written to the store in one call: serializing more would hold up everybody else. */
const PORTION_BYTES = 1_000_000;

/**
 * Cuts what is to be written into calls of about a megabyte, each with one record at least.
 * @param sizeOf about how many bytes a record takes
 */
export function bySize<T>(records: readonly T[], sizeOf: (record: T) => number): T[][] {
  const portions: T[][] = [];
  let room = 0;
  for (const record of records) {
    const size = sizeOf(record);
    const last = portions.at(-1);
    if (last === undefined || size > room) {
      portions.push([record]);
      room = PORTION_BYTES - size;
    } else {
      last.push(record);
      room -= size;
    }
  }
  return portions;
}
