import { storeFault } from '#libs/common';

const DUPLICATE_KEY = 11000;

interface DuplicateKeyError extends Error {
  readonly code: typeof DUPLICATE_KEY;
  readonly keyPattern?: Readonly<Record<string, unknown>>;
}

/** Whether the store rejected a second record with the same unique key (code 11000). */
export function isDuplicateKey(error: unknown): error is DuplicateKeyError {
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;
}

/**
 * For `catch` of a single write: handles a duplicate key and throws every other error again.
 *
 * @example
 * const feed = await this.feeds.create(row).catch(
 *   onDuplicateKey(() => {
 *     throw new FeedAlreadyExists(name);
 *   }),
 * );
 */
export function onDuplicateKey<T>(handle: (error: DuplicateKeyError) => T): (error: unknown) => T {
  return (error) => {
    if (!isDuplicateKey(error)) throw error;
    return handle(error);
  };
}

/** Whether an unordered bulk write failed only for records that exist: all others are stored. */
export function hasOnlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as { writeErrors?: unknown };
  const faults = (Array.isArray(writeErrors) ? writeErrors : [writeErrors]) as ({ code?: number } | undefined)[];
  return faults.length > 0 && faults.every((fault) => fault?.code === DUPLICATE_KEY);
}

/** Whether the store could not be reached, is full or asks for a retry: the data is not at fault. */
export function isStoreAway(error: unknown): boolean {
  return storeFault(error) !== undefined;
}
