import mongoose from 'mongoose';
import { isDuplicateKey, type TenantModel } from '#libs/persistence';
import type { SubscriberUpsert } from './subscriber-updates.js';
import type { Subscriber } from './subscriber.schema.js';

type Subscribers = Pick<TenantModel<Subscriber>, 'collection'>;
/** One write in the form that the driver takes. */
export type SubscriberWrite = mongoose.mongo.AnyBulkWriteOperation;

/** Two inserts of one id at the same moment: the later one finds the record when it tries again. */
const TRIES = 10;

/** Creates, updates or revives one subscriber and returns it as stored. */
export async function upsertOne(
  { collection }: Subscribers,
  { filter, update }: SubscriberUpsert,
): Promise<Subscriber> {
  for (let tries = 1; ; tries++) {
    try {
      const row = await collection.findOneAndUpdate(filter, update, { upsert: true, returnDocument: 'after' });
      return row as unknown as Subscriber;
    } catch (error) {
      if (!isDuplicateKey(error) || tries === TRIES) throw error;
    }
  }
}

/** Carries out writes in their order, in one call of the store. @returns the positions of those that inserted */
export async function writeInOrder(
  { collection }: Subscribers,
  writes: readonly SubscriberWrite[],
): Promise<ReadonlySet<number>> {
  const inserted = new Set<number>();
  for (let from = 0, tries = 1; from < writes.length; tries++) {
    const note = (upsertedIds: Record<number, unknown>): void => {
      for (const index of Object.keys(upsertedIds)) inserted.add(from + Number(index));
    };
    try {
      const { upsertedIds } = await collection.bulkWrite(writes.slice(from), { ordered: true });
      note(upsertedIds);
      return inserted;
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof mongoose.mongo.MongoBulkWriteError) || tries === TRIES)
        throw error;
      note(error.result.upsertedIds);
      const [failed] = [error.writeErrors].flat();
      from += failed?.index ?? 0;
    }
  }
  return inserted;
}

export function toUpsertWrite({ filter, update }: SubscriberUpsert): SubscriberWrite {
  return { updateOne: { filter, update, upsert: true } };
}
