import { BSON } from 'bson';

const sizes = new WeakMap<object, number>();

/**
 * How many bytes an object takes in the store. Measured once: only for objects that nobody changes, such as the payload of
 * an event, which the messages to all of its recipients share.
 */
export function sharedSize(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = BSON.calculateObjectSize(value);
  sizes.set(value, size);
  return size;
}
