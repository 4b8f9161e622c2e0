/** The server error codes that drivers act on, by their public names. */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  NoSuchKey: 4,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  OutOfDiskSpace: 14031,
  CommandNotSupported: 115,
  NotImplemented: 238,
  DataCorruptionDetected: 246,
  CannotIndexParallelArrays: 171,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  WriteConflict: 112,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  DuplicateKey: 11000,
} as const;

export type CodeName = keyof typeof CODES;

/** An error that is answered to the client; `extra` carries fields such as keyPattern and keyValue. */
export class StoreError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: string,
    message: string,
    readonly extra: Record<string, unknown> = {},
    code?: number,
  ) {
    super(message);
    this.code = code ?? CODES[codeName as CodeName] ?? 1;
  }
}

/** The whole transaction may be tried again; drivers do so by this label. */
const TRANSIENT = { errorLabels: ['TransientTransactionError'] };

export const isTransient = (error: unknown): boolean =>
  error instanceof StoreError && error.extra.errorLabels === TRANSIENT.errorLabels;

export const transient = (codeName: string, message: string, code?: number): StoreError =>
  new StoreError(codeName, message, TRANSIENT, code);
export const writeConflict = (): StoreError =>
  transient(
    'WriteConflict',
    'a document that the transaction changes was changed by another operation meanwhile; try the transaction again',
  );
export const noSuchTransaction = (message: string): StoreError => transient('NoSuchTransaction', message);

export const badValue = (message: string): StoreError => new StoreError('BadValue', message);
export const failedToParse = (message: string): StoreError => new StoreError('FailedToParse', message);
export const typeMismatch = (message: string): StoreError => new StoreError('TypeMismatch', message);

/** Features of MongoDB that this store lacks are refused by name, never approximated. */
export const notSupported = (what: string, instead = 'use MongoDB or rewrite the query'): StoreError =>
  new StoreError('NotImplemented', `${what} is not supported by the embedded store; ${instead}`);

/** What to do without text search and without places. */
export const BY_REGEX = 'use $regex on an indexed field, or a search engine';
export const BY_GEOHASH = 'keep a field that can be compared, such as a geohash, or use MongoDB';
