import { BSON } from 'bson';

/** Serializing more in one write would block the event loop. */
const PORTION_BYTES = 1_000_000;

/**
 * Writes of about a megabyte, each with at least one record.
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

/** Empty objects get no entry: weak maps cost garbage-collection time. */
const sizes = new WeakMap<object, number>();
const EMPTY_BYTES = 5;

function isEmpty(value: object): boolean {
  for (const _key in value) return false;
  return true;
}

/** Measured once, so only for objects that never change, such as a payload shared by all messages of an event. */
export function sharedSize(value: object): number {
  const known = isEmpty(value) ? EMPTY_BYTES : sizes.get(value);
  if (known !== undefined) return known;
  const size = BSON.calculateObjectSize(value);
  sizes.set(value, size);
  return size;
}
