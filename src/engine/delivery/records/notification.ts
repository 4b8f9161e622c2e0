import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { duplicatePlaces, rawCollection, shardBy, toObjectId, shared } from '#libs/persistence';
import { keyOf, keysOf } from '#libs/work';
import type { Claimable } from '#libs/work';
import { ExecutionDetailsService, type TrailEntry, type TrailRecord } from '../../execution-details/index.js';
import { type StepType, type Lane, type StepState, type StepStatus } from './step-state.js';

export {
  STEP_TYPES,
  type StepType,
  STEP_STATUSES,
  type StepStatus,
  LANES,
  type Lane,
  UNCERTAIN,
  type TargetState,
  type StepState,
} from './step-state.js';

export const NOTIFICATION_STATUSES = ['active', 'completed', 'failed', 'merged', 'canceled'] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];
const WITHOUT_MESSAGE: ReadonlySet<StepStatus> = new Set(['skipped', 'failed', 'canceled', 'merged']);
/** Nearly all runs end with it. */
export const USUAL_STATUS = 'completed' satisfies NotificationStatus;

/**
 * One recipient's run of one event, with its state: finishing a step and scheduling the next is one update of this one
 * document. Its `_id` is derived from event and subscriber, so that an expansion can be repeated.
 */
export interface NotificationRecord extends Claimable {
  _environmentId: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _eventId: Types.ObjectId;
  transactionId: string;
  _templateId: Types.ObjectId;
  _subscriberId: Types.ObjectId;
  /** The client's own id of the subscriber. */
  subscriberId: string;
  channels: StepType[];
  /** A test send. */
  isTest?: true;
  tags?: string[];
  status: NotificationStatus;
  /** Index of the current step in `steps`; their number when the run is over. */
  current: number;
  steps: StepState[];
  /** What happened, as far as workers that held the run recorded it with their writes. */
  trail?: TrailEntry[];
  lane?: Lane;
  /** The transaction was canceled while a worker held the lease; that worker ends the run. */
  cancelRequested?: true;
  /** A request to cancel it has no answer yet: it timed out, or its connection was lost. */
  cancelUnanswered?: true;
  /** Its current step waits for a schedule to open. */
  held?: true;
  /** What ends the wait of its current step; empty where the end is decided and only has to be carried out. */
  awaiting?: readonly string[];
  /** How often what it waits for has changed, while it was held or awaited an event. */
  heldEdits?: number;
  /** While it collects a digest. The index is unique, so no other run can collect the same digest. */
  digestSlot?: string;
  /** The slot that it held before it closed, for its successor. */
  digestLastSlot?: string;
  /** The notification whose digest takes this one's event. */
  digestInto?: Types.ObjectId;
  /** The last pass of its master that counted this one in. `true`: counted in by a version that numbered no passes. */
  digestCollected?: number | true;
  /** As a master: how many passes have begun to close its digest. Each holder has a pass of its own. */
  digestEpoch?: number;
  /** As a master: the pass that closed its digest. Only runs that this pass counted in are in the digest. */
  digestClosed?: number;
  /** As a master: the index of the step whose digest is closed. */
  digestClosedStep?: number;
  /** As a master: how many other runs were counted in. */
  digestSize?: number;
  /** As a canceled master: its successor. Written once, so that every pass names the same. */
  digestHeir?: Types.ObjectId;
  /** It will succeed this master, so it cannot leave the digest. */
  digestHeirOf?: Types.ObjectId;
  /** Its own event was canceled after its digest was closed: it continues for the others that were counted in. */
  digestForOthers?: true;
  /** The replays of many that it was part of; written with each, so that none replays it twice. */
  replayIds?: Types.ObjectId[];
  createdAt: Date;
  updatedAt: Date;
  /** Set when the run is over: retention counts from the end of the work. */
  expireAt?: Date;
}

export const NOTIFICATION_MODEL = 'Notification';

/** Declares the indexes; rows are written and read without Mongoose because thousands pass each second. */
export const NotificationSchema = shared(
  new Schema({}, { collection: 'notifications', strict: false, versionKey: false, timestamps: false }),
);
/** What the engine names of a run besides its id. */
export const NOTIFICATION_SHARD_KEY = shardBy(NotificationSchema, '_environmentId', '_subscriberId');
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
const setAside = { partialFilterExpression: { setAsideAt: { $exists: true } } };
const suspected = { partialFilterExpression: { suspectGroup: { $exists: true } } };
// claim, oldest first; next due time
NotificationSchema.index({ wakeAt: 1 }, waiting);
// claim of a lane's share of each environment under a backlog
NotificationSchema.index({ lane: 1, _environmentId: 1, wakeAt: 1 }, waiting);
// suspects, those with the largest groups first
NotificationSchema.index({ suspectGroup: -1, wakeAt: 1 }, suspected);
// what is not finished, in all and in a lane of an environment: how much, and since when it is due
NotificationSchema.index({ dueSince: 1 }, waiting);
NotificationSchema.index({ lane: 1, _environmentId: 1, dueSince: 1 }, waiting);
NotificationSchema.index({ setAsideAt: 1 }, setAside);
// list, newest first; statistics
NotificationSchema.index({ _environmentId: 1, createdAt: -1, _id: -1 });
// list by transaction, newest first; cancel
NotificationSchema.index({ _environmentId: 1, transactionId: 1, createdAt: -1, _id: -1 });
// list by subscriber, newest first
NotificationSchema.index({ _environmentId: 1, _subscriberId: 1, createdAt: -1, _id: -1 });
NotificationSchema.index({ _environmentId: 1, _templateId: 1, createdAt: -1, _id: -1 });
NotificationSchema.index({ _environmentId: 1, channels: 1, createdAt: -1, _id: -1 });
// list by status, newest first; that of completed runs follows the index without status. One filter for both needs $in or $or, and
// two indexes with the same fields in the same order a newer MongoDB than Herald asks for (docs/operations.md)
NotificationSchema.index(
  { _environmentId: 1, status: 1, createdAt: -1, _id: -1 },
  { name: 'status_before_usual', partialFilterExpression: { status: { $lt: USUAL_STATUS } } },
);
NotificationSchema.index(
  { status: 1, _environmentId: 1, createdAt: -1, _id: -1 },
  { name: 'status_after_usual', partialFilterExpression: { status: { $gt: USUAL_STATUS } } },
);
// list of failures by another filter as well, newest first; other runs cost these indexes nothing
const failed = { partialFilterExpression: { status: 'failed' } };
NotificationSchema.index({ _environmentId: 1, status: 1, transactionId: 1, createdAt: -1, _id: -1 }, failed);
NotificationSchema.index({ _environmentId: 1, status: 1, _templateId: 1, createdAt: -1, _id: -1 }, failed);
NotificationSchema.index({ _environmentId: 1, status: 1, channels: 1, createdAt: -1, _id: -1 }, failed);
// list of what can be replayed, newest first
NotificationSchema.index(
  { _environmentId: 1, 'steps.deadLetter': 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { 'steps.deadLetter': true } },
);
// election of a digest's master
NotificationSchema.index(
  { _environmentId: 1, _subscriberId: 1, digestSlot: 1 },
  { unique: true, partialFilterExpression: { digestSlot: { $exists: true } } },
);
// what waits for the schedule of a subscriber
NotificationSchema.index(
  { _environmentId: 1, _subscriberId: 1, held: 1 },
  { partialFilterExpression: { held: { $exists: true } } },
);
// what waits for a signal, or for any message of a subscriber
NotificationSchema.index(
  { _environmentId: 1, awaiting: 1, _subscriberId: 1 },
  { partialFilterExpression: { awaiting: { $exists: true } } },
);
// members of a digest; the oldest one succeeds its master
NotificationSchema.index(
  { digestInto: 1, createdAt: 1, _id: 1 },
  { partialFilterExpression: { digestInto: { $exists: true } } },
);
NotificationSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * The fields of a notification that carrying out its run changes; undefined ones are removed from the record. `digestInto`
 * is not among them: masters write to it as well, under the rules of the digest ledger.
 */
const RUN_FIELDS = [
  'status',
  'current',
  'steps',
  'trail',
  'lane',
  'wakeAt',
  'dueSince',
  'setAsideAt',
  'lease',
  'cancelRequested',
  'held',
  'awaiting',
  'digestSlot',
  'digestLastSlot',
  'digestClosedStep',
  'digestForOthers',
  'updatedAt',
  'expireAt',
] as const satisfies readonly (keyof NotificationRecord)[];

export interface GuardedWrite {
  readonly record: NotificationRecord;
  readonly lease: string;
  /** Writes even if a cancellation was requested: the write is the cancellation. */
  readonly evenIfCanceled?: boolean;
  /** Writes only while it is still in this master's digest. */
  readonly into?: Types.ObjectId | undefined;
}

/** Records as they were handed in: a process that stood still may hold one twice, and only one of its two writes holds. */
export interface RefusedWrites {
  readonly lost: Set<NotificationRecord>;
  /** Still leased, but the transaction was canceled. */
  readonly canceled: Set<NotificationRecord>;
}

/** What names a run in a store of several shards. */
export type NotificationKey = Pick<NotificationRecord, '_id' | '_environmentId' | '_subscriberId'>;

/** Names one run and its shard. */
export function runKey(record: NotificationKey): Pick<NotificationKey, '_id'> {
  return keyOf(record, NOTIFICATION_SHARD_KEY);
}

/** Names runs and their shards. */
export function runKeys(runs: readonly { readonly record: NotificationKey }[]): { _id: { $in: Types.ObjectId[] } } {
  return keysOf(
    runs.map(({ record }) => record),
    NOTIFICATION_SHARD_KEY,
  );
}

/** Reads and writes notifications in batches. The engine's calls go by id and lease. */
@Injectable()
export class NotificationStore {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    details: ExecutionDetailsService,
  ) {
    details.readTrailsFrom((environmentId, ids) => this.findTrails(environmentId, ids));
  }

  get collection(): mongo.Collection<NotificationRecord> {
    return rawCollection<NotificationRecord>(this.connection, 'notifications');
  }

  /** Inserts new runs. @returns those that were stored already */
  async insert(records: readonly NotificationRecord[]): Promise<Set<NotificationRecord>> {
    if (records.length === 0) return new Set();
    try {
      await this.collection.insertMany([...records], { ordered: false, ignoreUndefined: true });
      return new Set();
    } catch (error) {
      return new Set(duplicatePlaces(error).flatMap((place) => records[place] ?? []));
    }
  }

  async save(writes: readonly GuardedWrite[]): Promise<RefusedWrites> {
    if (writes.length === 0) return NOTHING_REFUSED;
    const { matchedCount } = await this.collection.bulkWrite(writes.map(toUpdate), {
      ordered: false,
      ignoreUndefined: true,
    });
    return matchedCount === writes.length ? NOTHING_REFUSED : this.findRefused(writes);
  }

  /**
   * As `save`, for runs that are to lead digests.
   * @returns also those whose slot another run has; nothing of them was written
   */
  async saveLeaders(
    writes: readonly GuardedWrite[],
  ): Promise<RefusedWrites & { readonly clashed: Set<NotificationRecord> }> {
    try {
      return { ...(await this.save(writes)), clashed: new Set() };
    } catch (error) {
      const clashed = new Set(duplicatePlaces(error).flatMap((place) => writes[place]?.record ?? []));
      return { ...(await this.findRefused(writes.filter(({ record }) => !clashed.has(record)))), clashed };
    }
  }

  async canceledAmong(records: readonly NotificationKey[]): Promise<Set<string>> {
    const rows = await this.collection
      .find({ ...keysOf(records, NOTIFICATION_SHARD_KEY), cancelRequested: true }, { projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  /** Ids of the steps of runs that have ended and sent nothing. */
  async stepsWithoutMessage(runs: readonly { readonly record: NotificationKey }[]): Promise<Set<string>> {
    const rows = await this.collection.find(runKeys(runs), { projection: { steps: 1 } }).toArray();
    const ended = rows.flatMap(({ steps }) => steps.filter(({ status }) => WITHOUT_MESSAGE.has(status)));
    return new Set(ended.map(({ _id }) => _id.toHexString()));
  }

  async existing(records: readonly NotificationKey[]): Promise<Set<string>> {
    const filter = keysOf(records, NOTIFICATION_SHARD_KEY);
    const rows = await this.collection.find(filter, { projection: { _id: 1 } }).toArray();
    return new Set(rows.map(({ _id }) => _id.toHexString()));
  }

  private async findTrails(environmentId: string, ids: readonly string[]): Promise<TrailRecord[]> {
    const filter = { _id: { $in: ids.map(toObjectId) }, _environmentId: toObjectId(environmentId) };
    return this.collection.find(filter).project<TrailRecord>(TRAIL_FIELDS).toArray();
  }

  /** After a write that did not match everything: a record was written if it has the state of the write. */
  private async findRefused(writes: readonly GuardedWrite[]): Promise<RefusedWrites> {
    if (writes.length === 0) return NOTHING_REFUSED;
    const rows = await this.collection
      .find(runKeys(writes))
      .project<Pick<NotificationRecord, '_id' | 'lease' | 'cancelRequested' | 'updatedAt' | 'current'>>({
        lease: 1,
        cancelRequested: 1,
        updatedAt: 1,
        current: 1,
      })
      .toArray();
    const rowOf = new Map(rows.map((row) => [row._id.toHexString(), row]));
    const refused: RefusedWrites = { lost: new Set(), canceled: new Set() };
    for (const { record, lease, evenIfCanceled } of writes) {
      const row = rowOf.get(record._id.toHexString());
      const isCanceled = row?.lease === lease && row.cancelRequested === true && evenIfCanceled !== true;
      const isWritten =
        row?.updatedAt.getTime() === record.updatedAt.getTime() &&
        row.lease === record.lease &&
        row.current === record.current;
      if (isCanceled) refused.canceled.add(record);
      else if (!isWritten) refused.lost.add(record);
    }
    return refused;
  }
}

const TRAIL_FIELDS = {
  _organizationId: 1,
  _environmentId: 1,
  _templateId: 1,
  _subscriberId: 1,
  transactionId: 1,
  steps: 1,
  trail: 1,
  createdAt: 1,
  updatedAt: 1,
  expireAt: 1,
} as const satisfies Partial<Record<keyof TrailRecord, 1>>;

const NOTHING_REFUSED: RefusedWrites = { lost: new Set(), canceled: new Set() };

function toUpdate({
  record,
  lease,
  evenIfCanceled,
  into,
}: GuardedWrite): mongo.AnyBulkWriteOperation<NotificationRecord> {
  const $set: Record<string, unknown> = {};
  // Every write of state is an outcome.
  const $unset: Record<string, 1> = { takenUp: 1, suspectGroup: 1 };
  for (const field of RUN_FIELDS) {
    const value = record[field];
    if (value === undefined) $unset[field] = 1;
    else $set[field] = value;
  }
  const filter = {
    ...runKey(record),
    lease,
    ...(evenIfCanceled !== true && { cancelRequested: { $exists: false } }),
    ...(into && { digestInto: into }),
    // What has changed since the run was read is to be read again.
    ...((record.held === true || record.awaiting !== undefined) && {
      heldEdits: record.heldEdits ?? { $exists: false },
    }),
  };
  return { updateOne: { filter, update: { $set, $unset } } };
}
