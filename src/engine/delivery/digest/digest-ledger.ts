import { digest } from './digest.declaration.js';
import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { FailPoint } from '#libs/common';
import {
  type NotificationKey,
  type NotificationRecord,
  NotificationStore,
  type RefusedWrites,
  runKey,
  runKeys,
} from '../records/notification.js';
import { type Run, RunClock } from '../run/run.js';
import { detailOf } from '../run/step-recorder.js';
import { joinMaster, LEAVE_CLOSED_DIGEST } from '../run/store-transitions.js';
import {
  currentStep,
  joinedDigest,
  leadDigest,
  leftDigest,
  mergeRun,
  restoreState,
  type SavedState,
  saveState,
} from '../run/transitions.js';
import { MASTER_FIELDS, type MasterPart, type OwnPart, sameMark, standingOf } from './digest-collector.js';

/** Before runs join a digest. */
export const JOINING = new FailPoint<readonly Run[]>('digest.join');

/** In each round at least one run leads or joins; more rounds are needed only when masters close in between. */
const MAX_ROUNDS = 20;
/** Members of a digest that a rehearsal counts. */
const MAX_COUNTED = 10_000;

/**
 * Elects one master for each digest and lets the others join it, without locks and without losing an event:
 *
 * - A unique index over the slots of open digests decides who leads.
 * - A follower first writes which master it joins, still under its lease, and then reads its standing to that master. If
 *   the master is open, it will close later and find the follower. If it has closed, the follower was counted in, or it
 *   withdraws; that write fails only if its record has changed since, and then it reads its standing again.
 * - Masters are closed by the collector.
 *
 * So each event is in exactly one digest wherever a process dies or is suspended: unfinished work is repeated after the
 * lease.
 */
@Injectable()
export class DigestLedger {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly clock: RunClock,
  ) {}

  /** Lets stored runs take part in their digests. Afterwards each leads a digest or is merged. */
  async join(runs: readonly Run[]): Promise<NotJoined> {
    await JOINING.pass(runs);
    const not: MutableNotJoined = { canceled: new Set(), lost: new Set() };
    let left: Run[] = [...runs];
    for (let round = 0; left.length > 0; round += 1) {
      if (round === MAX_ROUNDS) throw new Error(`No stable digest master after ${MAX_ROUNDS} rounds.`);
      left = await this.joinOnce(left, not);
    }
    return { canceled: [...not.canceled], lost: [...not.lost] };
  }

  /** Does to a run that is not stored what joining would do now. @returns the master that it would join, if one is open */
  async rehearse(
    run: Run,
    now: Date,
  ): Promise<{ readonly into?: Types.ObjectId; readonly until: Date; readonly others: number }> {
    const { slot, until } = entryOf(run);
    const { collection } = this.notifications;
    const master = await collection.findOne<MasterPart>({ digestSlot: slot }, { projection: MASTER_FIELDS });
    if (master === null) {
      leadDigest(run.record, slot, until, now);
      describeLeading(run, now);
      return { until, others: 0 };
    }
    const others = 1 + (await collection.countDocuments({ digestInto: master._id }, { limit: MAX_COUNTED }));
    const end = master.wakeAt ?? now;
    joinedDigest(run.record, master._id);
    mergeRun(run.record, end > now ? end : now, this.clock.context(now));
    describeMerge(run, now);
    return { into: master._id, until: end, others };
  }

  private async joinOnce(runs: Run[], not: MutableNotJoined): Promise<Run[]> {
    const masters = await this.openMasters(runs);
    const leaders = new Map<string, Run>();
    for (const run of runs) {
      const isFree = !masters.has(slotOf(run)) && !leaders.has(slotOf(run)) && run.record.digestInto === undefined;
      if (isFree) leaders.set(slotOf(run), run);
    }
    const leading = await this.lead([...leaders.values()], not);
    // A run that lost the election, or has a leader in its own batch, finds an open master in the next round.
    const joining = runs.filter((run) => run.record.digestInto !== undefined || masters.has(slotOf(run)));
    const merged = await this.merge(joining, masters, not);
    return runs.filter((run) => !leading.has(run) && !merged.has(run));
  }

  private async openMasters(runs: readonly Run[]): Promise<Map<string, Types.ObjectId>> {
    // All subscribers, however many: their field stands before the slot in the index.
    const _subscriberId = { $in: distinct(runs.map(({ record }) => record._subscriberId)) };
    const _environmentId = { $in: distinct(runs.map(({ record }) => record._environmentId)) };
    const digestSlot = { $in: [...new Set(runs.map(slotOf))] };
    const rows = await this.notifications.collection
      .find({ _environmentId, _subscriberId, digestSlot })
      .project<Pick<NotificationRecord, '_id' | 'digestSlot'>>({ digestSlot: 1 })
      .toArray();
    return new Map(rows.map(({ _id, digestSlot }) => [digestSlot ?? '', _id]));
  }

  /** @returns those that are done: they lead now, were canceled, or have lost their lease */
  private async lead(runs: readonly Run[], not: MutableNotJoined): Promise<Set<Run>> {
    if (runs.length === 0) return new Set();
    const now = this.clock.now();
    const before = new Map(runs.map((run) => [run, saveState(run.record)]));
    for (const run of runs) leadDigest(run.record, slotOf(run), entryOf(run).until, now);
    const refused = await this.notifications.saveLeaders(runs);
    const leading = new Set<Run>();
    for (const run of runs) {
      const isElsewhere = refused.clashed.has(run.record);
      const isRefused = isElsewhere || note(run, refused, not);
      if (isRefused) restoreState(run.record, stateBefore(before, run));
      else describeLeading(run, now);
      if (!isElsewhere) leading.add(run);
    }
    return leading;
  }

  /** @returns those that are done: they are merged now, were canceled, or have lost their lease */
  private async merge(
    runs: readonly Run[],
    masters: ReadonlyMap<string, Types.ObjectId>,
    not: MutableNotJoined,
  ): Promise<Set<Run>> {
    if (runs.length === 0) return new Set();
    await this.declare(runs, masters);
    const merging = new Map<Run, Date>();
    for (const [run, look] of await this.look(runs)) {
      const until = await this.reconcile(run, look);
      if (until === 'lost') not.lost.add(run);
      else if (until !== 'free') merging.set(run, until);
    }
    const merged = await this.saveMerged(merging, not);
    return new Set([...merged, ...runs.filter((run) => not.lost.has(run))]);
  }

  /** @returns those that are done. The others were put out of the digest at this moment, or have lost their lease. */
  private async saveMerged(merging: ReadonlyMap<Run, Date>, not: MutableNotJoined): Promise<Run[]> {
    const now = this.clock.now();
    const before = new Map([...merging.keys()].map((run) => [run, saveState(run.record)]));
    const context = this.clock.context(now);
    for (const [run, until] of merging) mergeRun(run.record, until > now ? until : now, context);
    const refused = await this.notifications.save(
      [...merging.keys()].map(({ record, lease }) => ({ record, lease, into: record.digestInto })),
    );
    return [...before].flatMap(([run, state]) => {
      const isCanceled = refused.canceled.has(run.record);
      const isLost = refused.lost.has(run.record);
      if (isCanceled || isLost) restoreState(run.record, state);
      else describeMerge(run, now);
      if (isCanceled) not.canceled.add(run);
      return isLost ? [] : [run];
    });
  }

  private async declare(runs: readonly Run[], masters: ReadonlyMap<string, Types.ObjectId>): Promise<void> {
    const writes: mongo.AnyBulkWriteOperation<NotificationRecord>[] = [];
    for (const run of runs) {
      const master = masters.get(slotOf(run));
      if (run.record.digestInto !== undefined || master === undefined) continue;
      joinedDigest(run.record, master);
      const filter = { ...runKey(run.record), lease: run.lease, digestInto: { $exists: false } };
      writes.push({ updateOne: { filter, update: joinMaster(master) } });
    }
    if (writes.length > 0) await this.notifications.collection.bulkWrite(writes, { ordered: false });
  }

  /** Reads runs and then their masters, so that a mark is never newer than its master. */
  private async look(runs: readonly Run[]): Promise<Map<Run, Look>> {
    const own = await this.notifications.collection
      .find(runKeys(runs))
      .project<OwnPart & NotificationKey & Pick<NotificationRecord, 'lease'>>({
        _environmentId: 1,
        _subscriberId: 1,
        lease: 1,
        digestInto: 1,
        digestCollected: 1,
      })
      .toArray();
    const ownById = new Map(own.map((row) => [row._id.toHexString(), row]));
    const joined = own.flatMap((row) => (row.digestInto ? [{ record: { ...row, _id: row.digestInto } }] : []));
    const masters =
      joined.length === 0
        ? []
        : await this.notifications.collection.find(runKeys(joined)).project<MasterPart>(MASTER_FIELDS).toArray();
    const masterById = new Map(masters.map((row) => [row._id.toHexString(), row]));
    return new Map(
      runs.map((run): [Run, Look] => {
        const row = ownById.get(run.record._id.toHexString());
        if (row === undefined || row.lease !== run.lease) return [run, 'lost'];
        return [run, { own: row, master: masterById.get(row.digestInto?.toHexString() ?? '') }];
      }),
    );
  }

  /**
   * Compares a run with what the store shows of its digest.
   * @returns until when the digest waits, or that the run has left it, or that another worker holds the run
   */
  private async reconcile(run: Run, look: Look): Promise<Date | 'free' | 'lost'> {
    if (look === 'lost') return 'lost';
    const { own, master } = look;
    if (own.digestInto === undefined) {
      leftDigest(run.record);
      return 'free';
    }
    joinedDigest(run.record, own.digestInto);
    const standing = standingOf(own, master, slotOf(run));
    if (standing === 'joined') return master?.wakeAt ?? this.clock.now();
    if (standing === 'counted') return this.clock.now();
    const { matchedCount } = await this.notifications.collection.updateOne(
      { ...runKey(run.record), lease: run.lease, digestInto: own.digestInto, ...sameMark(own) },
      LEAVE_CLOSED_DIGEST,
    );
    // Otherwise its record has changed: it reads its standing again in the next round.
    if (matchedCount === 1) leftDigest(run.record);
    return 'free';
  }
}

type Look = 'lost' | { readonly own: OwnPart; readonly master: MasterPart | undefined };

export interface NotJoined {
  readonly canceled: readonly Run[];
  readonly lost: readonly Run[];
}

interface MutableNotJoined {
  readonly canceled: Set<Run>;
  readonly lost: Set<Run>;
}

/** @returns whether its write was refused */
function note(run: Run, refused: RefusedWrites, not: MutableNotJoined): boolean {
  if (refused.canceled.has(run.record)) not.canceled.add(run);
  else if (refused.lost.has(run.record)) not.lost.add(run);
  else return false;
  return true;
}

function stateBefore(states: ReadonlyMap<Run, SavedState>, run: Run): SavedState {
  const state = states.get(run);
  if (state === undefined) throw new Error('The state of a run was not saved.');
  return state;
}

function distinct(ids: readonly Types.ObjectId[]): Types.ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}

function slotOf(run: Run): string {
  return entryOf(run).slot;
}

function entryOf({ entry }: Run): { readonly slot: string; readonly until: Date } {
  if (entry === undefined) throw new Error('A run that takes part in no digest came to the ledger.');
  return entry;
}

function describeLeading(run: Run, now: Date): void {
  const step = currentStep(run.record);
  if (step === undefined) return;
  const delay = entryOf(run).until.getTime() - now.getTime();
  run.effects.add({ details: [detailOf(step, digest.trail.digested, now, { raw: { delay } })] });
}

function describeMerge(run: Run, now: Date): void {
  const step = run.record.steps.find(({ status }) => status === 'merged');
  if (step === undefined) return;
  const raw = { _digestedNotificationId: run.record.digestInto?.toHexString() };
  run.effects.add({ details: [detailOf(step, digest.trail.merged, now, { raw })] });
}
