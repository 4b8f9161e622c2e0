import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { bySize, collect, duplicatePlaces, rawCollection, shardBy, sharedSize, shared } from '#libs/persistence';
import { type Claimable, keyOf, keysOf } from '#libs/work';
import type { MeantSegment } from '../../../audience/segments/index.js';
import type { Naming, ResolvedSubscriber, SubscriberDefinition } from '../../../audience/subscribers/index.js';
import type { AttachmentRef } from './attachment-ref.js';

/** A subscriber as a trigger names it: with more than an id it is created or updated. Null removes a value. */
export interface RecipientEntry extends SubscriberDefinition {
  readonly channels?: { providerId: string; integrationIdentifier?: string; credentials: Record<string, unknown> }[];
}

/** The recipients of an event: the listed ones first, then the topics' members, then those of segments; or all subscribers. */
export interface RecipientSources {
  list: RecipientEntry[];
  topics: string[];
  /** Members who are left out of a topic. */
  without?: { topicKey: string; subscriberIds: string[] }[];
  /** As they were when it was accepted. */
  segments?: MeantSegment[];
  /** How many of the segments' subscribers begin in a minute; absent: all at once. */
  perMinute?: number;
  everybody?: true;
}

/** How far an expansion has come: all runs before it are stored. */
export interface Checkpoint {
  /** 0 is the list, or all subscribers; 1 is the topics, 2 the segments. */
  source: number;
  /** Index in the list, or the member after which the stream continues. */
  after?: number | string;
  /** How many of the segments' subscribers come before. */
  passed?: number;
}

/** Where expansions begin. */
export const START: Checkpoint = { source: 0 };

/** `failed`: workers died over its expansion repeatedly, so it was set aside. */
export const EVENT_STATUSES = ['expanding', 'expanded', 'canceled', 'failed'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** A tenant as templates and conditions see it. */
export interface RunTenant {
  readonly _id: string;
  readonly identifier: string;
  readonly name: string;
  readonly data?: Record<string, unknown>;
  readonly publicUrl?: string;
}

/** What a test send uses in place of stored records, so that it changes none of them. */
export interface TestSample {
  /** Absent: the stored subscriber. */
  subscriber?: ResolvedSubscriber;
  actor?: ResolvedSubscriber;
  tenant?: RunTenant;
  variantId?: string;
  /** What a digest in front of the step has collected. */
  digestEvents?: readonly Record<string, unknown>[];
}

/** One accepted trigger. Payload and overrides are stored here once. */
export interface TriggerEventRecord extends Claimable, Pick<Naming, 'deletionsBefore'> {
  _environmentId: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _userId: Types.ObjectId;
  _apiKeyId: Types.ObjectId;
  transactionId: string;
  _templateId: Types.ObjectId;
  /** The immutable version of the workflow that this event runs. */
  snapshotId: string;
  name: string;
  recipients: RecipientSources;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
  tenant?: string;
  actor?: RecipientEntry;
  /** What it says of its recipients and its actor holds for this event alone: its key may not change subscribers. */
  forThisEventOnly?: true;
  attachments?: AttachmentRef[];
  /** Its runs do not wait: delays, digests, waits for events and closed hours are passed at once. */
  skipWaits?: true;
  /** Only of test sends: one step is sent, whatever its conditions and the subscriber's preferences. */
  test?: TestSample;
  /** How many workflows have started each other before this event; absent: it comes from a client. */
  depth?: number;
  /** It brings what a budget has held, as one digest. */
  ofBudget?: string;
  /** Of its only recipient: whoever has the external id later is not meant. */
  forRecord?: Types.ObjectId;
  /** It asks this question. */
  question?: Types.ObjectId;
  /** The span of the request that triggered it, if its trace is sampled. */
  traceparent?: string;
  status: EventStatus;
  lane?: 'expand';
  /** How often workers have begun to expand it, less one: above 0, a worker may have died over it. */
  claims: number;
  /** Of a schedule: the time of day at which the run of each recipient begins, without a zone. */
  localTime?: string;
  /** Until it is expanded. */
  checkpoint?: Checkpoint;
  error?: string;
  /** While a cancellation has no outcome: how many of its notifications were canceled before. */
  canceledBefore?: number;
  expanded: number;
  /** When to check whether it has ended; only if a webhook asks for `event.completed`. */
  lookForEndAt?: Date;
  createdAt: Date;
  updatedAt: Date;
  expireAt?: Date;
}

/** An event before it is accepted. */
export type NewEvent = Omit<
  TriggerEventRecord,
  'status' | 'lane' | 'checkpoint' | 'expanded' | 'claims' | 'createdAt' | 'updatedAt' | 'wakeAt' | 'dueSince' | 'lease'
>;

export const TRIGGER_EVENT_MODEL = 'TriggerEvent';

export const TriggerEventSchema = shared(
  new Schema({}, { collection: 'triggerEvents', strict: false, versionKey: false, timestamps: false }),
);
/** What the engine names of an event besides its id. */
export const EVENT_SHARD_KEY = shardBy(TriggerEventSchema, '_environmentId', 'transactionId');
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
const setAside = { partialFilterExpression: { setAsideAt: { $exists: true } } };
const suspected = { partialFilterExpression: { suspectGroup: { $exists: true } } };
// idempotent accept; cancel
TriggerEventSchema.index({ _environmentId: 1, transactionId: 1 }, { unique: true });
// claim, oldest first; next due time
TriggerEventSchema.index({ wakeAt: 1 }, waiting);
// claim of each environment's share under a backlog
TriggerEventSchema.index({ lane: 1, _environmentId: 1, wakeAt: 1 }, waiting);
// suspects, those with the largest groups first
TriggerEventSchema.index({ suspectGroup: -1, wakeAt: 1 }, suspected);
// what is not finished, in all and in an environment: how much, and since when it is due
TriggerEventSchema.index({ dueSince: 1 }, waiting);
TriggerEventSchema.index({ lane: 1, _environmentId: 1, dueSince: 1 }, waiting);
TriggerEventSchema.index({ setAsideAt: 1 }, setAside);
// ends to be announced
TriggerEventSchema.index({ lookForEndAt: 1 }, { partialFilterExpression: { lookForEndAt: { $exists: true } } });
TriggerEventSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const DAY_MS = 86_400_000;
/** Events in one query: for so few the store uses the index instead of reading all events. */
const PORTION = 1_000;

interface FinishedGroup {
  readonly events: TriggerEventRecord[];
  readonly lease: string;
  readonly expanded: number;
  readonly isAwaited: boolean;
}

type EventProgress = Pick<TriggerEventRecord, 'status' | 'wakeAt' | 'lease'>;
export type AcceptedPayload = Pick<TriggerEventRecord, '_id' | 'payload' | 'createdAt'>;

@Injectable()
export class TriggerEventStore {
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  get collection(): mongo.Collection<TriggerEventRecord> {
    return rawCollection<TriggerEventRecord>(this.connection, 'triggerEvents');
  }

  /** Inserts events. @returns the indexes of those whose transaction id was used in the environment before */
  async insert(events: readonly TriggerEventRecord[]): Promise<Set<number>> {
    const doubled = new Set<number>();
    let from = 0;
    for (const portion of bySize(events, sizeOf)) {
      for (const place of await this.insertPortion(portion)) doubled.add(from + place);
      from += portion.length;
    }
    return doubled;
  }

  private async insertPortion(events: TriggerEventRecord[]): Promise<number[]> {
    try {
      await this.collection.insertMany(events, { ordered: false });
      return [];
    } catch (error) {
      return duplicatePlaces(error);
    }
  }

  /** Records how far an expansion has come, and keeps the lease. @returns false when the lease is lost or it was canceled */
  async checkpoint(
    event: TriggerEventRecord,
    checkpoint: Checkpoint,
    expanded: number,
    wakeAt: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(
      { ...eventKey(event), lease: leaseOf(event), status: 'expanding' },
      { $set: { checkpoint, expanded, wakeAt, updatedAt: new Date() }, $unset: { takenUp: 1, suspectGroup: 1 } },
    );
    return matchedCount === 1;
  }

  /** Ends expansions that have reached all recipients, in one call. @returns how many were lost in the meantime */
  async finish(
    events: readonly TriggerEventRecord[],
    expanded: ReadonlyMap<string, number>,
    now: Date,
  ): Promise<number> {
    if (events.length === 0) return 0;
    const groups = new Map<string, FinishedGroup>();
    for (const event of events) {
      const { _id, lease = '' } = event;
      const count = expanded.get(_id.toHexString()) ?? 0;
      const isAwaited = event.lookForEndAt !== undefined;
      const key = `${count}:${lease}:${isAwaited}`;
      const group = groups.get(key);
      if (group) group.events.push(event);
      else groups.set(key, { lease, expanded: count, isAwaited, events: [event] });
    }
    const { matchedCount } = await this.collection.bulkWrite(
      [...groups.values()].map((group) => this.finishGroup(group, now)),
      { ordered: false },
    );
    return events.length - matchedCount;
  }

  /** Events that were accepted together have a lease in common, and mostly the number of their recipients. */
  private finishGroup(group: FinishedGroup, now: Date): mongo.AnyBulkWriteOperation<TriggerEventRecord> {
    const { events, lease, expanded, isAwaited } = group;
    const updatedAt = new Date();
    return {
      updateMany: {
        // A cancellation that came when all recipients had been reached has not stopped the expansion.
        filter: { ...keysOf(events, EVENT_SHARD_KEY), lease, status: { $in: ['expanding', 'canceled'] } },
        update: {
          // Who waits for its end is told: all of its runs may have ended before.
          $set: { status: 'expanded', expanded, updatedAt, ...(isAwaited && { lookForEndAt: now }) },
          ...this.expiry(updatedAt),
          $unset: { wakeAt: 1, dueSince: 1, lease: 1, lane: 1, takenUp: 1, suspectGroup: 1, checkpoint: 1 },
        },
      },
    };
  }

  /**
   * Stops the expansion of an event. Its holder keeps the lease, and ends what it has begun.
   * @returns false when it was not being expanded
   */
  async stop(event: TriggerEventRecord, now: Date): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(
      { ...eventKey(event), status: 'expanding' },
      { $set: { status: 'canceled', updatedAt: now }, ...this.expiry(now) },
    );
    return matchedCount === 1;
  }

  /** Notes that a cancellation is under way. An earlier one that had no outcome goes on. @returns the number that counts */
  async beginCancellation(event: TriggerEventRecord, canceledBefore: number): Promise<number> {
    const { matchedCount } = await this.collection.updateOne(
      { ...eventKey(event), canceledBefore: { $exists: false } },
      { $set: { canceledBefore } },
    );
    if (matchedCount === 1) return canceledBefore;
    const known = await this.collection.findOne(eventKey(event), { projection: { canceledBefore: 1 } });
    return known?.canceledBefore ?? canceledBefore;
  }

  /** @param isCanceled whether anything of the event was canceled */
  async endCancellation(event: TriggerEventRecord, isCanceled: boolean, now: Date): Promise<void> {
    const end = event.lookForEndAt && { lookForEndAt: now };
    const canceled = { $set: { status: 'canceled', updatedAt: now, ...end }, ...this.expiry(now) } as const;
    await this.collection.updateOne(eventKey(event), {
      ...(isCanceled && canceled),
      $unset: { canceledBefore: 1 },
    });
  }

  /** Ends the work on an event whose expansion was stopped. */
  async endStopped(event: TriggerEventRecord, status: 'canceled' | 'expanded'): Promise<void> {
    await this.collection.updateOne(
      { ...eventKey(event), lease: leaseOf(event), status: 'canceled' },
      { $set: { status }, $unset: { wakeAt: 1, dueSince: 1, lease: 1, lane: 1, takenUp: 1, suspectGroup: 1 } },
    );
  }

  /** Ends an expansion that no worker survives. @returns false when it was canceled or lost in the meantime */
  async setAside(event: TriggerEventRecord, reason: string): Promise<boolean> {
    const updatedAt = new Date();
    const { matchedCount } = await this.collection.updateOne(
      { ...eventKey(event), lease: leaseOf(event), status: 'expanding' },
      {
        $set: { status: 'failed', error: reason, updatedAt, setAsideAt: updatedAt },
        ...this.expiry(updatedAt),
        $unset: { wakeAt: 1, dueSince: 1, lease: 1, lane: 1, suspectGroup: 1 },
      },
    );
    return matchedCount === 1;
  }

  async findByTransaction(tenant: TenantContext, transactionId: string): Promise<TriggerEventRecord | null> {
    return this.collection.findOne({ _environmentId: new Types.ObjectId(tenant.environmentId), transactionId });
  }

  /** How far the work on an event has come. */
  async progressOf(event: TriggerEventRecord): Promise<EventProgress | null> {
    return this.collection.findOne<EventProgress>(eventKey(event), {
      projection: { status: 1, wakeAt: 1, lease: 1 },
    });
  }

  /** Ids of those that are still held by whoever has read them. */
  async heldAmong(events: readonly TriggerEventRecord[]): Promise<Set<string>> {
    const rows = await this.collection
      .find(keysOf(events, EVENT_SHARD_KEY))
      .project<EventProgress & Pick<TriggerEventRecord, '_id'>>({ lease: 1 })
      .toArray();
    const leases = new Map(rows.map(({ _id, lease }) => [_id.toHexString(), lease]));
    const held = events.filter(({ _id, lease }) => lease !== undefined && leases.get(_id.toHexString()) === lease);
    return new Set(held.map(({ _id }) => _id.toHexString()));
  }

  async findByIds(ids: readonly Types.ObjectId[]): Promise<TriggerEventRecord[]> {
    return ids.length === 0 ? [] : collect(this.collection.find({ _id: { $in: [...ids] } }));
  }

  /** The events of runs, each once. */
  async findOf(runs: readonly RunOfEvent[]): Promise<TriggerEventRecord[]> {
    return runs.length === 0 ? [] : collect(this.collection.find(keysOf(runs.map(eventOf), EVENT_SHARD_KEY)));
  }

  async findCanceled(events: readonly TriggerEventRecord[]): Promise<TriggerEventRecord[]> {
    return this.collection.find({ ...keysOf(events, EVENT_SHARD_KEY), status: 'canceled' }).toArray();
  }

  /** The payloads of the events of runs, by event id. Read in portions: a digest may have collected any number of events. */
  async findPayloads(runs: readonly RunOfEvent[]): Promise<Map<string, AcceptedPayload>> {
    const found = new Map<string, AcceptedPayload>();
    for (let from = 0; from < runs.length; from += PORTION) {
      const rows = this.collection
        .find(keysOf(runs.slice(from, from + PORTION).map(eventOf), EVENT_SHARD_KEY))
        .project<AcceptedPayload>({ payload: 1, createdAt: 1 });
      for await (const row of rows) found.set(row._id.toHexString(), row);
    }
    return found;
  }

  async keepFrom(events: readonly TriggerEventRecord[], from: Date): Promise<void> {
    if (events.length === 0 || this.retentionDays === 0) return;
    await this.collection.updateMany(keysOf(events, EVENT_SHARD_KEY), this.expiry(from));
  }

  /** Only extends the expiry. Events outlive their notifications by a day. */
  private expiry(from: Date): { $max?: { expireAt: Date } } {
    if (this.retentionDays === 0) return {};
    return { $max: { expireAt: new Date(from.getTime() + (this.retentionDays + 1) * DAY_MS) } };
  }
}

/** Estimated size of an event without its payload, and of each recipient. */
const BARE_BYTES = 1_000;
const RECIPIENT_BYTES = 60;

function sizeOf({ payload, overrides, recipients: { list, segments = [] } }: TriggerEventRecord): number {
  const shared = sharedSize(payload) + sharedSize(overrides) + sharedSize(segments);
  return BARE_BYTES + shared + list.length * RECIPIENT_BYTES;
}

/** What a run knows of its event. */
export interface RunOfEvent {
  readonly _eventId: Types.ObjectId;
  readonly _environmentId: Types.ObjectId;
  readonly transactionId: string;
}

type EventKey = Pick<TriggerEventRecord, '_id' | '_environmentId' | 'transactionId'>;

export function eventOf({ _eventId, _environmentId, transactionId }: RunOfEvent): EventKey {
  return { _id: _eventId, _environmentId, transactionId };
}

function eventKey(event: EventKey): Pick<EventKey, '_id'> {
  return keyOf(event, EVENT_SHARD_KEY);
}

function leaseOf(event: TriggerEventRecord): string {
  if (event.lease === undefined) throw new Error(`Event ${event._id.toHexString()} has no lease.`);
  return event.lease;
}
