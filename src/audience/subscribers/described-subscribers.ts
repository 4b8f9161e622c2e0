import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import { Clock, EventBus, FailPoint, type TenantContext } from '#libs/common';
import { derivedObjectId, duplicatePlaces, type TenantModel, toObjectId } from '#libs/persistence';
import { Erasures, type NotedDeletion } from './erasures.js';
import { type ResolvedSubscriber, toResolved } from './resolved-subscriber.js';
import { Subscriber } from './subscriber.schema.js';
import { SubscriberSummaries } from './subscriber-summaries.js';
import {
  newRecord,
  type SubscriberDefinition,
  type SubscriberWrite,
  toUpsertWrite,
  upsertOf,
  wouldChange,
  writeInOrder,
} from './subscriber-writes.js';
import { TimeZonesSet } from './subscribers.events.js';

/** After what is stored was read, before anything is written. */
export const DESCRIBING = new FailPoint<readonly Description[]>('subscribers.describe');

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** An event that names a subscriber. */
export interface Naming {
  readonly eventId: Types.ObjectId;
  readonly subscriberId: string;
  /** Where the event was made from something older: the deletions of the subscriber that were over when that was read. Any other one refuses it. */
  readonly deletionsBefore?: readonly Types.ObjectId[] | undefined;
}

/** What an event says of a subscriber. */
export interface Description extends Pick<Naming, 'deletionsBefore'> {
  readonly by: Types.ObjectId;
  readonly definition: SubscriberDefinition;
  /** Nobody else is created or changed. */
  readonly forRecord?: Types.ObjectId | undefined;
}

/** Which of the events the caller still holds, as the store shows it now. */
export type HeldAmong = (eventIds: readonly Types.ObjectId[]) => Promise<ReadonlySet<string>>;

export interface DescribedPeople {
  /** By external id. */
  readonly subscribers: ReadonlyMap<string, ResolvedSubscriber>;
  readonly refused: RefusedNamings;
}

/** Where the subscriber that an event names was deleted after the event was accepted. */
export class RefusedNamings {
  constructor(private readonly ids: ReadonlySet<string> = new Set()) {}

  has(naming: Naming): boolean {
    return this.ids.size > 0 && this.ids.has(recordIdOf(naming).toHexString());
  }

  and(namings: readonly Naming[]): RefusedNamings {
    return new RefusedNamings(new Set([...this.ids, ...namings.map((naming) => recordIdOf(naming).toHexString())]));
  }
}

interface Change {
  readonly definition: SubscriberDefinition;
  /** Of the record that the change is for. */
  readonly id: Types.ObjectId;
  readonly isNew: boolean;
}

const ATTEMPTS = 10;
const DAY_MS = 86_400_000;
/** How long an event that was accepted before a deletion is kept from creating the subscriber. */
const REFUSAL_DAYS = 90;

/**
 * Subscribers as events describe them. An event that was accepted before a subscriber was deleted neither creates nor changes
 * whoever has the id after that.
 *
 * A subscriber that an event creates has a record id made of both. A deletion takes these ids of all events that wait and name the
 * subscriber (`refuse`), so the store itself refuses the insert, however late it comes. Other changes name the record that was read.
 */
@Injectable()
export class DescribedSubscribers {
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly summaries: SubscriberSummaries,
    private readonly erasures: Erasures,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Creates and updates. Absent fields change nothing, null removes a value, and a matching subscriber costs no write. */
  async apply(
    tenant: TenantContext,
    descriptions: readonly Description[],
    heldAmong: HeldAmong,
  ): Promise<DescribedPeople> {
    const namings = descriptions.map(namingOf);
    const ids = [...new Set(namings.map(({ subscriberId }) => subscriberId))];
    const zones = new Map<string, string | undefined>();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found = await this.read(tenant, ids);
      // After that: a record that was created after a deletion is read with the deletion.
      const refused = await this.refusedAmong(tenant, namings, heldAmong);
      await DESCRIBING.pass(descriptions);
      for (const row of found.values()) if (!zones.has(hexOf(row))) zones.set(hexOf(row), row.timezone);
      const open = descriptions.filter((one) => !refused.has(namingOf(one)));
      const changes = changesOf(open, found);
      const changed = changes.length === 0 ? new Map<string, Subscriber>() : await this.write(tenant, changes);
      // Somebody else has created or deleted one of them meanwhile.
      if (!changes.every(({ id, definition }) => changed.get(definition.subscriberId)?._id.equals(id) === true))
        continue;
      await this.announceZones(tenant, changed, zones);
      const rows = [...new Map([...found, ...changed])];
      return { subscribers: new Map(rows.map(([id, row]) => [id, toResolved(row)])), refused };
    }
    throw new Error('Other writers changed the subscribers of an event in every attempt.');
  }

  /**
   * A deletion finds every event that waits. So one that it has not found, and that still waits after the deletion is settled, was
   * accepted after it; and one that does not wait was taken over from a worker that stood still. An event that was made from something
   * older names whom that named.
   */
  async refusedAmong(tenant: Owner, namings: readonly Naming[], heldAmong: HeldAmong): Promise<RefusedNamings> {
    const noted = await this.erasures.noted(tenant, [...new Set(namings.map(({ subscriberId }) => subscriberId))]);
    if (noted.length === 0) return new RefusedNamings();
    const unsettled = new Set(noted.flatMap(({ isSettled, subscriberId }) => (isSettled ? [] : [subscriberId])));
    const deleted = new Set(noted.map(({ subscriberId }) => subscriberId));
    const own = namings.filter(({ subscriberId }) => deleted.has(subscriberId));
    const held = await heldAmong(own.map(({ eventId }) => eventId));
    await this.refuse(
      tenant,
      own.filter(({ subscriberId }) => unsettled.has(subscriberId)),
    );
    const refused = await this.refusedOf(tenant, own);
    const outdated = await this.outdatedAmong(tenant, own, noted);
    return refused.and([...own.filter(({ eventId }) => !held.has(eventId.toHexString())), ...outdated]);
  }

  /** Those whose subscriber was deleted after what their event was made from was read. Their events are searched again. */
  private async outdatedAmong(
    { environmentId }: Owner,
    namings: readonly Naming[],
    noted: readonly NotedDeletion[],
  ): Promise<Naming[]> {
    const _environmentId = toObjectId(environmentId);
    const outdated: Naming[] = [];
    for (const naming of namings) {
      const { subscriberId } = naming;
      const later = noted.filter((one) => one.subscriberId === subscriberId && isOlderThan(naming, one.id));
      if (later.length === 0) continue;
      outdated.push(naming);
      await this.erasures.reopen(
        later.map(({ id }) => ({ _id: id, _environmentId })),
        subscriberId,
      );
    }
    return outdated;
  }

  /** As `refusedAmong`, where a deletion is known. */
  async refusedOf({ environmentId }: Owner, namings: readonly Naming[]): Promise<RefusedNamings> {
    const rows = await this.collection
      .find({
        _id: { $in: namings.map(recordIdOf) },
        _environmentId: toObjectId(environmentId),
        subscriberId: { $in: namings.map(refusalOf) },
      })
      .project<Pick<Subscriber, '_id'>>({ _id: 1 })
      .toArray();
    return new RefusedNamings(new Set(rows.map(hexOf)));
  }

  /**
   * From now on, these events neither create nor change the subscribers that they name. Whom they have created since the deletion began is
   * deleted.
   */
  async refuse(tenant: Owner, namings: readonly Naming[]): Promise<void> {
    for (let left = namings; left.length > 0;) {
      left = await this.insertRefusals(tenant, left);
      for (const naming of left) await this.remove(tenant, naming);
    }
  }

  private async remove(tenant: Owner, naming: Naming): Promise<void> {
    const { subscriberId } = naming;
    const own = { _id: recordIdOf(naming), _environmentId: toObjectId(tenant.environmentId), subscriberId };
    if ((await this.collection.findOne(own, { projection: { _id: 1 } })) === null) return;
    // The deletion that this is a part of finds the events that come before.
    await this.erasures.begin(tenant, own, { isSettled: true });
    await this.collection.deleteOne(own);
    this.summaries.forget(tenant, subscriberId);
  }

  private get collection(): mongo.Collection<Subscriber> {
    return this.subscribers.collection as unknown as mongo.Collection<Subscriber>;
  }

  /** @returns those whose record ids subscribers have */
  private async insertRefusals(tenant: Owner, namings: readonly Naming[]): Promise<Naming[]> {
    const now = this.clock.now();
    const _environmentId = toObjectId(tenant.environmentId);
    const expireAt = new Date(now.getTime() + REFUSAL_DAYS * DAY_MS);
    const record = {
      _organizationId: toObjectId(tenant.organizationId),
      deleted: true,
      createdAt: now,
      updatedAt: now,
    };
    const writes = namings.map((naming) => ({
      updateOne: {
        filter: { _id: recordIdOf(naming), _environmentId, subscriberId: refusalOf(naming) },
        update: { $setOnInsert: record, $set: { expireAt } },
        upsert: true,
      },
    }));
    try {
      await this.collection.bulkWrite(writes, { ordered: false });
      return [];
    } catch (error) {
      return duplicatePlaces(error).flatMap((place) => namings[place] ?? []);
    }
  }

  private async read(tenant: TenantContext, subscriberIds: readonly string[]): Promise<Map<string, Subscriber>> {
    const rows = await this.subscribers.list(tenant, { subscriberId: { $in: [...subscriberIds] } });
    return new Map(rows.map((row) => [row.subscriberId, row]));
  }

  /** @returns the records of these ids afterwards */
  private async write(tenant: TenantContext, changes: readonly Change[]): Promise<Map<string, Subscriber>> {
    const now = new Date();
    await writeInOrder(
      this.subscribers,
      changes.map((change) => writeOf(tenant, change, now)),
      'skip',
    );
    const ids = [...new Set(changes.map(({ definition }) => definition.subscriberId))];
    for (const subscriberId of ids) this.summaries.forget(tenant, subscriberId);
    return this.read(tenant, ids);
  }

  private async announceZones(
    { environmentId }: Owner,
    changed: ReadonlyMap<string, Subscriber>,
    before: ReadonlyMap<string, string | undefined>,
  ): Promise<void> {
    const rows = [...changed.values()].filter((row) => before.has(hexOf(row)));
    const moved = rows.filter((row) => (before.get(hexOf(row)) ?? undefined) !== (row.timezone ?? undefined));
    if (moved.length > 0) await this.events.publish(new TimeZonesSet({ environmentId }, moved.map(hexOf)));
  }
}

/** In the order of the descriptions: later ones change what earlier ones create. */
function changesOf(descriptions: readonly Description[], found: ReadonlyMap<string, Subscriber>): Change[] {
  const created = new Map<string, Types.ObjectId>();
  return descriptions.flatMap(({ by, definition, forRecord }): Change[] => {
    const { subscriberId } = definition;
    const row = found.get(subscriberId);
    if (forRecord !== undefined && row?._id.equals(forRecord) !== true) return [];
    if (row !== undefined) {
      const isChanged = row.sessionOnly === true || wouldChange(row, definition);
      return isChanged ? [{ definition, id: row._id, isNew: false }] : [];
    }
    const id = created.get(subscriberId);
    if (id !== undefined) return [{ definition, id, isNew: false }];
    const own = recordIdOf({ eventId: by, subscriberId });
    created.set(subscriberId, own);
    return [{ definition, id: own, isNew: true }];
  });
}

function writeOf(tenant: TenantContext, { definition, id, isNew }: Change, now: Date): SubscriberWrite {
  const upsert = upsertOf(tenant, definition, now);
  const { filter, update } = upsert;
  if (!isNew) {
    const { $setOnInsert: _whole, ...changes } = update;
    return { updateOne: { filter: { ...filter, _id: id }, update: changes } };
  }
  const { subscriberId: _named, _environmentId: _owner, ...record } = newRecord(upsert);
  return toUpsertWrite({ filter, update: { $setOnInsert: { ...record, _id: id } } });
}

function namingOf({ by, definition, deletionsBefore }: Description): Naming {
  return { eventId: by, subscriberId: definition.subscriberId, deletionsBefore };
}

/** Whether an event was made from something that was read before a deletion was over. @param deletion the record id of who was deleted */
export function isOlderThan({ deletionsBefore }: Pick<Naming, 'deletionsBefore'>, deletion: Types.ObjectId): boolean {
  return deletionsBefore?.some((id) => id.equals(deletion)) === false;
}

function recordIdOf({ eventId, subscriberId }: Naming): Types.ObjectId {
  return derivedObjectId(eventId, subscriberId);
}

/** In place of the external id, which a deletion does not keep. */
function refusalOf(naming: Naming): string {
  return `(deleted) ${recordIdOf(naming).toHexString()}`;
}

function hexOf({ _id }: Pick<Subscriber, '_id'>): string {
  return _id.toHexString();
}
