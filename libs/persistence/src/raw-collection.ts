import type { Connection, mongo } from 'mongoose';
import { hasOnlyDuplicates } from './store-errors.js';

/** Without casting and documents, for records written by the thousand. */
export function rawCollection<T extends object>(connection: Connection, name: string): mongo.Collection<T> {
  return databaseOf(connection).collection<T>(name);
}

export function databaseOf({ db }: Connection): mongo.Db {
  if (db === undefined) throw new Error('The store is not connected.');
  return db;
}

/**
 * Indexes of records that existed already, after an unordered bulk write.
 * @throws the error itself if there is another fault
 */
export function duplicatePlaces(error: unknown): number[] {
  if (!hasOnlyDuplicates(error)) throw error;
  const { writeErrors } = error as { writeErrors: { index: number } | { index: number }[] };
  return [writeErrors].flat().map(({ index }) => index);
}
