import type { mongo } from 'mongoose';
import { assertApart, type StoreContents } from './store-contents.js';
import { begin, HERALD, migrate, type Migration, pending, pluginScope } from './migrator.js';

/** What Herald keeps in a store. */
export interface StoreSchema {
  readonly migrations: readonly Migration[];
  /** All that it may create. */
  readonly collections: readonly string[];
}

export interface PluginMigrations {
  readonly plugin: string;
  readonly migrations: readonly Migration[];
}

export interface PendingMigration extends Pick<Migration, 'version' | 'name'> {
  /** Absent: Herald itself. */
  readonly plugin?: string;
}

/** What {@link prepareStore} would carry out in a store of Herald. @throws {UnusableStoreError} */
export async function pendingMigrations(
  db: mongo.Db,
  { migrations }: StoreSchema,
  ofPlugins: readonly PluginMigrations[],
): Promise<readonly PendingMigration[]> {
  const found: PendingMigration[] = (await pending(db, migrations)).map(({ version, name }) => ({ version, name }));
  for (const { plugin, migrations: own } of ofPlugins) {
    const missing = await pending(db, own, pluginScope(plugin));
    found.push(...missing.map(({ version, name }) => ({ plugin, version, name })));
  }
  return found;
}

/**
 * Brings a store to the schema version of the program, before anything else uses it.
 * @throws {UnusableStoreError}
 */
export async function prepareStore(
  db: mongo.Db,
  { owner, others }: StoreContents,
  { migrations, collections }: StoreSchema,
  ofPlugins: readonly PluginMigrations[] = [],
): Promise<void> {
  assertApart(`The database '${db.databaseName}'`, others, collections);
  // In a shared database, what a plugin finds at first is not its own.
  if (owner !== 'herald' || others.length > 0) {
    for (const { plugin, migrations: own } of ofPlugins) await begin(db, own, pluginScope(plugin));
  }
  // Last: with this record the store is one of Herald.
  if (owner !== 'herald') await begin(db, migrations, HERALD, others);
  await migrate(db, migrations);
  for (const { plugin, migrations: own } of ofPlugins) await migrate(db, own, undefined, pluginScope(plugin));
}
