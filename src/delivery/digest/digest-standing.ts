import type { NotificationRecord } from '../records/notification.record.js';

/** What a follower's own record says of the digest that it has named. */
export type OwnPart = Pick<NotificationRecord, 'digestInto' | 'digestCollected'>;
/** What has to be known of a master. */
export type MasterPart = Pick<
  NotificationRecord,
  '_id' | 'status' | 'digestSlot' | 'wakeAt' | 'digestEpoch' | 'digestClosed'
>;

export const MASTER_FIELDS = { status: 1, digestSlot: 1, wakeAt: 1, digestEpoch: 1, digestClosed: 1 } as const;

/**
 * How a run that has named a master stands to its digest. `joined`: the master will count it in. `counted`: it has.
 * `left out`: it has not and never will, so the run may leave.
 *
 * A mark counts when the pass that set it has closed the digest, or is the latest: then it will close the digest, or a
 * later pass will mark everybody anew who has named the master, and this run is among them.
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

/** A filter for records whose mark is still the one that was seen. */
export function sameMark({ digestCollected }: OwnPart): { digestCollected: number | true | { $exists: false } } {
  return { digestCollected: digestCollected ?? { $exists: false } };
}
