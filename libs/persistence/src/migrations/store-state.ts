import type { Types } from 'mongoose';

/** One record per aspect of the store as a whole. */
export const STORE_STATE = 'storeState';
/** Record id. */
export const SCHEMA = 'schema';
/** Record id; marks an unfinished copy, with `source` and `startedAt`. */
export const UNFINISHED_COPY = 'copy';

export interface StoreStateRecord {
  readonly _id: string;
  /** That of the last completed migration. */
  readonly version?: number;
  readonly applied?: readonly AppliedMigration[];
  /** Of a store in a database that others used first: their collections at that time. */
  readonly sharedWith?: readonly string[];
  /** Held by the process that runs migrations. */
  readonly lease?: string;
  readonly leaseUntil?: Date;
  readonly source?: string;
  readonly startedAt?: Date;
  /** Of the copy: what it writes into the target and the source does not have. */
  readonly auditEntries?: readonly Types.ObjectId[];
}

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly at: Date;
  readonly tookMs: number;
}
