import type { NotificationRecord } from '../records/notification.js';

/** The part of a follower's record that names its digest. */
export type OwnPart = Pick<NotificationRecord, 'digestInto' | 'digestCollected'>;
/** The part of a master's record that followers read. */
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

/** A filter for records whose mark has not changed since it was read. */
export function sameMark({ digestCollected }: OwnPart): { digestCollected: number | true | { $exists: false } } {
  return { digestCollected: digestCollected ?? { $exists: false } };
}
