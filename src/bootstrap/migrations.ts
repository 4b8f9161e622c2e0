import type { mongo } from 'mongoose';
import { type AddressChannel, addressKey } from '#libs/channels';
import { type Migration, untilBuilt } from '#libs/persistence';
import { type ErasureRecord, newErasure, type Subscriber } from '../audience/subscribers/index.js';
import type { ListedAddress } from '../content/suppressions/index.js';

/** Oldest first. Append only: a store records which of them it has. See docs/operations.md (Upgrading) and ADR 44. */
export const MIGRATIONS: readonly Migration[] = [
  // Records of the first version need no change; from here on a store has a version.
  { version: 1, name: 'schema version', run: () => Promise.resolve() },
  { version: 2, name: 'digests by shard key', run: replaceDigestIndex },
  { version: 3, name: 'when work became due', run: noteWhenDue, completes: true },
  { version: 4, name: 'deleted subscribers are erased', run: eraseDeletedSubscribers },
  { version: 5, name: 'nothing of removed people', run: removeRemovedPeople },
  { version: 6, name: 'statuses by two indexes', run: dropStatusIndex },
  { version: 7, name: 'suppressed addresses by one form', run: keySuppressedAddresses, completes: true },
];

const FORMER_DIGEST_INDEX = 'digestSlot_1';

/**
 * A unique index must begin with the shard key (ADR 55). One of the two always prevents a second master of a digest.
 */
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

const WITH_WORK = ['triggerEvents', 'notifications', 'webhookDeliveries'];
const PORTION = 1_000;

/**
 * Older work lacks `dueSince`. Its `wakeAt` is the due time, or the end of a lease at most a minute later. Older
 * processes remove `wakeAt` when work ends, so a record without it counts as ended.
 */
async function noteWhenDue(db: mongo.Db): Promise<void> {
  for (const name of WITH_WORK) {
    const collection = db.collection(name);
    for (;;) {
      const without = { wakeAt: { $gt: new Date(0) }, dueSince: { $exists: false } };
      const rows = await collection.find(without, { projection: { _id: 1 }, limit: PORTION }).toArray();
      if (rows.length === 0) break;
      const ids = { _id: { $in: rows.map(({ _id }) => _id) }, ...without };
      await collection.updateMany(ids, [{ $set: { dueSince: '$wakeAt' } }]);
    }
  }
}

/** Earlier versions kept profiles and messages of deleted subscribers. A worker removes them after the start. */
async function eraseDeletedSubscribers(db: mongo.Db): Promise<void> {
  const subscribers = db.collection<Subscriber>('subscribers');
  const erasures = db.collection<ErasureRecord>('erasures');
  for (;;) {
    const rows = await subscribers.find({ deleted: true }).limit(PORTION).toArray();
    if (rows.length === 0) return;
    const now = new Date();
    await erasures.bulkWrite(
      rows.map((row) => ({
        updateOne: {
          filter: { _id: row._id, _environmentId: row._environmentId },
          update: { $setOnInsert: newErasure(row, now) },
          upsert: true,
        },
      })),
    );
    await subscribers.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, deleted: true });
  }
}

/** Earlier versions kept people who were removed, with their password hash and networks. */
async function removeRemovedPeople(db: mongo.Db): Promise<void> {
  await db.collection('users').deleteMany({ deleted: true });
}

const FORMER_STATUS_INDEX = 'unusual_status';

/** Engines that know no `$in` in the filter of an index could not take a copy of the store. The start creates what replaces it. */
async function dropStatusIndex(db: mongo.Db): Promise<void> {
  if (!(await db.listCollections({ name: 'notifications' }, { nameOnly: true }).hasNext())) return;
  const notifications = db.collection('notifications');
  if (await notifications.indexExists(FORMER_STATUS_INDEX)) await notifications.dropIndex(FORMER_STATUS_INDEX);
}

const CHANNELS_WITH_ADDRESSES: readonly AddressChannel[] = ['email', 'sms'];

/** Earlier versions compared addresses as texts. Of two entries of the list that are one address now, the older one stays. */
async function keySuppressedAddresses(db: mongo.Db): Promise<void> {
  const subscribers = db.collection<Subscriber>('subscribers');
  for (const channel of CHANNELS_WITH_ADDRESSES) {
    const state = `addressStates.${channel}`;
    const isOld = { [`${state}.address`]: { $exists: true }, [`${state}.key`]: { $exists: false } };
    const without = isOld as mongo.Filter<Subscriber>;
    for (;;) {
      const rows = await subscribers.find(without, { projection: { addressStates: 1 }, limit: PORTION }).toArray();
      if (rows.length === 0) break;
      await subscribers.bulkWrite(
        rows.map(({ _id, addressStates }) => ({
          updateOne: {
            filter: { _id },
            update: { $set: { [`${state}.key`]: addressKey(channel, addressStates?.[channel]?.address ?? '') } },
          },
        })),
      );
    }
  }
  const listed =
    db.collection<Pick<ListedAddress, '_id' | '_environmentId' | 'channel' | 'address' | 'key'>>('suppressedAddresses');
  for await (const { _id, _environmentId, channel, address, key: former } of listed.find().sort({ since: 1, _id: 1 })) {
    const key = addressKey(channel, address);
    if (key === former) continue;
    const other = await listed.findOne({ _environmentId, channel, key });
    if (other === null) await listed.updateOne({ _id, _environmentId }, { $set: { key } });
    else await listed.deleteOne({ _id, _environmentId });
  }
}
