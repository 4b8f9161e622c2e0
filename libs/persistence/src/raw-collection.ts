import type { Connection, mongo } from 'mongoose';
import { hasOnlyDuplicates } from './store-errors.js';

/** The driver's own collection: no casting, no documents. For records that are written by the thousand only. */
export function rawCollection<T extends object>(connection: Connection, name: string): mongo.Collection<T> {
  const db = connection.db;
  if (db === undefined) throw new Error('The store is not connected.');
  return db.collection<T>(name);
}

/**
 * The places of records that were stored already, where an unordered bulk write failed for nothing else.
 * @throws the error itself, where there is another fault
 */
export function duplicatePlaces(error: unknown): number[] {
  if (!hasOnlyDuplicates(error)) throw error;
  const { writeErrors } = error as { writeErrors: { index: number } | { index: number }[] };
  return [writeErrors].flat().map(({ index }) => index);
}
