export { type ConnectedStore, connectToStore } from './connect-to-store.js';
export { shortId, slugOf } from './identifiers.js';
export { ensureIndexes, missingIndexes, syncIndexes, untilBuilt } from './indexes.js';
export { complete, type Migration } from './migrations/migrator.js';
export {
  type PendingMigration,
  pendingMigrations,
  type PluginMigrations,
  prepareStore,
  type StoreSchema,
} from './migrations/prepare-store.js';
export { STORE_STATE, type StoreStateRecord, UNFINISHED_COPY } from './migrations/store-state.js';
export { CREATION, cursorOf, type KeysetOrder, type KeysetWindow, type LinkedRows, linkedRows } from './keyset.js';
export { MongoModule, StoreUnreachableError } from './mongo.module.js';
export { derivedObjectId, isObjectId, objectIdFrom, toObjectId } from './object-ids.js';
export { untilWritten } from './optimistic.js';
export { collect, type PageRequest, type PageRows } from './pagination.js';
export { bySize, sharedSize } from './portions.js';
export { type PartialUpdate, partialUpdate, withoutNullish } from './partial-update.js';
export { deletionOf, INCLUDE_DELETED, softDeleted, type SoftDeleteFields } from './plugins/soft-delete.plugin.js';
export { databaseOf, duplicatePlaces, rawCollection } from './raw-collection.js';
export { ReadCache } from './read-cache.js';
export { RecordLoader } from './record-loader.js';
export { shardBy } from './shard-key.js';
export { ReferenceGuard, REFERENCES_CHECKED } from './reference-guard.js';
export { hasOnlyDuplicates, isDuplicateKey, isStoreUnavailable, onDuplicateKey } from './store-errors.js';
export {
  damageHint,
  describeUri,
  ENCRYPTION_KEY_FILE,
  hasDataFile,
  hasEmbeddedStore,
  openStore,
  type Store,
} from './store.js';
export { StoreClockModule } from './store-clock.js';
export { keepTestClock, TestClockModule } from './test-clock.js';
export { ownedBy, type TenantFilter, type TenantModel } from './tenant-model.js';
export { NEWEST_FIRST, OLDEST_FIRST, type Where } from './tenant-reads.js';
export { shared } from './walls.js';
export { BaseRecord, defineGlobalSchema, defineSchema, TenantRecord, uniqueWhileAlive } from './tenant.schema.js';
export { UnusableStoreError } from './unusable-store-error.js';
