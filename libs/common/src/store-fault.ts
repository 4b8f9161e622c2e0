/** `away`: it could not be asked, or asks to try again. `full`: it has no space left for what was sent. */
export type StoreFault = 'away' | 'full';

/** What the driver throws where it reached no server, or lost the connection in the middle. */
const AWAY_NAMES = new Set([
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

/** Servers that cannot be reached, shut down, or are not (or no longer) the primary of their replica set. */
const AWAY_CODES = new Set([6, 7, 89, 91, 133, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436]);
const AWAY_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];

const OUT_OF_DISK_SPACE = 14031;
const FULL_TEXT = /MDB_MAP_FULL|ENOSPC|no space left|over your space quota/i;
/** Errors within errors; more than any driver nests. */
const MAX_DEPTH = 5;

/**
 * What is wrong with the store, where that is why an operation failed; undefined where the fault lies in what it was
 * sent. The driver wraps what goes wrong within `insertMany` and `bulkWrite`, a lost connection included.
 */
export function storeFault(error: unknown): StoreFault | undefined {
  return faultOf(error, 0);
}

function faultOf(error: unknown, depth: number): StoreFault | undefined {
  if (!isRecord(error) || depth > MAX_DEPTH) return undefined;
  if (isFull(error)) return 'full';
  if (isAway(error)) return 'away';
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

function isAway(error: Readonly<Record<string, unknown>>): boolean {
  const { name, code, errorLabelSet } = error;
  if (typeof name === 'string' && AWAY_NAMES.has(name)) return true;
  if (typeof code === 'number' && AWAY_CODES.has(code)) return true;
  const labels = errorLabelSet instanceof Set ? errorLabelSet : new Set(listOf(error['errorLabels']));
  return AWAY_LABELS.some((label) => labels.has(label));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, 10) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
