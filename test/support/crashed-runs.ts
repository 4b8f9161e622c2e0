import type { mongo } from 'mongoose';
import type { StoredRecords } from '../harness/index.js';
import type { StepStatus } from '../../src/engine/delivery/index.js';

/** The state of a stored run at the moment at which its worker dies. What is left out stays as it is. */
export interface CrashedRun {
  /** When the lease of the dead worker ends. */
  readonly leaseEnd: Date;
  /** Statuses of the steps, in order; absent: the run stays at its step. */
  readonly steps?: readonly StepStatus[];
  readonly isCanceled?: boolean;
  /** Fields that the worker had not written yet, or had removed already. */
  readonly without?: readonly ('digestInto' | 'digestSlot' | 'digestCollected')[];
}

/** Puts the run of a transaction into the state that a dying worker leaves. */
export async function crash(
  notifications: Pick<StoredRecords, 'updateOne'>,
  run: mongo.Filter<mongo.Document>,
  { leaseEnd, steps, isCanceled, without = [] }: CrashedRun,
): Promise<void> {
  const { matchedCount } = await notifications.updateOne(run, {
    $set: {
      lease: 'of a dead worker',
      wakeAt: leaseEnd,
      ...(isCanceled && { cancelRequested: true }),
      ...(steps && { status: 'active', current: steps.indexOf('running'), lane: 'store', 'steps.0.attempt': 1 }),
      ...Object.fromEntries((steps ?? []).map((status, place) => [`steps.${place}.status`, status])),
    },
    $unset: { ...(steps && { expireAt: 1 }), ...Object.fromEntries(without.map((field) => [field, 1])) },
  });
  if (matchedCount !== 1) throw new Error('There is no such run.');
}

/** Puts the event of a transaction into the state that a worker leaves which dies while it expands the event. */
export async function crashExpansion(
  events: Pick<StoredRecords, 'updateOne'>,
  transactionId: string,
  leaseEnd: Date,
): Promise<void> {
  const state = { status: 'expanding', lane: 'expand', lease: 'of a dying worker', wakeAt: leaseEnd };
  const { matchedCount } = await events.updateOne({ transactionId }, { $set: state });
  if (matchedCount !== 1) throw new Error('There is no such event.');
}
