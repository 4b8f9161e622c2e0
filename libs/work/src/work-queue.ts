import { nanoid } from 'nanoid';
import { type mongo, Types } from 'mongoose';
import type { Clock } from '#libs/common';
import { type Backlog, readBacklog } from './backlog.js';
import { ClaimWindows } from './claim-windows.js';
import { type Capacity, type LaneCapacity, pickFair } from './fair-slots.js';
import { type KeyFields, keyOf, keysOf } from './record-key.js';
import { SUSPICION_FIELDS, type SuspectHead, SuspectRecords } from './suspect-records.js';

export interface Claimable {
  _id: Types.ObjectId;
  lane?: string;
  /** When a worker next looks at the record: its due time, or the end of its lease. Absent when nothing is left to do. */
  wakeAt?: Date;
  /** Since when its next piece of work is due, or will be. Claims, leases and trials do not change it. */
  dueSince?: Date;
  /** When it was set aside, because workers were lost over it. */
  setAsideAt?: Date;
  /** The worker that holds the record until `wakeAt`. Every write of that worker is guarded by it. */
  lease?: string;
  /** How many workers were lost over the record since its last outcome, as far as it may be the reason. */
  takenUp?: number;
  /** Of a suspect: the size of the group of suspects in which it is tried; while no worker holds it, of the next one. */
  suspectGroup?: number;
}

export interface WorkQueueOptions<T extends Claimable> {
  readonly collection: () => mongo.Collection<T>;
  /** The field by which records share capacity fairly; an ObjectId. */
  readonly groupBy: keyof T & string;
  /** Fields that writes to claimed records name besides the id, so that a sharded store asks their shards only. */
  readonly shardKey?: KeyFields<T>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Losses of workers after which a record is set aside. Without it, what was left behind is claimed like anything else. */
  readonly maxLosses?: number;
  /** Counters of the record that a claim increments. */
  readonly countClaimsIn?: keyof T & string;
  /** By which workers who look at the same time take others; from 0 to 1, without 1. */
  readonly random?: () => number;
}

/** Lower than the id of any group. */
const BEFORE_ALL = new Types.ObjectId('0'.repeat(24));

/** Due records that one query reads. If it finds fewer, it has seen everything that is due. */
const SCAN_LIMIT = 1_000;
/** Groups considered by one claim under a backlog; the next claim continues after them. */
const GROUPS_PER_CLAIM = 16;

/** A record with its lease, and with the fields of its shard key where they are at hand. */
type Held<T> = SuspectHead<T>;

export interface ClaimedRecords<T> {
  readonly records: T[];
  /** Records that were left behind, and wait for their trial now. */
  readonly parked: number;
}

/** What a claim has to know of a record to choose it. */
interface Head<T> {
  readonly _id: Types.ObjectId;
  readonly lane?: string;
  readonly group: Types.ObjectId;
  /** With the fields of its shard key. */
  readonly row: Held<T>;
}

/**
 * Gives out due records of one collection under leases. A lease is a token and an end time: until then no other worker
 * gets the record, and afterwards it is due again, so that a worker that died needs no cleaning up. Every write of the
 * holder is guarded by its token.
 *
 * The collection needs the partial indexes `{ wakeAt }` and `{ lane, [groupBy], wakeAt }`, and with `maxLosses`
 * `{ suspectGroup: -1, wakeAt }`. The queries see all tenants.
 */
export class WorkQueue<T extends Claimable> {
  /** Since the process started: claims that found work, and the records that they got. */
  readonly claimed = { claims: 0, records: 0 };
  private readonly lastGroup = new Map<string | undefined, Types.ObjectId>();
  private readonly windows: ClaimWindows;
  /** The last claim found more than one query reads. */
  private hasBacklog = false;
  private readonly shardKey: KeyFields<Held<T>>;
  /** Absent where what was left behind is claimed like anything else. */
  readonly suspects: SuspectRecords<T> | undefined;
  private forgiven: Held<T>[] = [];

  constructor(private readonly options: WorkQueueOptions<T>) {
    this.shardKey = options.shardKey ?? [];
    this.windows = new ClaimWindows(options.random);
    const { maxLosses } = options;
    if (maxLosses !== undefined) this.suspects = new SuspectRecords({ ...options, maxLosses, shardKey: this.shardKey });
  }

  get clock(): Clock {
    return this.options.clock;
  }

  get leaseMs(): number {
    return this.options.leaseMs;
  }

  /** What is not finished. @param where a lane and a group; absent: everything */
  backlog(where: Readonly<Record<string, unknown>> = {}): Promise<Backlog> {
    return readBacklog(this.collection, { now: this.clock.now(), leaseMs: this.leaseMs, where });
  }

  newLease(): string {
    return nanoid(16);
  }

  leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + this.leaseMs);
  }

  /** When the lease of a record was granted or last extended, as the record says. */
  grantedAt({ wakeAt }: Pick<Claimable, 'wakeAt'>): Date {
    return new Date((wakeAt?.getTime() ?? 0) - this.leaseMs);
  }

  /** Claims due records under one lease, within the capacity of the lanes. */
  async claim(capacity: LaneCapacity): Promise<T[]> {
    return (await this.claimDue(capacity)).records;
  }

  /** As `claim`; what was left behind by lost workers is parked for its trial, or is claimed to be set aside. */
  async claimDue(capacity: LaneCapacity): Promise<ClaimedRecords<T>> {
    const open: LaneCapacity = new Map([...capacity].filter(([, { free }]) => free > 0));
    if (open.size === 0) return { records: [], parked: 0 };
    await this.writeForgiven();
    for (;;) {
      const now = this.clock.now();
      const rows = (await this.pick(open, now)).map(({ row }) => row);
      if (rows.length === 0) return { records: [], parked: 0 };
      const { clean, parked, hopeless } = this.suspects?.sort(rows) ?? { clean: rows, parked: [], hopeless: [] };
      await this.suspects?.park(parked, now);
      const records = await this.leaseDue({ clean, hopeless }, now);
      const areOthersAhead = this.windows.ended(clean.length + hopeless.length, records.length);
      // Who came too late for all of it looks elsewhere at once.
      if (records.length + parked.length > 0 || !areOthersAhead) return { records, parked: parked.length };
    }
  }

  /**
   * Claims those of the records that no worker holds, due or not; a lease that has ended holds nothing.
   * @param mark written with the lease, for the worker that claims the record if this one dies
   */
  async take(records: readonly Held<T>[], mark: Partial<T>): Promise<T[]> {
    const lease = this.newLease();
    const isFree = [{ lease: { $exists: false }, wakeAt: { $exists: true } }, { wakeAt: { $lte: this.clock.now() } }];
    await this.updateMany(
      { ...keysOf(records, this.shardKey), $or: isFree },
      { $set: { ...mark, lease, wakeAt: this.leaseEnd() }, $unset: { suspectGroup: 1 } },
    );
    return this.leased(records, lease);
  }

  /** Extends leases. @returns those that are still held; a process that stood still may have claimed a record a second time */
  async renew<H extends Held<T>>(items: readonly H[]): Promise<Set<H>> {
    const leased = items.filter(({ lease }) => lease !== undefined);
    const tried = leased.filter((item) => this.suspects?.isOnTrial(item) === true);
    const others = tried.length === 0 ? leased : leased.filter((item) => !tried.includes(item));
    let written = await this.writeLeased(others, { $set: { wakeAt: this.leaseEnd() } });
    if (this.suspects !== undefined)
      written += await this.writeLeased(tried, { $set: { wakeAt: this.suspects.leaseEnd() } });
    if (written === leased.length) return new Set(leased);
    const rows = await this.find(keysOf(leased, this.shardKey))
      .project<Pick<Claimable, '_id' | 'lease'>>({ lease: 1 })
      .toArray();
    const leases = new Map(rows.map(({ _id, lease }) => [_id.toHexString(), lease]));
    return new Set(leased.filter(({ _id, lease }) => leases.get(_id.toHexString()) === lease));
  }

  /** Writes outcomes of records whose leases still hold, in one call to the store. @returns how many were written */
  async save(changes: readonly { readonly record: Held<T>; readonly update: mongo.Document }[]): Promise<number> {
    if (changes.length === 0) return 0;
    const { matchedCount } = await this.collection.bulkWrite(
      changes.map(({ record, update }) => ({
        updateOne: {
          filter: { ...keyOf(record, this.shardKey), lease: record.lease } as unknown as mongo.Filter<T>,
          update: update,
        },
      })),
      { ordered: false },
    );
    return matchedCount;
  }

  /** Releases records, to be claimed at once. */
  async release(items: readonly Held<T>[]): Promise<void> {
    await this.writeLeased(items, { $set: { wakeAt: this.clock.now() }, $unset: { lease: 1 } });
  }

  /**
   * That the leases of these records end says nothing against them, because their work failed for a reason outside of them. It
   * is written before the next claim, because the store may be unavailable until then.
   */
  forgive(items: readonly Held<T>[]): void {
    for (const item of items) {
      // Log the ids only; records can be large.
      const key = keyOf(item, this.shardKey) as Held<T>;
      if (item.lease !== undefined) this.forgiven.push({ ...key, lease: item.lease });
    }
  }

  private async writeForgiven(): Promise<void> {
    const items = this.forgiven;
    if (items.length === 0) return;
    this.forgiven = [];
    try {
      await this.writeLeased(items, { $inc: { takenUp: -1 } }, { takenUp: { $not: { $lt: 0 } } });
    } catch (error) {
      this.forgiven.push(...items);
      throw error;
    }
  }

  /** When the next record is due or a lease ends; undefined if none is waiting. */
  async nextWakeAt(): Promise<Date | undefined> {
    const [head] = await this.find({ wakeAt: { $gt: new Date(0) } })
      .sort({ wakeAt: 1 })
      .limit(1)
      .project<Pick<Claimable, 'suspectGroup'> & { wakeAt: Date }>({ wakeAt: 1, suspectGroup: 1 })
      .toArray();
    if (head?.suspectGroup !== undefined) this.suspects?.notice();
    return head?.wakeAt;
  }

  private async leaseDue(
    { clean, hopeless }: { readonly clean: readonly Held<T>[]; readonly hopeless: readonly Held<T>[] },
    now: Date,
  ): Promise<T[]> {
    const lease = this.newLease();
    const $set = { lease, wakeAt: this.leaseEnd() };
    const due = { wakeAt: { $lte: now } };
    const { countClaimsIn, maxLosses } = this.options;
    const counted = countClaimsIn === undefined ? {} : { $inc: { [countClaimsIn]: 1 } };
    const write = async (records: readonly Held<T>[], update: object): Promise<number> =>
      records.length === 0 ? 0 : this.updateMany({ ...keysOf(records, this.shardKey), ...due }, { $set, ...update });
    const claimed = (await write(clean, counted)) + (await write(hopeless, { $max: { takenUp: maxLosses } }));
    if (claimed === 0) return [];
    const records = await this.leased([...clean, ...hopeless], lease);
    this.claimed.claims += 1;
    this.claimed.records += records.length;
    return records;
  }

  private async leased(records: readonly Held<T>[], lease: string): Promise<T[]> {
    const filter = { ...keysOf(records, this.shardKey), lease };
    return (await this.find(filter)
      .batchSize(records.length + 1)
      .toArray()) as unknown as T[];
  }

  private async pick(capacity: LaneCapacity, now: Date): Promise<readonly Head<T>[]> {
    const isDue = { wakeAt: { $lte: now } };
    // Counting follows the index alone; what would be read of a backlog would be left to others.
    if (this.hasBacklog) this.hasBacklog = (await this.count(isDue)) === SCAN_LIMIT;
    if (!this.hasBacklog) {
      const due = await this.heads(isDue, { wakeAt: 1 }, SCAN_LIMIT);
      this.hasBacklog = due.length === SCAN_LIMIT;
      if (!this.hasBacklog) return pickFair(this.windows.partOf(due, kindOf), capacity, groupOf);
    }
    return this.pickInTurns(capacity, now);
  }

  /** Under a backlog the oldest records may all belong to one group, so each group is asked for its share. */
  private async pickInTurns(capacity: LaneCapacity, now: Date): Promise<Head<T>[]> {
    const picked = await Promise.all([...capacity].map(([lane, room]) => this.pickLaneInTurns(lane, room, now)));
    return picked.flat();
  }

  private async pickLaneInTurns(lane: string | undefined, capacity: Capacity, now: Date): Promise<Head<T>[]> {
    const groups = await this.nextGroups(lane);
    const due = await Promise.all(
      groups.map(async (group) => {
        const limit = capacity.freeFor(group.toHexString());
        if (limit <= 0) return [];
        return this.headsOfGroup({ ...inLane(lane), ...this.inGroup(group), wakeAt: { $lte: now } }, limit);
      }),
    );
    return pickFair(due.flat(), new Map([[lane, capacity]]), groupOf);
  }

  /** The oldest ones, unless others are claiming them as well. */
  private async headsOfGroup(due: object, limit: number): Promise<Head<T>[]> {
    const window = this.windows.next();
    const heads = await this.heads(due, { wakeAt: 1 }, limit, window * limit);
    return heads.length > 0 || window === 0 ? heads : this.heads(due, { wakeAt: 1 }, limit);
  }

  /** Groups with work in the lane, after the last one that had its turn. */
  private async nextGroups(lane: string | undefined): Promise<Types.ObjectId[]> {
    const found: Types.ObjectId[] = [];
    let after = this.lastGroup.get(lane);
    let isFromStart = after === undefined;
    while (found.length < GROUPS_PER_CLAIM) {
      const next = await this.groupAfter(lane, after);
      if (next === undefined) {
        if (isFromStart) break;
        isFromStart = true;
        after = undefined;
        continue;
      }
      if (found.some((id) => id.equals(next))) break;
      found.push(next);
      after = next;
    }
    const last = found.at(-1);
    if (last !== undefined) this.lastGroup.set(lane, last);
    return found;
  }

  private async groupAfter(
    lane: string | undefined,
    after: Types.ObjectId | undefined,
  ): Promise<Types.ObjectId | undefined> {
    const [head] = await this.heads(
      // The bounds make the store follow the index of groups, whichever group is first.
      { ...inLane(lane), ...this.inGroup({ $gt: after ?? BEFORE_ALL }), wakeAt: { $gt: new Date(0) } },
      { ...(lane !== undefined && { lane: 1 }), [this.options.groupBy]: 1, wakeAt: 1 },
      1,
    );
    return head?.group;
  }

  private inGroup(condition: unknown): Record<string, unknown> {
    return { [this.options.groupBy]: condition };
  }

  private async heads(filter: object, sort: mongo.Sort, limit: number, skip = 0): Promise<Head<T>[]> {
    const { groupBy } = this.options;
    const rows = await this.find(filter)
      .sort(sort)
      .skip(skip)
      .limit(limit)
      .batchSize(limit)
      .project<Held<T> & Pick<Claimable, 'lane'>>({
        lane: 1,
        [groupBy]: 1,
        ...(this.suspects && SUSPICION_FIELDS),
        ...Object.fromEntries(this.shardKey.map((field) => [field, 1])),
      })
      .toArray();
    return rows.map((row) => ({
      _id: row._id,
      ...(row.lane !== undefined && { lane: row.lane }),
      group: row[groupBy] as Types.ObjectId,
      row,
    }));
  }

  /** @returns how many records still had their leases */
  private async writeLeased(items: readonly Held<T>[], update: object, where: object = {}): Promise<number> {
    const byLease = new Map<string, Held<T>[]>();
    for (const item of items) {
      if (item.lease === undefined) continue;
      const held = byLease.get(item.lease);
      if (held) held.push(item);
      else byLease.set(item.lease, [item]);
    }
    const matched = await Promise.all(
      [...byLease].map(([lease, held]) => this.updateMany({ ...where, ...keysOf(held, this.shardKey), lease }, update)),
    );
    return matched.reduce((sum, count) => sum + count, 0);
  }

  private get collection(): mongo.Collection<T> {
    return this.options.collection();
  }

  private find(filter: object): mongo.FindCursor<mongo.WithId<T>> {
    return this.collection.find(filter as unknown as mongo.Filter<T>);
  }

  /** As far as one query reads. */
  private count(filter: object): Promise<number> {
    return this.collection.countDocuments(filter, { limit: SCAN_LIMIT });
  }

  private async updateMany(filter: object, update: object): Promise<number> {
    const { matchedCount } = await this.collection.updateMany(filter, update);
    return matchedCount;
  }
}

function kindOf({ lane, group }: Pick<Head<never>, 'group' | 'lane'>): string {
  return `${lane ?? ''} ${group.toHexString()}`;
}

function groupOf({ group }: Pick<Head<never>, 'group'>): string {
  return group.toHexString();
}

function inLane(lane: string | undefined): { lane?: string } {
  return lane === undefined ? {} : { lane };
}
