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

export const badValue = (message: string): StoreError => new StoreError('BadValue', message);
export const failedToParse = (message: string): StoreError => new StoreError('FailedToParse', message);
export const typeMismatch = (message: string): StoreError => new StoreError('TypeMismatch', message);

/** Features of MongoDB that this store lacks are refused by name, never approximated. */
export const notSupported = (what: string): StoreError =>
  new StoreError('NotImplemented', `${what} is not supported by the embedded store; use MongoDB or rewrite the query`);
