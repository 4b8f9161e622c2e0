import type { Connection } from 'mongoose';

/** Creates the collections and indexes of every registered model; existing ones stay. */
export async function ensureIndexes(connection: Connection): Promise<number> {
  const models = Object.values(connection.models);
  await Promise.all(models.map((model) => model.createIndexes()));
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
