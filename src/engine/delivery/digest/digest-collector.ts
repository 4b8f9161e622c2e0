import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { shardsOf } from '#libs/work';
import {
  NOTIFICATION_SHARD_KEY,
  type NotificationKey,
  type NotificationRecord,
  NotificationStore,
  runKey,
  runKeys,
} from '../records/notification.js';
import { type AcceptedPayload, TriggerEventStore } from '../records/trigger-event.js';
import type { Run } from '../run/run.js';
import { BEGIN_CLOSING, closeDigest, countIn, LEAVE_DIGEST } from '../run/store-transitions.js';
import { joinedDigest, leftDigest, noteClosed, noteClosing } from '../run/transitions.js';

type Contribution = Pick<
  NotificationRecord,
  | '_id'
  | '_eventId'
  | '_environmentId'
  | '_subscriberId'
  | 'transactionId'
  | 'digestInto'
  | 'digestCollected'
  | 'digestClosed'
  | 'digestForOthers'
>;

interface Pass {
  readonly run: Run;
  readonly epoch: number;
}

/**
 * Closes digests and reads what they collected. Several workers may do so at the same time, in any interleaving, since a
 * worker that has lost its lease may continue for a while. So closing is a stored fact:
 *
 * 1. A pass begins with a number of its own and the end of the slot, in one write under the master's lease.
 * 2. It marks all runs that have named the master with its number, unless a later pass has done so.
 * 3. It writes under the lease that the digest is closed, by which pass, and with how many runs.
 *
 * Only runs that this pass marked are in the digest, for this pass and for all readers after it. A pass whose write is
 * refused ends there, without effect.
 */
@Injectable()
export class DigestCollector {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
  ) {}

  /**
   * Closes the digests of masters that are due, and puts what they collected into the runs.
   * @returns those that another worker holds by now: they must not continue here
   */
  async close(masters: readonly Run[]): Promise<Set<Run>> {
    if (masters.length === 0) return new Set();
    const { open, closed } = await this.begin(masters);
    await this.mark(open);
    const found = await this.contributions([...open, ...closed]);
    const all = [...closed, ...(await this.seal(open, found))].map(({ run }) => run);
    await this.fill(all, found);
    return new Set(masters.filter((run) => !all.includes(run)));
  }

  async recall(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    const passes = runs.map((run) => ({ run, epoch: run.record.digestClosed ?? 0 }));
    await this.fill(runs, await this.contributions(passes));
  }

  /** Takes runs out of the digests that they have joined. @returns those that were counted in, and those that are lost */
  async withdraw(runs: readonly Run[]): Promise<{ counted: Set<Run>; lost: Set<Run> }> {
    const counted = new Set<Run>();
    const lost = new Set<Run>();
    for (const run of runs) {
      if (run.record.digestInto === undefined) continue;
      const outcome = await this.withdrawOne(run);
      if (outcome === 'counted') counted.add(run);
      else if (outcome === 'lost') lost.add(run);
    }
    return { counted, lost };
  }

  private async withdrawOne({ record, lease }: Run): Promise<'out' | 'counted' | 'lost'> {
    const { collection } = this.notifications;
    for (;;) {
      const own = await collection.findOne({ ...runKey(record), lease });
      if (own === null) return 'lost';
      if (own.digestInto === undefined) break;
      joinedDigest(record, own.digestInto);
      const master = await collection.findOne<MasterPart>(masterKey(own, own.digestInto), {
        projection: MASTER_FIELDS,
      });
      if (standingOf(own, master ?? undefined) === 'counted') return 'counted';
      const { matchedCount } = await collection.updateOne(
        { ...runKey(record), lease, digestInto: own.digestInto, ...sameMark(own) },
        LEAVE_DIGEST,
      );
      if (matchedCount === 1) break;
    }
    leftDigest(record);
    return 'out';
  }

  private async begin(masters: readonly Run[]): Promise<{ open: Pass[]; closed: Pass[] }> {
    const { collection } = this.notifications;
    await collection.bulkWrite(
      masters.map(({ record, lease }) => ({
        updateOne: {
          filter: { ...runKey(record), lease, digestClosedStep: { $ne: record.current } },
          update: BEGIN_CLOSING,
        },
      })),
      { ordered: false },
    );
    const rows = await collection
      .find(runKeys(masters))
      .project<Pick<NotificationRecord, '_id' | 'lease' | 'digestEpoch' | 'digestClosed' | 'digestClosedStep'>>({
        lease: 1,
        digestEpoch: 1,
        digestClosed: 1,
        digestClosedStep: 1,
      })
      .toArray();
    const byId = new Map(rows.map((row) => [row._id.toHexString(), row]));
    const passes: { open: Pass[]; closed: Pass[] } = { open: [], closed: [] };
    for (const run of masters) {
      const row = byId.get(run.record._id.toHexString());
      if (row === undefined || row.lease !== run.lease) continue;
      noteClosing(run.record);
      if (row.digestClosedStep === run.record.current) passes.closed.push({ run, epoch: row.digestClosed ?? 0 });
      else passes.open.push({ run, epoch: row.digestEpoch ?? 0 });
    }
    return passes;
  }

  private async mark(passes: readonly Pass[]): Promise<void> {
    const byEpoch = new Map<number, NotificationKey[]>();
    for (const { run, epoch } of passes) byEpoch.set(epoch, [...(byEpoch.get(epoch) ?? []), run.record]);
    for (const [epoch, masters] of byEpoch) {
      await inPortions(masters, (portion) =>
        this.notifications.collection.updateMany(
          { ...membersOfAny(portion), digestCollected: { $not: { $gte: epoch } } },
          countIn(epoch),
        ),
      );
    }
  }

  /** @returns those that are closed now, by this pass */
  private async seal(passes: readonly Pass[], found: ReadonlyMap<string, readonly Contribution[]>): Promise<Pass[]> {
    if (passes.length === 0) return [];
    const { collection } = this.notifications;
    await collection.bulkWrite(
      passes.map(({ run: { record, lease }, epoch }) => ({
        updateOne: {
          filter: { ...runKey(record), lease, digestEpoch: epoch },
          update: closeDigest(epoch, record.current, found.get(record._id.toHexString())?.length ?? 0),
        },
      })),
      { ordered: false },
    );
    const rows = await collection
      .find(runKeys(passes.map(({ run }) => run)))
      .project<Pick<NotificationRecord, '_id' | 'lease' | 'digestClosed' | 'digestSize'>>({
        lease: 1,
        digestClosed: 1,
        digestSize: 1,
      })
      .toArray();
    const byId = new Map(rows.map((row) => [row._id.toHexString(), row]));
    return passes.filter(({ run: { record, lease }, epoch }) => {
      const row = byId.get(record._id.toHexString());
      if (row?.lease !== lease || row.digestClosed !== epoch) return false;
      noteClosed(record, epoch, row.digestSize ?? 0);
      return true;
    });
  }

  private async fill(runs: readonly Run[], found: ReadonlyMap<string, readonly Contribution[]>): Promise<void> {
    const collectedBy = (run: Run): readonly Contribution[] => found.get(run.record._id.toHexString()) ?? [];
    const shown = runs.flatMap(collectedBy).filter(({ digestForOthers }) => digestForOthers !== true);
    const payloads = await this.events.findPayloads(shown);
    for (const run of runs) {
      const others = collectedBy(run).flatMap(({ _eventId, digestForOthers }) =>
        digestForOthers === true ? [] : (payloads.get(_eventId.toHexString()) ?? []),
      );
      const own = run.record.digestForOthers === true ? [] : [run.event];
      run.digestEvents = [...own, ...others].sort(byAge).map(({ payload }) => payload);
    }
  }

  /** What each master's digests collected, with what its followers had collected in digests before. */
  private async contributions(passes: readonly Pass[]): Promise<Map<string, Contribution[]>> {
    const runs = passes.map(({ run }) => run);
    const rootOf = new Map(runs.map(({ record }) => [record._id.toHexString(), record._id.toHexString()]));
    const closedBy = new Map(passes.map(({ run, epoch }) => [run.record._id.toHexString(), epoch]));
    const found = new Map<string, Contribution[]>();
    let level: NotificationKey[] = runs.map(({ record }) => record);
    const depth = Math.max(0, ...runs.map(({ record }) => record.steps.filter(({ type }) => type === 'digest').length));
    for (let step = 0; step < depth && level.length > 0; step += 1) {
      const next: NotificationKey[] = [];
      await inPortions(level, async (portion) => {
        for await (const row of this.membersOf(portion)) {
          const master = row.digestInto?.toHexString() ?? '';
          if (row.digestCollected !== closedBy.get(master) && !isOfOlderVersion(row, closedBy.get(master))) continue;
          const root = rootOf.get(master) ?? '';
          const id = row._id.toHexString();
          rootOf.set(id, root);
          closedBy.set(id, row.digestClosed ?? 0);
          next.push(row);
          const list = found.get(root);
          if (list) list.push(row);
          else found.set(root, [row]);
        }
      });
      level = next;
    }
    return found;
  }

  private membersOf(masters: NotificationKey[]): AsyncIterable<Contribution> {
    return this.notifications.collection
      .find({ ...membersOfAny(masters), digestCollected: { $exists: true } })
      .project<Contribution>({
        _environmentId: 1,
        _subscriberId: 1,
        _eventId: 1,
        transactionId: 1,
        digestInto: 1,
        digestCollected: 1,
        digestClosed: 1,
        digestForOthers: 1,
      });
  }
}

/** The runs that have named one of these masters. They are of the subscribers of their masters. */
function membersOfAny(masters: readonly NotificationKey[]): { digestInto: { $in: Types.ObjectId[] } } {
  return { digestInto: { $in: masters.map(({ _id }) => _id) }, ...shardsOf(masters, NOTIFICATION_SHARD_KEY) };
}

/** Names the master of a run, which is of the same subscriber. */
export function masterKey(run: NotificationKey, _id: Types.ObjectId): Pick<NotificationKey, '_id'> {
  return runKey({ ...run, _id });
}

export type OwnPart = Pick<NotificationRecord, 'digestInto' | 'digestCollected'>;
export type MasterPart = Pick<
  NotificationRecord,
  '_id' | 'status' | 'digestSlot' | 'wakeAt' | 'digestEpoch' | 'digestClosed'
>;

export const MASTER_FIELDS = { status: 1, digestSlot: 1, wakeAt: 1, digestEpoch: 1, digestClosed: 1 } as const;

/**
 * The standing of a run to the digest of the master that it has named. `joined`: the master will count it in. `counted`:
 * the master has counted it in. `left out`: it has not and never will, so the run may leave.
 *
 * A mark counts when the pass that set it has closed the digest, or is the latest: then that pass will close the digest,
 * or a later one will mark all runs again that have named the master, this one among them.
 */
export function standingOf(
  own: OwnPart,
  master: MasterPart | undefined,
  slot?: string,
): 'joined' | 'counted' | 'left out' {
  if (master === undefined) return 'left out';
  const isOpen = slot === undefined ? master.digestSlot !== undefined : master.digestSlot === slot;
  if (isOpen && master.status === 'active') return 'joined';
  const { digestCollected: mark } = own;
  if (mark === undefined) return 'left out';
  const { digestClosed: closed, digestEpoch: epoch } = master;
  if (mark === closed || (mark === true && closed === undefined)) return 'counted';
  const isLatest = mark === epoch && epoch !== closed && master.status === 'active';
  return isLatest ? 'counted' : 'left out';
}

export function sameMark({ digestCollected }: OwnPart): { digestCollected: number | true | { $exists: false } } {
  return { digestCollected: digestCollected ?? { $exists: false } };
}

/** Counted in by a version that did not number passes, by a master that has not closed another digest since. */
function isOfOlderVersion({ digestCollected }: Contribution, closedBy: number | undefined): boolean {
  return digestCollected === true && closedBy === 0;
}

/** By acceptance, and within a millisecond by id: which of two simultaneous events leads the digest is chance. */
function byAge(a: AcceptedPayload, b: AcceptedPayload): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? -1 : 1);
}

/** Ids in one query: the store looks each of them up, and a longer answer would fill the memory. */
const PORTION = 1_000;

async function inPortions<T>(items: readonly T[], work: (portion: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += PORTION) await work(items.slice(from, from + PORTION));
}
