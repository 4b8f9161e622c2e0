import type { mongo, Types } from 'mongoose';

/** Whose data it is. */
export interface Person {
  readonly organizationId: string;
  readonly environmentId: string;
  /** Record id of the subscriber. */
  readonly id: Types.ObjectId;
}

export interface ErasedPerson extends Person {
  /** The client's own id, where it is still to be searched for. */
  readonly subscriberId?: string;
  readonly erasedAt: Date;
  /** When the anonymous rest is removed as well. */
  readonly trailUntil: Date;
}

/** `removed`: a portion is done; `held`: a worker has a record in its hands, which has to be looked at again. */
export type ErasureProgress = 'removed' | 'held';

/**
 * A part of a program that holds records of persons. It removes them in portions, so that other work gets its turn in
 * between, and can begin again after any of them.
 */
export interface HoldsPersonalData {
  erase(person: ErasedPerson): AsyncIterable<ErasureProgress>;
}

/** A record in an export. */
export interface HeldRecord {
  readonly _id: Types.ObjectId;
  readonly createdAt: Date;
}

/** Records in one portion of an erasure. */
export const PORTION = 500;

/** Removes all records that match, in portions. */
export async function* removeAll<T extends { _id: Types.ObjectId }>(
  collection: mongo.Collection<T>,
  filter: mongo.Filter<T>,
): AsyncGenerator<ErasureProgress> {
  for (;;) {
    const rows = await collection.find(filter).project<{ _id: Types.ObjectId }>({ _id: 1 }).limit(PORTION).toArray();
    if (rows.length === 0) return;
    await collection.deleteMany({ ...filter, _id: { $in: rows.map(({ _id }) => _id) } } as mongo.Filter<T>);
    yield 'removed';
  }
}
