import { setTimeout as pause } from 'node:timers/promises';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { storeFault } from '#libs/common';
import { rawCollection } from './raw-collection.js';
import { UnusableStoreError } from './unusable-store-error.js';

const BUILT_WITHIN_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * The embedded store answers nothing else while it builds a large index: the driver gives up, and the command fails
 * although the index is built. Retries until it exists.
 */
export async function untilBuilt(create: () => Promise<unknown>, lookAgainMs = LOOK_AGAIN_MS): Promise<void> {
  const deadline = Date.now() + BUILT_WITHIN_MS;
  for (;;) {
    try {
      await create();
      return;
    } catch (error) {
      if (storeFault(error) !== 'unavailable' || Date.now() > deadline) throw error;
      await pause(lookAgainMs);
    }
  }
}

/** Concurrent collections; each may open a connection, which costs more than checking its indexes. */
const LANES = 3;

/**
 * Covers every registered model; existing collections and indexes stay. One command per collection, because every start
 * waits for it.
 * @throws {UnusableStoreError} if the store refuses an index
 */
export async function ensureIndexes(connection: Connection): Promise<number> {
  const models = Object.values(connection.models);
  const waiting = models.values();
  const work = async (): Promise<void> => {
    for (const { collection, schema } of waiting) {
      const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
      const create = (): Promise<unknown> => rawCollection(connection, collection.name).createIndexes(indexes);
      if (indexes.length > 0) await untilBuilt(create).catch(onRefusal(collection.name));
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return models.length;
}

/** The names of the indexes that {@link ensureIndexes} would create for the models, by collection. */
export async function missingIndexes(
  db: mongo.Db,
  models: readonly Pick<Connection['models'][string], 'collection' | 'schema'>[],
): Promise<Record<string, string[]>> {
  const missing: Record<string, string[]> = {};
  const collections = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const { collection, schema } of models) {
    const { name } = collection;
    const found = collections.has(name) ? await db.collection(name).indexes() : [];
    const names = schema.indexes().map(([key, options]) => options.name ?? nameOf(key));
    const without = names.filter((one) => !found.some((index) => index.name === one));
    if (without.length > 0) missing[name] = without;
  }
  return missing;
}

/** As the driver names an index without a name. */
function nameOf(key: object): string {
  return Object.entries(key)
    .map(([path, kind]) => `${path}_${String(kind)}`)
    .join('_');
}

/** An older MongoDB, or an engine that only speaks its protocol, may not know a kind of index. */
function onRefusal(collection: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof mongoose.mongo.MongoServerError) || storeFault(error) !== undefined) throw error;
    throw new UnusableStoreError(
      `The store refuses the indexes of the collection '${collection}': ${error.message}. Herald needs MongoDB 4.4 or later, or an engine ` +
        'with the same indexes (docs/operations.md).',
      { cause: error },
    );
  };
}

/**
 * Also drops indexes that no schema declares any more.
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
