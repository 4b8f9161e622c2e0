import type { AppConfig } from '#libs/config';
import {
  type ConnectedStore,
  connectToStore,
  hasEmbeddedStore,
  openStore,
  type Store,
  StoreUnreachableError,
  UnusableStoreError,
} from '#libs/persistence';

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
 * @throws {UnusableStoreError}
 */
export async function openExistingStore(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  const store = await openStoreWithFolder(config, onFatal);
  try {
    if (await isEmpty(store)) throw new NoStoreError(`in the ${store.description}: it is empty`);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Also a database in which no Herald has begun yet. @throws {NoStoreError} where an embedded store would be created */
export function openStoreWithFolder(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  if (config.get('MONGODB_URI') === undefined) {
    const dataDir = config.get('DATA_DIR');
    if (!hasEmbeddedStore(dataDir)) throw new NoStoreError(`in the directory ${dataDir}`);
  }
  return openStore(config, onFatal);
}

/** @throws {StoreUnreachableError} @throws {UnusableStoreError} */
export async function lookInto(store: Store, mayShare = false): Promise<ConnectedStore> {
  return connectToStore(store, { serverSelectionTimeoutMS: CONNECT_WITHIN_MS }, mayShare).catch((error: unknown) => {
    if (error instanceof UnusableStoreError) throw error;
    throw new StoreUnreachableError(store.description, error);
  });
}

async function isEmpty(store: Store): Promise<boolean> {
  const { connection, contents } = await lookInto(store);
  await connection.destroy();
  return contents.owner === 'nobody';
}
