import { BSON } from 'bson';

/** Bytes that one call writes to the store: serializing more would block the event loop. */
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

const sizes = new WeakMap<object, number>();

/**
 * How many bytes an object takes in the store. Measured once, so only for objects that never change, such as the payload of
 * an event, which the messages to all of its recipients share.
 */
export function sharedSize(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = BSON.calculateObjectSize(value);
  sizes.set(value, size);
  return size;
}
