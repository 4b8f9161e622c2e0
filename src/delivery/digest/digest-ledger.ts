import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { Clock } from '#libs/clock';
import { AppConfig } from '#libs/config';
import { DETAIL } from '../../execution-details/index.js';
import { type NotificationRecord, NotificationStore, writeFaults } from '../../notifications/index.js';
import type { Run } from '../run/run.js';
import { currentStep, leadDigest, mergeRun, stateOf } from '../run/transitions.js';

const DUPLICATE_KEY = 11000;
/** Each round somebody leads or joins; more are needed only when masters close in between. */
const ROUNDS = 20;

type Master = Pick<NotificationRecord, '_id' | 'digestSlot' | 'wakeAt'>;

/**
 * Elects one master for each digest and lets the others join it, without locks and without losing an event:
 *
 * - A unique index over the slots of open digests decides who leads.
 * - A follower first writes whom it joins, still under its lease, and then looks whether the master is still open. If so,
 *   the master will close later and find it. If not, the follower takes its word back; this fails exactly when the
 *   master has counted it in meanwhile.
 * - A master at its due time first gives up its slot, then marks everybody who joined as counted in, and reads those.
 *
 * So each event is in exactly one digest wherever a process dies: what was not finished is done again after the lease.
 */
@Injectable()
export class DigestLedger {
  private readonly retentionDays: number;

  constructor(
    private readonly notifications: NotificationStore,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  /**
   * Lets stored runs take part in their digests and ends their turn: each leads, or is merged.
   * @returns those that were called off meanwhile: they are as they came, and still under their leases
   */
  async join(runs: readonly Run[]): Promise<Run[]> {
    const canceled = new Set<Run>();
    let left: Run[] = [...runs];
    for (let round = 0; left.length > 0; round += 1) {
      if (round === ROUNDS) throw new Error('A digest changes its master again and again.');
      left = await this.joinOnce(left, canceled);
    }
    return [...canceled];
  }

  private async joinOnce(runs: Run[], canceled: Set<Run>): Promise<Run[]> {
    const masters = await this.openMasters(runs.map(slotOf));
    const leaders = new Map<string, Run>();
    for (const run of runs) {
      const isFree = !masters.has(slotOf(run)) && !leaders.has(slotOf(run)) && run.record.digestInto === undefined;
      if (isFree) leaders.set(slotOf(run), run);
    }
    const leading = await this.lead([...leaders.values()], canceled);
    // Who lost an election, or has a leader of its own batch, finds an open master in the next round.
    const joining = runs.filter((run) => run.record.digestInto !== undefined || masters.has(slotOf(run)));
    const merged = await this.merge(joining, masters, canceled);
    return runs.filter((run) => !leading.has(run) && !merged.has(run));
  }

  private async openMasters(slots: readonly string[]): Promise<Map<string, Master>> {
    const rows = await this.notifications.collection
      .find({ digestSlot: { $in: [...new Set(slots)] } })
      .project<Master>({ digestSlot: 1, wakeAt: 1 })
      .toArray();
    return new Map(rows.map((row) => [row.digestSlot ?? '', row]));
  }

  /** @returns those whose turn is over: they lead now, were called off, or have lost their lease and are no longer ours */
  private async lead(runs: readonly Run[], canceled: Set<Run>): Promise<Set<Run>> {
    if (runs.length === 0) return new Set();
    const now = this.clock.now();
    const before = new Map(runs.map((run) => [run, stateOf(run.record)]));
    for (const run of runs) leadDigest(run.record, slotOf(run), entryOf(run).until, now);
    const lost = await this.saveLeaders(runs, canceled);
    for (const [place, run] of runs.entries()) {
      if (lost.has(place) || canceled.has(run)) Object.assign(run.record, before.get(run));
      else describeLeading(run, now);
    }
    return new Set(runs.filter((_run, place) => !lost.has(place)));
  }

  /** @returns the places of those whose slot somebody else has */
  private async saveLeaders(runs: readonly Run[], canceled: Set<Run>): Promise<Set<number>> {
    try {
      await this.save(runs, canceled);
      return new Set();
    } catch (error) {
      const faults = writeFaults(error);
      if (faults === undefined || faults.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return new Set(faults.map(({ index }) => index));
    }
  }

  private async save(runs: readonly Run[], canceled: Set<Run>): Promise<void> {
    const refused = await this.notifications.save(runs.map(({ record, lease }) => ({ record, lease })));
    for (const run of runs) if (refused.canceled.has(run.record._id.toHexString())) canceled.add(run);
  }

  /** @returns those whose turn is over: they are merged now, or were called off */
  private async merge(
    runs: readonly Run[],
    masters: ReadonlyMap<string, Master>,
    canceled: Set<Run>,
  ): Promise<Set<Run>> {
    if (runs.length === 0) return new Set();
    await this.declare(runs, masters);
    const open = await this.stillOpen(runs);
    const merged = new Map<Run, Partial<NotificationRecord>>();
    const now = this.clock.now();
    for (const run of runs) {
      const until = open.get(run.record.digestInto?.toHexString() ?? '')?.wakeAt;
      if (until === undefined && (await this.takeBack(run))) continue;
      merged.set(run, stateOf(run.record));
      mergeRun(run.record, now, until !== undefined && until > now ? until : now, this.retentionDays);
    }
    await this.save([...merged.keys()], canceled);
    for (const [run, before] of merged) {
      if (canceled.has(run)) Object.assign(run.record, before);
      else describeMerge(run, now);
    }
    return new Set(merged.keys());
  }

  /** Writes whom each joins. It is not merged yet: its lease still runs. */
  private async declare(runs: readonly Run[], masters: ReadonlyMap<string, Master>): Promise<void> {
    const writes: mongo.AnyBulkWriteOperation<NotificationRecord>[] = [];
    for (const run of runs) {
      const master = masters.get(slotOf(run));
      if (run.record.digestInto !== undefined || master === undefined) continue;
      run.record.digestInto = master._id;
      writes.push({
        updateOne: { filter: { _id: run.record._id, lease: run.lease }, update: { $set: { digestInto: master._id } } },
      });
    }
    if (writes.length > 0) await this.notifications.collection.bulkWrite(writes, { ordered: false });
  }

  /** The masters that runs have joined and that have not closed, by id. */
  private async stillOpen(runs: readonly Run[]): Promise<Map<string, Master>> {
    const ids = runs.flatMap(({ record }) => record.digestInto ?? []);
    const rows = await this.notifications.collection
      .find({ _id: { $in: ids }, digestSlot: { $exists: true } })
      .project<Master>({ digestSlot: 1, wakeAt: 1 })
      .toArray();
    return new Map(rows.map((row) => [row._id.toHexString(), row]));
  }

  /** Leaves a master that has closed. @returns false when it was counted in, or another master has taken it over */
  private async takeBack({ record, lease }: Run): Promise<boolean> {
    const { digestInto } = record;
    if (digestInto === undefined) return true;
    const { matchedCount } = await this.notifications.collection.updateOne(
      { _id: record._id, lease, digestInto, digestCollected: { $ne: true } },
      { $unset: { digestInto: 1 } },
    );
    if (matchedCount === 1) delete record.digestInto;
    return matchedCount === 1;
  }
}

function slotOf(run: Run): string {
  return entryOf(run).slot;
}

function entryOf({ digestEntry }: Run): { readonly slot: string; readonly until: Date } {
  if (digestEntry === undefined) throw new Error('A run that takes part in no digest came to the ledger.');
  return digestEntry;
}

function describeLeading(run: Run, now: Date): void {
  const step = currentStep(run.record);
  if (step === undefined) return;
  const delay = entryOf(run).until.getTime() - now.getTime();
  run.effects.detail(step, DETAIL.stepDigested, now, { raw: { delay } });
}

function describeMerge(run: Run, now: Date): void {
  const step = run.record.steps.find(({ status }) => status === 'merged');
  if (step === undefined) return;
  const raw = { _digestedNotificationId: run.record.digestInto?.toHexString() };
  run.effects.detail(step, DETAIL.digestMerged, now, { raw });
}
