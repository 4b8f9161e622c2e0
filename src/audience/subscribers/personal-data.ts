import type { mongo, Types } from 'mongoose';

export interface Person {
  readonly organizationId: string;
  readonly environmentId: string;
  /** Record id of the subscriber. */
  readonly id: Types.ObjectId;
}

export interface ErasedPerson extends Person {
  /** External id, if it is to be searched for. */
  readonly subscriberId?: string;
  readonly erasedAt: Date;
  /** The events that were accepted before the deletion are known. */
  readonly isSettled: boolean;
  /** When the anonymized records are removed as well. */
  readonly trailUntil: Date;
}

/** `removed`: a batch is done; `held`: a worker holds a record, so try again later. */
export type ErasureProgress = 'removed' | 'held';

/** Removes records in batches, so that other work gets its turn, and can resume after any of them. */
export interface HoldsPersonalData {
  erase(person: ErasedPerson): AsyncIterable<ErasureProgress>;
}

export interface HeldRecord {
  readonly _id: Types.ObjectId;
  readonly createdAt: Date;
}

/** Records per batch. */
export const PORTION = 500;

export async function* removeAll<T extends { _id: Types.ObjectId }>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
): AsyncGenerator<ErasureProgress> {
  for (;;) {
    const rows = await collection.find(filter).project<{ _id: Types.ObjectId }>({ _id: 1 }).limit(PORTION).toArray();
    if (rows.length === 0) return;
    await collection.deleteMany({ ...filter, _id: { $in: rows.map(({ _id }) => _id) } });
    yield 'removed';
  }
}
