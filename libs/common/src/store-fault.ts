/** `unavailable`: it could not be reached or asks for a retry. `full`: no space left. */
export type StoreFault = 'unavailable' | 'full';

/** Driver errors for servers that cannot be reached and lost connections. */
const UNAVAILABLE_NAMES = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoOperationTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoStalePrimaryError',
  'MongoPoolClearedError',
  'PoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'WaitQueueTimeoutError',
]);

/** Servers that cannot be reached, are shutting down or are not the primary of their replica set. */
const UNAVAILABLE_CODES = new Set([6, 7, 89, 91, 133, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436]);
const UNAVAILABLE_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];

const OUT_OF_DISK_SPACE = 14031;
const FULL_TEXT = /MDB_MAP_FULL|ENOSPC|no space left|over your space quota/i;
const MAX_DEPTH = 5;

/**
 * The state of the store that made an operation fail; undefined if the operation is at fault. Also examines the errors
 * that the driver wraps for `insertMany` and `bulkWrite`.
 */
export function storeFault(error: unknown): StoreFault | undefined {
  return faultOf(error, 0);
}

function faultOf(error: unknown, depth: number): StoreFault | undefined {
  if (!isRecord(error) || depth > MAX_DEPTH) return undefined;
  if (isFull(error)) return 'full';
  if (isUnavailable(error)) return 'unavailable';
  const inner = [error['errorResponse'], error['err'], error['cause'], ...listOf(error['writeErrors'])];
  return inner.map((each) => faultOf(each, depth + 1)).find((fault) => fault !== undefined);
}

function isFull({ code, message, errmsg }: Readonly<Record<string, unknown>>): boolean {
  return (
    code === OUT_OF_DISK_SPACE ||
    code === 'ENOSPC' ||
    [message, errmsg].some((text) => typeof text === 'string' && FULL_TEXT.test(text))
  );
}

function isUnavailable(error: Readonly<Record<string, unknown>>): boolean {
  const { name, code, errorLabelSet } = error;
  if (typeof name === 'string' && UNAVAILABLE_NAMES.has(name)) return true;
  if (typeof code === 'number' && UNAVAILABLE_CODES.has(code)) return true;
  const labels = errorLabelSet instanceof Set ? errorLabelSet : new Set(listOf(error['errorLabels']));
  return UNAVAILABLE_LABELS.some((label) => labels.has(label));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, 10) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
