import { BSON } from 'bson';

/** Bytes of one write. Serializing more would block the event loop. */
const PORTION_BYTES = 1_000_000;

/**
 * Divides records into writes of about a megabyte, each with at least one record.
 * @param sizeOf approximate bytes of a record
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

/** An entry of a weak map costs the garbage collector time, so what is empty has none. */
const sizes = new WeakMap<object, number>();
const EMPTY_BYTES = 5;

function isEmpty(value: object): boolean {
  for (const _key in value) return false;
  return true;
}

/**
 * Bytes of an object in the store. Measured once, so only for objects that never change, such as the payload that all
 * messages of an event share.
 */
export function sharedSize(value: object): number {
  const known = isEmpty(value) ? EMPTY_BYTES : sizes.get(value);
  if (known !== undefined) return known;
  const size = BSON.calculateObjectSize(value);
  sizes.set(value, size);
  return size;
}
