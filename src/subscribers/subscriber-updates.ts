import { isDeepStrictEqual } from 'node:util';
import type { Types } from 'mongoose';
import { type PartialUpdate, partialUpdate, toObjectId } from '#libs/persistence';
import type { TenantContext } from '#libs/common';

/** What can be told of a subscriber, besides credentials. Absent stays, null is taken away. */
export interface SubscriberProfile {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly avatar?: string | null;
  readonly locale?: string | null;
  readonly data?: Record<string, unknown> | null;
}

/** A subscriber to be created or updated. */
export interface SubscriberDefinition extends SubscriberProfile {
  readonly subscriberId: string;
}

const PROFILE_KEYS = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'data'] as const;
const SEARCH_KEYS = ['email', 'firstName', 'lastName'] as const;

/** The update that a profile means, search keys included. */
export function profileUpdate(profile: SubscriberProfile): PartialUpdate {
  const changes: Record<string, unknown> = {};
  for (const key of PROFILE_KEYS) changes[key] = profile[key];
  for (const key of SEARCH_KEYS) changes[`search.${key}`] = toSearchKey(profile[key]);
  return partialUpdate(changes);
}

/** One upsert in the form that the driver takes; nothing is cast on its way. */
export interface SubscriberUpsert {
  readonly filter: { _environmentId: Types.ObjectId; subscriberId: string };
  readonly update: UpdateFilter;
}

interface UpdateFilter {
  readonly $set: Record<string, unknown>;
  readonly $unset: Record<string, 1>;
  readonly $setOnInsert: Record<string, unknown>;
}

/**
 * The upsert that creates, updates or revives a subscriber in one step. Its filter is exactly the unique index, deleted
 * records included, so that two callers at once cannot make two of one.
 */
export function upsertOf(tenant: TenantContext, definition: SubscriberDefinition, now: Date): SubscriberUpsert {
  const { $set, $unset } = profileUpdate(definition);
  return {
    filter: { _environmentId: toObjectId(tenant.environmentId), subscriberId: definition.subscriberId },
    update: {
      $set: { ...$set, deleted: false, updatedAt: now },
      $unset: { ...$unset, deletedAt: 1, deletedBy: 1 },
      $setOnInsert: { _organizationId: toObjectId(tenant.organizationId), channels: [], createdAt: now, __v: 0 },
    },
  };
}

/** Whether writing the definition would change the subscriber; absent and null fields change nothing. */
export function wouldChange(row: SubscriberProfile, definition: SubscriberDefinition): boolean {
  return PROFILE_KEYS.some((key) => {
    const value = definition[key];
    return value !== undefined && value !== null && !isDeepStrictEqual(value, row[key]);
  });
}

/** Search is by lower case; null and undefined pass through. */
export function toSearchKey<T extends string | null | undefined>(value: T): T | string {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
