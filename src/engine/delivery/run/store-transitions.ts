import type { mongo, Types } from 'mongoose';
import type { NotificationRecord } from '../records/notification.js';

/**
 * Transitions of runs that are made in the store, because no worker holds the record or because several may change it at
 * the same moment: digests, and cancellation. Each is one atomic update; the guards are filters of the caller.
 */

type Update = mongo.UpdateFilter<NotificationRecord>;

/** Marks runs as canceled; the worker that holds one ends it. */
export const REQUEST_CANCELLATION: Update = { $set: { cancelRequested: true } };

export function joinMaster(master: Types.ObjectId): Update {
  return { $set: { digestInto: master }, $unset: { digestCollected: 1 } };
}

export const LEAVE_DIGEST: Update = { $unset: { digestInto: 1, digestCollected: 1 } };

/** A run leaves a digest that was closed without it, and cannot succeed its master any more. */
export const LEAVE_CLOSED_DIGEST: Update = { $unset: { digestInto: 1, digestCollected: 1, digestHeirOf: 1 } };

export const BEGIN_CLOSING: Update = { $unset: { digestSlot: 1 }, $inc: { digestEpoch: 1 } };

export function countIn(epoch: number): Update {
  return { $set: { digestCollected: epoch } };
}

/** A pass closes the digest of the master's current step. @param size how many others were counted in */
export function closeDigest(epoch: number, digestClosedStep: number, size: number): Update {
  return { $set: { digestClosed: epoch, digestClosedStep, digestSize: size } };
}

/** What runs wait for has changed: the schedule of held ones, or the event that others await. */
export const NOTE_EDIT: Update = { $inc: { heldEdits: 1 } };

export function wakeHeld(now: Date): Update {
  return { $set: { wakeAt: now, dueSince: now } };
}

export const GIVE_UP_SLOT: Update = { $unset: { digestSlot: 1 } };

/** Reserves a follower as the successor of a master, so that it cannot be canceled in between. */
export function reserveSuccessor(master: Types.ObjectId): Update {
  return { $set: { digestHeirOf: master } };
}

export function nameSuccessor(successor: Types.ObjectId): Update {
  return { $set: { digestHeir: successor } };
}

export function followSuccessor(successor: Types.ObjectId): Update {
  return { $set: { digestInto: successor }, $unset: { digestCollected: 1, digestHeirOf: 1 } };
}

/**
 * A merged run takes over its master's digest: it is active again and waits for the same due time.
 * @param isJoinable others can join the digest by its slot; false where another digest has the slot by now
 */
export function promote(
  { steps }: Pick<NotificationRecord, 'steps'>,
  { slot, dueAt, isJoinable }: { readonly slot: string; readonly dueAt: Date; readonly isJoinable: boolean },
): Update {
  const current = steps.findIndex(({ status }) => status === 'merged');
  const leading = steps.map((step, place) => {
    if (step.status !== 'merged') return step;
    const { finishedAt: _finishedAt, ...open } = step;
    return place === current ? { ...open, status: 'delayed' as const, dueAt } : { ...open, status: 'pending' as const };
  });
  return {
    $set: {
      status: 'active',
      current,
      steps: leading,
      lane: 'store',
      wakeAt: dueAt,
      dueSince: dueAt,
      digestLastSlot: slot,
      ...(isJoinable && { digestSlot: slot }),
    },
    $unset: { digestInto: 1, digestCollected: 1, digestHeirOf: 1, digestClosedStep: 1, expireAt: 1 },
  };
}

/** A merged run whose own event is canceled keeps the events that it has brought along from an earlier digest. */
export function carryForOthers(now: Date): Update {
  return { $set: { digestForOthers: true, updatedAt: now } };
}

/** Cancels a run that is merged into a digest and was not counted in yet. Needs {@link MERGED_STEPS}. */
export function cancelMerged(now: Date): Update {
  return {
    $set: {
      status: 'canceled',
      updatedAt: now,
      'steps.$[merged].status': 'canceled',
      'steps.$[merged].reason': 'transaction_canceled',
    },
    $unset: { digestInto: 1 },
  };
}

export const MERGED_STEPS = { arrayFilters: [{ 'merged.status': 'merged' }] };

export function queueReplay(
  { status, current, steps, trail, wakeAt, updatedAt }: NotificationRecord,
  lane: NotificationRecord['lane'],
): Update {
  return {
    $set: {
      status,
      current,
      steps,
      wakeAt: wakeAt ?? updatedAt,
      dueSince: wakeAt ?? updatedAt,
      updatedAt,
      ...(trail && { trail }),
      ...(lane && { lane }),
    },
    $unset: { expireAt: 1, takenUp: 1, suspectGroup: 1, setAsideAt: 1 },
  };
}
