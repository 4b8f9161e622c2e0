import { digest } from './digest.declaration.js';
import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { Clock } from '#libs/common';
import { isDuplicateKey } from '#libs/persistence';
import { ExecutionDetailsService } from '../../execution-details/index.js';
import { type NotificationKey, type NotificationRecord, NotificationStore, runKey } from '../records/notification.js';
import { masterKey } from './digest-collector.js';
import { ownerOf, type Run } from '../run/run.js';
import {
  followSuccessor,
  GIVE_UP_SLOT,
  LEAVE_DIGEST,
  nameSuccessor,
  promote,
  reserveSuccessor,
} from '../run/store-transitions.js';
import { noteClosing } from '../run/transitions.js';

/**
 * Hands digests over when their masters are canceled: the oldest follower succeeds, with all other followers and the same
 * due time. Several passes may do so at the same time. All of them name the same successor, since that is written once
 * under the master's lease, and what follows is the same for every pass:
 *
 * 1. No run can join any more, and runs that were about to join are put out of the digest.
 * 2. The successor is reserved, so that it cannot be canceled in between, and the master names it.
 * 3. All other followers are moved to the successor, which does not lead yet.
 * 4. The successor leads. From then on it may close at any time, and no run is left that a late pass could move.
 */
@Injectable()
export class DigestSuccession {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly details: ExecutionDetailsService,
    private readonly clock: Clock,
  ) {}

  /** @returns masters that another worker holds by now */
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
    const { matchedCount } = await collection.updateOne({ ...runKey(record), lease }, GIVE_UP_SLOT);
    if (matchedCount === 0) return false;
    noteClosing(record);
    await collection.updateMany({ ...membersOf(record), status: 'active' }, LEAVE_DIGEST);
    const successorId = await this.findSuccessor(record, lease);
    if (successorId === 'lost') return false;
    if (successorId === undefined) return true;
    await collection.updateMany(
      { ...membersOf(record), _id: { $ne: successorId }, status: 'merged' },
      followSuccessor(successorId),
    );
    const successor = await collection.findOne({
      ...masterKey(record, successorId),
      digestHeirOf: record._id,
      status: 'merged',
    });
    if (successor !== null) await this.promote(successor, slot, dueAt);
    return true;
  }

  /** @returns the successor; undefined when no run has joined */
  private async findSuccessor(master: NotificationKey, lease: string): Promise<Types.ObjectId | undefined | 'lost'> {
    const { collection } = this.notifications;
    for (;;) {
      const known = await collection.findOne({ ...runKey(master), lease }, { projection: { digestHeir: 1 } });
      if (known === null) return 'lost';
      if (known.digestHeir !== undefined) return known.digestHeir;
      const merged = { ...membersOf(master), status: 'merged' } as const;
      const next = await collection.findOne(merged, { sort: { createdAt: 1, _id: 1 }, projection: { _id: 1 } });
      if (next === null) return undefined;
      const reserved = await collection.updateOne({ ...merged, _id: next._id }, reserveSuccessor(master._id));
      if (reserved.matchedCount === 0) continue;
      await collection.updateOne({ ...runKey(master), lease, digestHeir: { $exists: false } }, nameSuccessor(next._id));
    }
  }

  private async promote(successor: NotificationRecord, slot: string, dueAt: Date): Promise<void> {
    const isDone =
      (await this.write(successor, promote(successor, { slot, dueAt, isJoinable: true }))) ??
      // Another run leads a new digest by now: this one waits for its due time, and no run can join it.
      (await this.write(successor, promote(successor, { slot, dueAt, isJoinable: false })));
    if (isDone === true) await this.describe(successor, dueAt);
  }

  /** @returns whether this pass did it; undefined when another run has the slot */
  private async write(
    successor: NotificationRecord,
    update: mongo.UpdateFilter<NotificationRecord>,
  ): Promise<boolean | undefined> {
    const { digestHeirOf } = successor;
    try {
      const { matchedCount } = await this.notifications.collection.updateOne(
        { ...runKey(successor), status: 'merged', ...(digestHeirOf && { digestHeirOf }) },
        update,
      );
      return matchedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** So far the trail of the successor ends with its being merged. */
  private async describe(successor: NotificationRecord, dueAt: Date): Promise<void> {
    const step = successor.steps.find(({ status }) => status === 'merged');
    if (step === undefined) return;
    const at = this.clock.now();
    const raw = { delay: dueAt.getTime() - at.getTime(), insteadOf: successor.digestHeirOf?.toHexString() };
    const entry = { jobId: step._id, channel: step.type, detail: digest.trail.digested.text, raw, at };
    await this.details.append([{ ...ownerOf(successor), entries: [entry] }]);
  }
}

/** All runs that have named a master, except those that a version without numbered passes has counted in. */
function membersOf({ _id, _environmentId, _subscriberId }: NotificationKey) {
  return { digestInto: _id, _environmentId, _subscriberId, digestCollected: { $ne: true } } as const;
}
