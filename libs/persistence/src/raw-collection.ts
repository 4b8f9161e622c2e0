import type { Connection, mongo } from 'mongoose';

/** The driver's own collection: no casting, no documents. For records that are written by the thousand only. */
export function rawCollection<T extends object>(connection: Connection, name: string): mongo.Collection<T> {
  const db = connection.db;
  if (db === undefined) throw new Error('The store is not connected.');
  return db.collection<T>(name);
}

/** The faults of an unordered bulk write, by place in it; undefined when the error is of another kind. */
export function writeFaults(error: unknown): { index: number; code: number; message: string }[] | undefined {
  const { writeErrors } = error as { writeErrors?: unknown };
  const list: unknown[] = Array.isArray(writeErrors) ? writeErrors : writeErrors === undefined ? [] : [writeErrors];
  if (list.length === 0) return undefined;
  return (list as { index: number; code: number; errmsg?: string }[]).map(({ index, code, errmsg }) => ({
    index,
    code: code,
    message: errmsg ?? '',
  }));
}
