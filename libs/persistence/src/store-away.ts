import { storeFault } from '#libs/common';

/** True where the store could not be asked, has no space left, or asks to try again: nothing is wrong with what it was sent. */
export function isStoreAway(error: unknown): boolean {
  return storeFault(error) !== undefined;
}
