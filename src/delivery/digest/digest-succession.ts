import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { Clock } from '#libs/common';
import { isDuplicateKey } from '#libs/persistence';
import { DETAIL, ExecutionDetailsService } from '../../execution-details/index.js';
import { type NotificationRecord } from '../records/notification.record.js';
import { NotificationStore } from '../records/notification-store.js';
import { ownerOf } from '../run/details-of.js';
import type { Run } from '../run/run.js';

/**
 * Hands digests over when their masters are called off: the oldest follower takes the place, with everybody who has
 * joined and the same due time. Any number of passes may be at it. All of them name the same heir, since that is written
 * once under the master's lease, and what follows is the same for every pass:
 *
 * 1. Nobody can join any more, and who was about to join is put out of the digest.
 * 2. The heir is reserved, so that it cannot be called off meanwhile, and the master names it.
 * 3. All others who have joined the master are pointed to the heir, which does not lead yet.
 * 4. The heir leads. From then on it may close at any time, and nobody is left whom a late pass could move.
 */
@Injectable()
export class DigestSuccession {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
  ) {}

  /** @returns masters that another worker has by now */
  async handOver(masters: readonly Run[]): Promise<Set<Run>> {
    const lost = new Set<Run>();
    for (const run of masters) {
      const { record } = run;
      if (record.digestLastSlot === undefined) continue;
      const dueAt = record.steps[record.current]?.dueAt ?? this.clock.now();
      if (!(await this.handOverOne(run, record.digestLastSlot, dueAt))) lost.add(run);
    }
    return lost;
  }

  /** @returns false when the lease is lost */
  private async handOverOne({ record, lease }: Run, slot: string, dueAt: Date): Promise<boolean> {
    const { collection } = this.notifications;
    const { matchedCount } = await collection.updateOne({ _id: record._id, lease }, { $unset: { digestSlot: 1 } });
    if (matchedCount === 0) return false;
    delete record.digestSlot;
    await collection.updateMany(
      { ...membersOf(record._id), status: 'active' },
      { $unset: { digestInto: 1, digestCollected: 1 } },
    );
    const heirId = await this.nameHeir(record._id, lease);
    if (heirId === 'lost') return false;
    if (heirId === undefined) return true;
    await collection.updateMany(
      { ...membersOf(record._id), _id: { $ne: heirId }, status: 'merged' },
      { $set: { digestInto: heirId }, $unset: { digestCollected: 1, digestHeirOf: 1 } },
    );
    const heir = await collection.findOne({ _id: heirId, digestHeirOf: record._id, status: 'merged' });
    if (heir !== null) await this.promote(heir, slot, dueAt);
    return true;
  }

  /** @returns who takes the place; undefined when nobody has joined */
  private async nameHeir(master: Types.ObjectId, lease: string): Promise<Types.ObjectId | undefined | 'lost'> {
    const { collection } = this.notifications;
    for (;;) {
      const known = await collection.findOne({ _id: master, lease }, { projection: { digestHeir: 1 } });
      if (known === null) return 'lost';
      if (known.digestHeir !== undefined) return known.digestHeir;
      const merged = { ...membersOf(master), status: 'merged' } as const;
      const next = await collection.findOne(merged, { sort: { createdAt: 1, _id: 1 }, projection: { _id: 1 } });
      if (next === null) return undefined;
      const reserved = await collection.updateOne({ ...merged, _id: next._id }, { $set: { digestHeirOf: master } });
      // It was called off at this moment.
      if (reserved.matchedCount === 0) continue;
      await collection.updateOne(
        { _id: master, lease, digestHeir: { $exists: false } },
        { $set: { digestHeir: next._id } },
      );
    }
  }

  private async promote(heir: NotificationRecord, slot: string, dueAt: Date): Promise<void> {
    const first = heir.steps.findIndex(({ status }) => status === 'merged');
    const steps = heir.steps.map(({ finishedAt, ...step }, place) =>
      step.status !== 'merged'
        ? { ...step, ...(finishedAt && { finishedAt }) }
        : place === first
          ? { ...step, status: 'delayed' as const, dueAt }
          : { ...step, status: 'pending' as const },
    );
    const leading = {
      status: 'active',
      current: first,
      steps,
      lane: 'store',
      wakeAt: dueAt,
      digestLastSlot: slot,
    } as const;
    const isDone =
      (await this.writeHeir(heir, { ...leading, digestSlot: slot })) ??
      // Somebody has begun a new digest meanwhile: this one waits for its due time without anybody joining it.
      (await this.writeHeir(heir, leading));
    if (isDone === true) await this.tellLeading(heir, first, dueAt);
  }

  /** @returns whether this pass did it; undefined when somebody else has the slot */
  private async writeHeir(
    { _id, digestHeirOf }: NotificationRecord,
    leading: mongo.MatchKeysAndValues<NotificationRecord>,
  ): Promise<boolean | undefined> {
    try {
      const { matchedCount } = await this.notifications.collection.updateOne(
        { _id, status: 'merged', ...(digestHeirOf && { digestHeirOf }) },
        {
          $set: { ...leading },
          $unset: { digestInto: 1, digestCollected: 1, digestHeirOf: 1, digestClosedStep: 1, expireAt: 1 },
        },
      );
      return matchedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** The trail of the heir says so far that it was merged. */
  private async tellLeading(heir: NotificationRecord, place: number, dueAt: Date): Promise<void> {
    const step = heir.steps[place];
    if (step === undefined) return;
    const at = this.clock.now();
    const raw = { delay: dueAt.getTime() - at.getTime(), insteadOf: heir.digestHeirOf?.toHexString() };
    const entry = { jobId: step._id, channel: step.type, detail: DETAIL.stepDigested, raw, at };
    await this.details.append([{ ...ownerOf(heir), entries: [entry] }]);
  }
}

/** Everybody who has named a master; a version that numbered no passes has told about those that it counted in. */
function membersOf(master: Types.ObjectId): { digestInto: Types.ObjectId; digestCollected: { $ne: true } } {
  return { digestInto: master, digestCollected: { $ne: true } };
}
