import { isDuplicateKeyFault, storeFault } from '#libs/common';

/** Which key is the duplicate is not part of it: not every engine says so. */
interface DuplicateKeyError extends Error {
  readonly code: number;
}

/** Whether the store rejected a second record with the same unique key. */
export function isDuplicateKey(error: unknown): error is DuplicateKeyError {
  return isDuplicateKeyFault(error);
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

/** Whether an unordered bulk write failed only for records that exist: all others are stored, and their storage confirmed. */
export function hasOnlyDuplicates(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { writeErrors, result } = error as { writeErrors?: unknown; result?: BulkResult };
  if (result?.getWriteConcernError?.() !== undefined) return false;
  const faults: unknown[] = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return faults.length > 0 && faults.every(isDuplicateKeyFault);
}

interface BulkResult {
  getWriteConcernError?(): unknown;
}

/** Whether the store could not be reached or is full. Writing the records of a batch one by one would fail as well. */
export function isStoreUnavailable(error: unknown): boolean {
  const fault = storeFault(error);
  return fault === 'unavailable' || fault === 'full';
}
