import type { mongo } from 'mongoose';
import type { Claimable } from './work-queue.js';

/** What is accepted and not finished. Each number is counted up to 10,000. */
export interface Backlog {
  /** Not due yet. */
  readonly waiting: number;
  /** Due, and not taken up by a worker. */
  readonly due: number;
  /** Due, and held by a worker. */
  readonly claimed: number;
  /** Left behind by lost workers; tried in groups. */
  readonly suspected: number;
  /** Ended as failed, because workers were lost over it. */
  readonly setAside: number;
  /** How long the oldest of all that is due has been due, whoever holds it, in milliseconds; 0 if nothing is due. */
  readonly oldestMs: number;
}

interface BacklogQuery {
  readonly now: Date;
  readonly leaseMs: number;
  /** A lane and a group; absent: everything. */
  readonly where: Readonly<Record<string, unknown>>;
}

/** Counting more would cost the store more than the number is worth. */
const MAX_COUNTED = 10_000;
/** Records that are looked at for those that workers hold: beside them are those that are due within a lease. */
const MAX_LOOKED_AT = 20_000;

/**
 * Counts along indexes: `{ wakeAt }`, `{ dueSince }`, `{ suspectGroup }` and `{ setAsideAt }`, or those of a lane and a group. A
 * claim moves `wakeAt` by a lease at most, so what workers hold is found there. What is due is counted first, then what is claimed,
 * then what is suspected: a record that moves on meanwhile is counted twice rather than not at all.
 */
export async function readBacklog<T extends Claimable>(
  collection: mongo.Collection<T>,
  { now, leaseMs, where }: BacklogQuery,
): Promise<Backlog> {
  const isOpen = { wakeAt: { $exists: true } };
  const filter = (conditions: object): mongo.Filter<T> => ({ ...where, ...conditions }) as unknown as mongo.Filter<T>;
  const count = (conditions: object): Promise<number> =>
    collection.countDocuments(filter(conditions), { limit: MAX_COUNTED });
  const held = collection.aggregate<{ n: number }>([
    { $match: filter({ wakeAt: { $gt: now, $lte: new Date(now.getTime() + leaseMs) } }) },
    { $limit: MAX_LOOKED_AT },
    { $match: { lease: { $exists: true }, suspectGroup: { $exists: false } } },
    { $limit: MAX_COUNTED },
    { $count: 'n' },
  ]);
  const oldest = collection
    .find(filter({ dueSince: { $lte: now }, ...isOpen }))
    .sort({ dueSince: 1 })
    .limit(1)
    .project<{ dueSince: Date }>({ dueSince: 1 });
  const [waiting, due, dueSuspects, setAside, [first]] = await Promise.all([
    count({ dueSince: { $gt: now }, ...isOpen }),
    count({ wakeAt: { $lte: now } }),
    count({ suspectGroup: { $gte: 1 }, wakeAt: { $lte: now } }),
    count({ setAsideAt: { $gt: new Date(0) } }),
    oldest.toArray(),
  ]);
  const [claimed] = await held.toArray();
  const suspected = await count({ suspectGroup: { $gte: 1 } });
  const oldestMs = first === undefined ? 0 : now.getTime() - first.dueSince.getTime();
  const untaken = Math.max(0, due - dueSuspects);
  return { waiting, due: untaken, claimed: claimed?.n ?? 0, suspected, setAside, oldestMs };
}
