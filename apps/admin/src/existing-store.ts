import { existsSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { AppConfig } from '#libs/config';
import { openStore, type Store, StoreUnreachableError } from '#libs/persistence';

/** The settings point to no store, and a command must not create one. */
export class NoStoreError extends Error {
  constructor(where: string) {
    super(
      `There is no Herald store ${where}. Set DATA_DIR or MONGODB_URI to the values of your Herald process. ` +
        'Herald creates a new store when it starts.',
    );
    this.name = 'NoStoreError';
  }
}

const CONNECT_WITHIN_MS = 3_000;

/**
 * Opens the store of the settings for a command, and never creates one.
 * @throws {NoStoreError}
 */
export async function openExistingStore(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  if (config.get('MONGODB_URI') === undefined) {
    const dataDir = config.get('DATA_DIR');
    if (!existsSync(join(dataDir, 'store', 'data.mdb'))) throw new NoStoreError(`in the directory ${dataDir}`);
  }
  const store = await openStore(config, onFatal);
  try {
    if (await isEmpty(store)) throw new NoStoreError(`in the ${store.description}: it is empty`);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

async function isEmpty(store: Store): Promise<boolean> {
  const connection = mongoose.createConnection(store.uri, { serverSelectionTimeoutMS: CONNECT_WITHIN_MS });
  try {
    await connection.asPromise();
    return (await connection.db?.listCollections({}, { nameOnly: true }).toArray())?.length === 0;
  } catch (error) {
    throw new StoreUnreachableError(store.description, error);
  } finally {
    await connection.destroy();
  }
}
