import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { isDuplicateKey } from '#libs/persistence';
import { DETAIL, ExecutionDetailsService } from '../../execution-details/index.js';
import {
  type AcceptedPayload,
  type NotificationRecord,
  NotificationStore,
  TriggerEventStore,
} from '../../notifications/index.js';
import { ownerOf } from '../run/details-of.js';
import type { Run } from '../run/run.js';

type Contribution = Pick<NotificationRecord, '_id' | '_eventId' | 'digestInto'>;

/** Closes digests and reads what went into them; hands a digest over when its master is called off. */
@Injectable()
export class DigestCollector {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
  ) {}

  /** Ends the digests of masters that have reached their due time, and puts what they collected into the runs. */
  async close(masters: readonly Run[]): Promise<void> {
    if (masters.length === 0) return;
    await this.giveUpSlots(masters);
    await this.notifications.collection.updateMany(
      { digestInto: { $in: masters.map(({ record }) => record._id) }, digestCollected: { $ne: true } },
      { $set: { digestCollected: true } },
    );
    await this.recall(masters);
  }

  /** Puts what the digests of runs collected into the runs, as they find it when they are taken up again. */
  async recall(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    const byMaster = await this.contributions(runs);
    const eventIds = [...byMaster.values()].flatMap((list) => list.map(({ _eventId }) => _eventId));
    const payloads = await this.events.findPayloads(eventIds);
    for (const run of runs) {
      const collected = byMaster.get(run.record._id.toHexString()) ?? [];
      const others = collected.flatMap(({ _eventId }) => payloads.get(_eventId.toHexString()) ?? []);
      run.digestEvents = [run.event, ...others].sort(byAge).map(({ payload }) => payload);
    }
  }

  /** Lets the oldest follower of each master take its place, with everybody who has joined and the same due time. */
  async handOver(masters: readonly Run[]): Promise<void> {
    const leading = masters.filter(({ record }) => record.digestLastSlot !== undefined);
    if (leading.length === 0) return;
    const dueAt = new Map(leading.map((run) => [run, run.record.steps[run.record.current]?.dueAt]));
    await this.giveUpSlots(leading);
    for (const run of leading) await this.handOverOne(run.record, dueAt.get(run));
  }

  /** Takes runs out of the digests that they have joined. @returns those whose event was counted in already */
  async withdraw(runs: readonly Run[]): Promise<Set<Run>> {
    const counted = new Set<Run>();
    for (const run of runs) {
      const { _id, digestInto } = run.record;
      if (digestInto === undefined) continue;
      const { matchedCount } = await this.notifications.collection.updateOne(
        { _id, digestInto: { $exists: true }, digestCollected: { $ne: true } },
        { $unset: { digestInto: 1 } },
      );
      if (matchedCount === 0) counted.add(run);
      else delete run.record.digestInto;
    }
    return counted;
  }

  private async handOverOne(master: NotificationRecord, dueAt: Date | undefined): Promise<void> {
    const joined = { digestInto: master._id, digestCollected: { $ne: true } };
    const slot = master.digestLastSlot;
    const { collection } = this.notifications;
    for (;;) {
      const heir = await collection.findOne({ ...joined, status: 'merged' }, { sort: { createdAt: 1, _id: 1 } });
      if (heir === null || slot === undefined) return;
      const reigning = await collection.findOne({ digestSlot: slot }, { projection: { _id: 1 } });
      if (reigning === null && !(await this.promote(heir, slot, dueAt ?? new Date()))) continue;
      await collection.updateMany(joined, { $set: { digestInto: reigning?._id ?? heir._id } });
      return;
    }
  }

  /** @returns false when it was called off or somebody else leads by now */
  private async promote(heir: NotificationRecord, slot: string, dueAt: Date): Promise<boolean> {
    const first = heir.steps.findIndex(({ status }) => status === 'merged');
    const steps = heir.steps.map(({ finishedAt: _finishedAt, ...step }, place) =>
      step.status !== 'merged'
        ? { ...step, ...(_finishedAt && { finishedAt: _finishedAt }) }
        : place === first
          ? { ...step, status: 'delayed' as const, dueAt }
          : { ...step, status: 'pending' as const },
    );
    try {
      const { matchedCount } = await this.notifications.collection.updateOne(
        { _id: heir._id, status: 'merged', digestInto: heir.digestInto },
        {
          $set: {
            status: 'active',
            current: first,
            steps,
            lane: 'store',
            wakeAt: dueAt,
            digestSlot: slot,
            digestLastSlot: slot,
          },
          $unset: { digestInto: 1, expireAt: 1 },
        },
      );
      if (matchedCount === 1) await this.tellLeading(heir, first, dueAt);
      return matchedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** The trail of the heir says so far that it was merged. */
  private async tellLeading(heir: NotificationRecord, place: number, dueAt: Date): Promise<void> {
    const step = heir.steps[place];
    if (step === undefined) return;
    const at = this.clock.now();
    const raw = { delay: dueAt.getTime() - at.getTime(), insteadOf: heir.digestInto?.toHexString() };
    const entry = { jobId: step._id, channel: step.type, detail: DETAIL.stepDigested, raw, at };
    await this.details.append([{ ...ownerOf(heir), entries: [entry] }]);
  }

  private async giveUpSlots(masters: readonly Run[]): Promise<void> {
    await this.notifications.collection.bulkWrite(
      masters.map(({ record, lease }) => ({
        updateOne: { filter: { _id: record._id, lease }, update: { $unset: { digestSlot: 1 } } },
      })),
      { ordered: false },
    );
    for (const { record } of masters) delete record.digestSlot;
  }

  /** What went into each master's digests, with what had gone into those before, where digests follow each other. */
  private async contributions(runs: readonly Run[]): Promise<Map<string, Contribution[]>> {
    const rootOf = new Map(runs.map(({ record }) => [record._id.toHexString(), record._id.toHexString()]));
    const found = new Map<string, Contribution[]>();
    let level = runs.map(({ record }) => record._id);
    const depth = Math.max(...runs.map(({ record }) => record.steps.filter(({ type }) => type === 'digest').length));
    for (let step = 0; step < depth && level.length > 0; step += 1) {
      const rows = await this.notifications.collection
        .find({ digestInto: { $in: level }, digestCollected: true })
        .project<Contribution>({ _eventId: 1, digestInto: 1 })
        .toArray();
      for (const row of rows) {
        const root = rootOf.get(row.digestInto?.toHexString() ?? '') ?? '';
        rootOf.set(row._id.toHexString(), root);
        const list = found.get(root);
        if (list) list.push(row);
        else found.set(root, [row]);
      }
      level = rows.map(({ _id }) => _id);
    }
    return found;
  }
}

/**
 * By acceptance: which of two events at once leads the digest is chance. Ids of events tell what one millisecond cannot.
 */
function byAge(a: AcceptedPayload, b: AcceptedPayload): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? -1 : 1);
}
