import type { Connection, mongo } from 'mongoose';
import { hasOnlyDuplicates } from './store-errors.js';

/** The driver's collection, without casting and documents, for records written by the thousand. */
export function rawCollection<T extends object>(connection: Connection, name: string): mongo.Collection<T> {
  return databaseOf(connection).collection<T>(name);
}

/** The driver's database of an open connection. */
export function databaseOf({ db }: Connection): mongo.Db {
  if (db === undefined) throw new Error('The store is not connected.');
  return db;
}

/**
 * Indexes of the records that an unordered bulk write found to exist.
 * @throws the error itself if there is another fault
 */
export function duplicatePlaces(error: unknown): number[] {
  if (!hasOnlyDuplicates(error)) throw error;
  const { writeErrors } = error as { writeErrors: { index: number } | { index: number }[] };
  return [writeErrors].flat().map(({ index }) => index);
}
