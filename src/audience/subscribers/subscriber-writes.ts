import { isDeepStrictEqual } from 'node:util';
import mongoose, { type Types } from 'mongoose';
import { storeFault, type TenantContext } from '#libs/common';
import {
  isDuplicateKey,
  onDuplicateKey,
  type PartialUpdate,
  partialUpdate,
  type TenantModel,
  toObjectId,
  untilWritten,
} from '#libs/persistence';
import { PROFILE_KEYS, type ProfileKey, type SubscriberProfileDto } from './profile.js';
import type { Subscriber } from './subscriber.schema.js';

/** An absent field is kept, null removes it. */
export type SubscriberProfile = Readonly<SubscriberProfileDto>;

export interface SubscriberDefinition extends SubscriberProfile {
  readonly subscriberId: string;
}

const SEARCH_KEYS = ['email', 'firstName', 'lastName'] as const satisfies readonly ProfileKey[];

export function profileUpdate(profile: SubscriberProfile): PartialUpdate {
  const changes: Record<string, unknown> = {};
  for (const key of PROFILE_KEYS) changes[key] = profile[key];
  for (const key of SEARCH_KEYS) changes[`search.${key}`] = toSearchKey(profile[key]);
  return partialUpdate(changes);
}

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface SubscriberUpsert {
  readonly filter: { _environmentId: Types.ObjectId; subscriberId: string };
  readonly update: UpdateFilter;
}

interface UpdateFilter {
  readonly $set?: Record<string, unknown>;
  readonly $unset?: Record<string, 1>;
  readonly $setOnInsert: Record<string, unknown>;
}

/**
 * Filters on exactly the unique index, so that concurrent callers cannot create two records. Also turns a session-only
 * record into a subscriber.
 */
export function upsertOf(tenant: Owner, definition: SubscriberDefinition, now: Date): SubscriberUpsert {
  const { $set, $unset } = profileUpdate(definition);
  return {
    filter: { _environmentId: toObjectId(tenant.environmentId), subscriberId: definition.subscriberId },
    update: {
      $set: { ...$set, deleted: false, updatedAt: now },
      $unset: { ...$unset, sessionOnly: 1 },
      $setOnInsert: newSubscriber(tenant, now),
    },
  };
}

/** Creates a record without a profile, visible to sessions only. */
export function sessionOnlyUpsert(tenant: Owner, subscriberId: string, now: Date): SubscriberUpsert {
  return {
    filter: { _environmentId: toObjectId(tenant.environmentId), subscriberId },
    update: { $setOnInsert: { ...newSubscriber(tenant, now), sessionOnly: true, deleted: false, updatedAt: now } },
  };
}

function newSubscriber({ organizationId }: Owner, createdAt: Date): Record<string, unknown> {
  return { _organizationId: toObjectId(organizationId), channels: [], createdAt, __v: 0 };
}

/** What the upsert makes where there is no record. Its paths have two parts at most. */
export function newRecord({ filter, update }: SubscriberUpsert): Subscriber {
  const row: Record<string, unknown> = { _id: new mongoose.Types.ObjectId(), ...filter, ...update.$setOnInsert };
  for (const [path, value] of Object.entries(update.$set ?? {})) {
    const [field = '', inner] = path.split('.');
    row[field] = inner === undefined ? value : { ...(row[field] as object | undefined), [inner]: value };
  }
  return row as unknown as Subscriber;
}

/** Absent fields change nothing, and null only what is there. */
export function wouldChange(row: SubscriberProfile, definition: SubscriberDefinition): boolean {
  return PROFILE_KEYS.some((key) => {
    const value = definition[key];
    return value !== undefined && !isDeepStrictEqual(value, row[key] ?? null);
  });
}

export function toSearchKey<T extends string | null | undefined>(value: T): T | string {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

type Subscribers = Pick<TenantModel<Subscriber>, 'collection'>;
export type SubscriberWrite = mongoose.mongo.AnyBulkWriteOperation;

/** If inserts of one id meet, the later one finds the record on its next attempt; write conflicts are transient. */
const MAX_ATTEMPTS = 10;

export function upsertOne({ collection }: Subscribers, { filter, update }: SubscriberUpsert): Promise<Subscriber> {
  return untilWritten(async () => {
    const row = await collection
      .findOneAndUpdate(filter, update, { upsert: true, returnDocument: 'after' })
      .catch(onDuplicateKey(() => undefined));
    return row as unknown as Subscriber | undefined;
  });
}

/**
 * In order, in one call of the store.
 * @param onDuplicate what becomes of an insert of what exists already
 * @returns the positions of the writes that inserted
 */
export async function writeInOrder(
  { collection }: Subscribers,
  writes: readonly SubscriberWrite[],
  onDuplicate: 'repeat' | 'skip' = 'repeat',
): Promise<ReadonlySet<number>> {
  const inserted = new Set<number>();
  for (let from = 0, attempt = 1; from < writes.length;) {
    const note = (upsertedIds: Record<number, unknown>): void => {
      for (const index of Object.keys(upsertedIds)) inserted.add(from + Number(index));
    };
    try {
      const { upsertedIds } = await collection.bulkWrite(writes.slice(from), { ordered: true });
      note(upsertedIds);
      return inserted;
    } catch (error) {
      const isSkipped = onDuplicate === 'skip' && isDuplicateKey(error);
      const isContended = isDuplicateKey(error) || storeFault(error) === 'conflict';
      if (!isContended || !(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
      if (!isSkipped && attempt++ === MAX_ATTEMPTS) throw error;
      note(error.result.upsertedIds);
      const [failed] = [error.writeErrors].flat();
      from += (failed?.index ?? 0) + (isSkipped ? 1 : 0);
    }
  }
  return inserted;
}

export function toUpsertWrite({ filter, update }: SubscriberUpsert): SubscriberWrite {
  return { updateOne: { filter, update, upsert: true } };
}
