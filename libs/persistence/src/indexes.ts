import type { Connection, mongo } from 'mongoose';
import { rawCollection } from './raw-collection.js';

/** Collections at a time; each may open a connection, which costs more than the check of its indexes. */
const LANES = 3;

/**
 * Creates the collections and indexes of every registered model; existing ones stay. One command for each collection,
 * because every start waits for it.
 */
export async function ensureIndexes(connection: Connection): Promise<number> {
  const models = Object.values(connection.models);
  const waiting = models.values();
  const work = async (): Promise<void> => {
    for (const { collection, schema } of waiting) {
      const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
      if (indexes.length > 0) await rawCollection(connection, collection.name).createIndexes(indexes);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return models.length;
}

/**
 * Like {@link ensureIndexes}, and drops indexes that no schema declares any more.
 * @returns the names of the dropped indexes by collection
 */
export async function syncIndexes(connection: Connection): Promise<Record<string, string[]>> {
  const dropped: Record<string, string[]> = {};
  for (const model of Object.values(connection.models)) {
    const names = await model.syncIndexes();
    if (names.length > 0) dropped[model.collection.name] = names;
  }
  return dropped;
}
