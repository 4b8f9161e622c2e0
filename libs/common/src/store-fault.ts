/**
 * `unavailable`: unreachable, or the primary changes; `full`: no space left; `conflict`: not executed because of a
 * concurrent write; `damaged`: what the store holds is not what was stored.
 */
export type StoreFault = 'unavailable' | 'full' | 'conflict' | 'damaged';

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

/** Unreachable, shutting down or not the primary; 64: a write was not confirmed in time. */
const UNAVAILABLE_CODES = new Set([
  6, 7, 64, 89, 91, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436,
]);
/** Without `NoWritesPerformed`, which servers also attach to errors of the operation itself. */
const UNAVAILABLE_LABELS = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];
/** Servers that are not the primary, in versions and engines that send no code. */
const UNAVAILABLE_TEXT = /not master|not primary|node is recovering|primary stepped down/i;

/** MongoDB repeats such writes itself, unless they are part of a transaction. Other engines pass the conflict on. */
const WRITE_CONFLICT = 112;
const CONFLICT_TEXT = /\bWriteConflict\b|deadlock detected|could not serialize access/i;

const OUT_OF_DISK_SPACE = 14031;
const DATA_CORRUPTION_DETECTED = 246;
const FULL_TEXT = /MDB_MAP_FULL|ENOSPC|no space left|over your space quota/i;
const INTERNAL_ERROR = 1;
const HIGHEST_MONGODB_CODE = 9_999_999;
const MAX_DEPTH = 5;

/** The other side closed the connection right before a write, and the driver passes the error on. */
const CLOSED_CODES = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

type ErrorFields = Readonly<Record<string, unknown>>;

const DUPLICATE_KEY = 11000;
/** An engine on PostgreSQL reports a duplicate key of `findAndModify` like this, as an internal error. */
const DUPLICATE_TEXT = /violates (?:unique|exclusion) constraint/i;

export function isDuplicateKeyFault(error: unknown): boolean {
  return isRecord(error) && (error['code'] === DUPLICATE_KEY || (isUnspecific(error) && says(error, DUPLICATE_TEXT)));
}

/**
 * Undefined if the operation is at fault. Also examines the errors that the driver wraps for `insertMany` and
 * `bulkWrite`.
 */
export function storeFault(error: unknown): StoreFault | undefined {
  return faultOf(error, 0);
}

function faultOf(error: unknown, depth: number): StoreFault | undefined {
  if (!isRecord(error) || depth > MAX_DEPTH) return undefined;
  if (isFull(error)) return 'full';
  if (isUnavailable(error)) return 'unavailable';
  if (isConflict(error)) return 'conflict';
  if (error['code'] === DATA_CORRUPTION_DETECTED) return 'damaged';
  const inner = [error['errorResponse'], error['err'], error['cause'], ...listOf(error['writeErrors'])];
  return inner.map((each) => faultOf(each, depth + 1)).find((fault) => fault !== undefined);
}

function isFull(error: ErrorFields): boolean {
  const { code } = error;
  return code === OUT_OF_DISK_SPACE || code === 'ENOSPC' || says(error, FULL_TEXT);
}

function isConflict(error: ErrorFields): boolean {
  return error['code'] === WRITE_CONFLICT || (isUnspecific(error) && says(error, CONFLICT_TEXT));
}

/** Texts decide only without a specific code: names or values in other errors may look like them. */
function isUnspecific({ name, code }: ErrorFields): boolean {
  const isOfServer = typeof name !== 'string' || name.startsWith('Mongo') || name === 'WriteError';
  return isOfServer && (code === undefined || code === INTERNAL_ERROR || isForeign(code));
}

/** Other engines number errors of their own storage above those of MongoDB. */
function isForeign(code: unknown): boolean {
  return typeof code === 'number' && code > HIGHEST_MONGODB_CODE;
}

function says({ message, errmsg }: ErrorFields, pattern: RegExp): boolean {
  return [message, errmsg].some((text) => typeof text === 'string' && pattern.test(text));
}

function isUnavailable(error: ErrorFields): boolean {
  const { name, code, errorLabelSet } = error;
  if (typeof name === 'string' && UNAVAILABLE_NAMES.has(name)) return true;
  if (CLOSED_CODES.has(code) || (typeof code === 'number' && UNAVAILABLE_CODES.has(code))) return true;
  const labels = errorLabelSet instanceof Set ? errorLabelSet : new Set(listOf(error['errorLabels']));
  if (UNAVAILABLE_LABELS.some((label) => labels.has(label))) return true;
  return isUnspecific(error) && says(error, UNAVAILABLE_TEXT);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, 10) : [];
}

function isRecord(value: unknown): value is ErrorFields {
  return typeof value === 'object' && value !== null;
}
