import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { databaseOf } from './raw-collection.js';
import type { Store } from './store.js';
import { contentsOf, foreignDatabase, type StoreContents } from './migrations/store-contents.js';

export interface ConnectedStore {
  readonly connection: Connection;
  readonly contents: StoreContents;
}

/**
 * The only way to a store: nothing is written to a database that others use and Herald does not.
 * @param mayShare whether a new store may begin beside the data of others
 * @throws {UnusableStoreError}
 */
export async function connectToStore(
  { uri, description }: Pick<Store, 'uri' | 'description'>,
  options: ConnectOptions = {},
  mayShare = false,
): Promise<ConnectedStore> {
  const connection = mongoose.createConnection(uri, { autoIndex: false, autoCreate: false, ...options });
  try {
    await connection.asPromise();
    const db = databaseOf(connection);
    // Also because a server accepts a connection without credentials and rejects its commands.
    const contents = await contentsOf(db);
    if (contents.owner === 'others' && !mayShare)
      throw foreignDatabase(`The database '${db.databaseName}' (${description})`, contents.others);
    return { connection, contents };
  } catch (error) {
    await connection.destroy().catch(() => undefined);
    throw error;
  }
}
