import type { Connection, mongo } from 'mongoose';
import { hasOnlyDuplicates } from './store-errors.js';

/** The driver's collection, without casting and documents, for records written by the thousand. */
export function rawCollection<T extends object>(connection: Connection, name: string): mongo.Collection<T> {
  const db = connection.db;
  if (db === undefined) throw new Error('The store is not connected.');
  return db.collection<T>(name);
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
