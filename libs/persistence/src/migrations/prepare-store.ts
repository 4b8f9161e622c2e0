import type { mongo } from 'mongoose';
import { assertApart, type StoreContents } from './store-contents.js';
import { begin, HERALD, migrate, type Migration, pluginScope } from './migrator.js';

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
