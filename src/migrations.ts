import type { mongo } from 'mongoose';
import { type Migration, untilBuilt } from '#libs/persistence';

/**
 * The changes of stored records, oldest first. Append to the list only: a store knows which of them it has. See
 * docs/operations.md (Upgrading) and ADR 44.
 */
export const MIGRATIONS: readonly Migration[] = [
  // The records of the first version need no change; from here on a store says which version it has.
  { version: 1, name: 'schema version', run: () => Promise.resolve() },
  { version: 2, name: 'digests by shard key', run: replaceDigestIndex },
];

const FORMER_DIGEST_INDEX = 'digestSlot_1';

/** A unique index has to begin with the shard key (ADR 55). At every moment, one of the two prevents a second master of a digest. */
async function replaceDigestIndex(db: mongo.Db): Promise<void> {
  if (!(await db.listCollections({ name: 'notifications' }, { nameOnly: true }).hasNext())) return;
  const notifications = db.collection('notifications');
  if (!(await notifications.indexExists(FORMER_DIGEST_INDEX))) return;
  await untilBuilt(() =>
    notifications.createIndex(
      { _environmentId: 1, _subscriberId: 1, digestSlot: 1 },
      { unique: true, partialFilterExpression: { digestSlot: { $exists: true } } },
    ),
  );
  await notifications.dropIndex(FORMER_DIGEST_INDEX);
}
