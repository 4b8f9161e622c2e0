import { isDuplicateKeyFault, storeFault } from '#libs/common';

/** Not every engine reports which key is the duplicate. */
interface DuplicateKeyError extends Error {
  readonly code: number;
}

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

/** True if all other records are stored and confirmed. */
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

/** Unreachable or full: writing the records of a batch one by one would fail as well. */
export function isStoreUnavailable(error: unknown): boolean {
  const fault = storeFault(error);
  return fault === 'unavailable' || fault === 'full';
}
