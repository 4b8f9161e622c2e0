import { nanoid } from 'nanoid';
import { type mongo, Types } from 'mongoose';
import type { Clock } from '#libs/common';
import type { Claimable } from '../records/notification.record.js';
import { type LaneRoom, pickFair } from './pick-fair.js';

/** How many due records one look takes in. Fewer due than this: everything that is due has been seen. */
const LOOK = 1_000;
/** Environments that get a turn in one claim under a backlog; the next claim goes on behind them. */
const TURNS = 16;
/** Records that were taken up so often without an outcome are suspects: see `Suspects`. */
export const SUSPECT_CLAIMS = 2;

type Head = Pick<Claimable, '_id' | '_environmentId' | 'lane'>;
type Held = Pick<Claimable, '_id' | 'lease'>;

/**
 * Hands out due records of one collection under leases. A lease is a token and a time: until then nobody else gets the
 * record, and afterwards it is simply due again, so a worker that died needs no clearing up. Every write of the holder
 * names its token.
 *
 * The queries see all environments: that is this class's job.
 */
export class WorkQueue<T extends Claimable> {
  private readonly turns = new Map<string, Types.ObjectId>();

  constructor(
    private readonly collection: () => mongo.Collection<T>,
    private readonly clock: Clock,
    readonly leaseMs: number,
    private readonly onClaim: { readonly $inc?: Record<string, number> } = {},
  ) {}

  /** A token for a new lease. */
  newLease(): string {
    return nanoid(16);
  }

  /** When a lease that begins now ends. */
  leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + this.leaseMs);
  }

  /** Takes due records, at most as many as the lanes have room for, under one lease. */
  async claim(rooms: ReadonlyMap<string, LaneRoom>): Promise<T[]> {
    const open = new Map([...rooms].filter(([, room]) => room.free > 0));
    if (open.size === 0) return [];
    const now = this.clock.now();
    const due = await this.heads({ wakeAt: { $lte: now } }, { wakeAt: 1 }, LOOK);
    const picked = due.length < LOOK ? pickFair(due, open) : await this.pickInTurns(open, now);
    return picked.length === 0
      ? []
      : this.lease(
          picked.map(({ _id }) => _id),
          now,
        );
  }

  /**
   * Takes those among the records that nobody has at the moment, whether they are due or not.
   * @param mark written with the lease: whoever takes them up when it ends must know that they are not due
   */
  async take(ids: readonly Types.ObjectId[], mark: Partial<T>): Promise<T[]> {
    const lease = this.newLease();
    await this.collection().updateMany(
      { _id: { $in: ids }, lease: { $exists: false }, wakeAt: { $exists: true } } as unknown as mongo.Filter<T>,
      { $set: { ...mark, lease, wakeAt: this.leaseEnd() } },
    );
    return this.leased(ids, lease);
  }

  /** Lengthens leases of work that takes long. @returns the ids of those that are still held */
  async renew(items: readonly Held[]): Promise<Set<string>> {
    const leased = items.filter(({ lease }) => lease !== undefined);
    const written = await this.writeLeased(leased, { $set: { wakeAt: this.leaseEnd() } });
    if (written === leased.length) return new Set(leased.map(({ _id }) => _id.toHexString()));
    const rows = await this.collection()
      .find({ _id: { $in: leased.map(({ _id }) => _id) } } as unknown as mongo.Filter<T>)
      .project<Held>({ lease: 1 })
      .toArray();
    const leases = new Map(rows.map(({ _id, lease }) => [_id.toHexString(), lease]));
    return new Set(
      leased.flatMap(({ _id, lease }) => (leases.get(_id.toHexString()) === lease ? _id.toHexString() : [])),
    );
  }

  /** Gives records back, to be claimed at once by anybody. Nobody has died over them. */
  async release(items: readonly Held[]): Promise<void> {
    await this.writeLeased(items, { $set: { wakeAt: this.clock.now() }, $unset: { lease: 1 }, $inc: { takenUp: -1 } });
  }

  /** Gives records back that nobody has begun with, to be claimed later. */
  async postpone(items: readonly Held[], until: Date): Promise<void> {
    await this.writeLeased(items, { $set: { wakeAt: until }, $unset: { lease: 1 } });
  }

  /** Counts that somebody begins with records that claims do not count any more. */
  async count(items: readonly Held[]): Promise<void> {
    await this.writeLeased(items, { $inc: { takenUp: 1 } });
  }

  /** Does not count that records were taken up: their leases end, and nobody has died over them. */
  async forgive(items: readonly Held[]): Promise<void> {
    await this.writeLeased(items, { $inc: { takenUp: -1 } });
  }

  /** When the next record is due; undefined when nothing waits. */
  async nextWakeAt(): Promise<Date | undefined> {
    const [head] = await this.collection()
      .find({ wakeAt: { $gt: new Date(0) } } as unknown as mongo.Filter<T>)
      .sort({ wakeAt: 1 })
      .limit(1)
      .project<{ wakeAt: Date }>({ wakeAt: 1 })
      .toArray();
    return head?.wakeAt;
  }

  private async lease(ids: Types.ObjectId[], now: Date): Promise<T[]> {
    const lease = this.newLease();
    const $set = { lease, wakeAt: this.leaseEnd() };
    const due = { _id: { $in: ids }, wakeAt: { $lte: now } };
    const { modifiedCount } = await this.collection().updateMany(
      { ...due, takenUp: { $not: { $gte: SUSPECT_CLAIMS } } } as unknown as mongo.Filter<T>,
      { $set, $inc: { ...this.onClaim.$inc, takenUp: 1 } } as unknown as mongo.UpdateFilter<T>,
    );
    // What was left behind before waits for its turn: that it is claimed does not mean that anybody begins with it.
    const suspects =
      modifiedCount < ids.length &&
      (await this.collection().updateMany(
        { ...due, takenUp: { $gte: SUSPECT_CLAIMS } } as unknown as mongo.Filter<T>,
        { $set, ...this.onClaim } as unknown as mongo.UpdateFilter<T>,
      ));
    return modifiedCount === 0 && suspects !== false && suspects.modifiedCount === 0 ? [] : this.leased(ids, lease);
  }

  private async leased(ids: readonly Types.ObjectId[], lease: string): Promise<T[]> {
    const rows = await this.collection()
      .find({ _id: { $in: ids }, lease } as unknown as mongo.Filter<T>)
      .toArray();
    return rows as unknown as T[];
  }

  /** Under a backlog one look shows perhaps only one environment: so ask each for its share, a few at a time. */
  private async pickInTurns(rooms: ReadonlyMap<string, LaneRoom>, now: Date): Promise<Head[]> {
    const picked = await Promise.all([...rooms].map(([lane, room]) => this.pickLaneInTurns(lane, room, now)));
    return picked.flat();
  }

  private async pickLaneInTurns(lane: string, room: LaneRoom, now: Date): Promise<Head[]> {
    const environments = await this.nextEnvironments(lane);
    const due = await Promise.all(
      environments.map(async (_environmentId) => {
        const limit = Math.min(room.free, room.freeFor(_environmentId.toHexString()));
        return limit <= 0 ? [] : this.heads({ lane, _environmentId, wakeAt: { $lte: now } }, { wakeAt: 1 }, limit);
      }),
    );
    return pickFair(due.flat(), new Map([[lane, room]]));
  }

  /** Environments that have work in the lane, going on behind the last one that had its turn. */
  private async nextEnvironments(lane: string): Promise<Types.ObjectId[]> {
    const found: Types.ObjectId[] = [];
    const began = this.turns.get(lane);
    let after = began;
    while (found.length < TURNS) {
      const next = await this.environmentAfter(lane, after);
      if (next === undefined) {
        if (after === undefined) break;
        after = undefined;
        continue;
      }
      if (found.some((id) => id.equals(next))) break;
      found.push(next);
      after = next;
    }
    const last = found.at(-1);
    if (last !== undefined) this.turns.set(lane, last);
    return found;
  }

  private async environmentAfter(lane: string, after: Types.ObjectId | undefined): Promise<Types.ObjectId | undefined> {
    const [head] = await this.heads(
      { lane, wakeAt: { $gt: new Date(0) }, ...(after !== undefined && { _environmentId: { $gt: after } }) },
      { lane: 1, _environmentId: 1, wakeAt: 1 },
      1,
    );
    return head?._environmentId;
  }

  private heads(filter: object, sort: mongo.Sort, limit: number): Promise<Head[]> {
    return this.collection()
      .find(filter as unknown as mongo.Filter<T>)
      .sort(sort)
      .limit(limit)
      .project<Head>({ _environmentId: 1, lane: 1 })
      .toArray();
  }

  /** @returns how many still had their leases */
  private async writeLeased(items: readonly Held[], update: object): Promise<number> {
    const byLease = new Map<string, Types.ObjectId[]>();
    for (const { _id, lease } of items) {
      if (lease === undefined) continue;
      const ids = byLease.get(lease);
      if (ids) ids.push(_id);
      else byLease.set(lease, [_id]);
    }
    const results = await Promise.all(
      [...byLease].map(([lease, ids]) =>
        this.collection().updateMany(
          { _id: { $in: ids }, lease } as unknown as mongo.Filter<T>,
          update as unknown as mongo.UpdateFilter<T>,
        ),
      ),
    );
    return results.reduce((sum, { matchedCount }) => sum + matchedCount, 0);
  }
}
