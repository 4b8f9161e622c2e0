/** The collection that says what state a store as a whole is in. */
export const STORE_STATE = 'storeState';
/** Id of the record of the schema version. */
export const SCHEMA = 'schema';
/** Id of the record that marks a copy which is not finished; it has `source` and `startedAt`. */
export const UNFINISHED_COPY = 'copy';

export interface StoreStateRecord {
  readonly _id: string;
  /** That of the last migration that was carried out. */
  readonly version?: number;
  readonly applied?: readonly AppliedMigration[];
  /** Held by the process that carries out migrations. */
  readonly lease?: string;
  readonly leaseUntil?: Date;
  readonly source?: string;
  readonly startedAt?: Date;
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly at: Date;
  readonly tookMs: number;
}
