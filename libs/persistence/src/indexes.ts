import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import { storeFault } from '#libs/common';
import { rawCollection } from './raw-collection.js';

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
 */
export async function ensureIndexes(connection: Connection): Promise<number> {
  const models = Object.values(connection.models);
  const waiting = models.values();
  const work = async (): Promise<void> => {
    for (const { collection, schema } of waiting) {
      const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
      const create = (): Promise<unknown> => rawCollection(connection, collection.name).createIndexes(indexes);
      if (indexes.length > 0) await untilBuilt(create);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return models.length;
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
