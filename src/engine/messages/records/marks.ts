import type { mongo } from 'mongoose';
import type { Mark } from './message.enums.js';

/** Absent fields are kept. */
export interface MarkedState {
  readonly seen?: boolean;
  readonly read?: boolean;
  readonly archived?: boolean;
  /** Hides the message from the Inbox until then; null shows it again. */
  readonly snoozedUntil?: Date | null;
}

/** Both `read` and `unread` imply seen; `unseen` does not change `read`. */
export const STATE_OF: Record<Mark, MarkedState> = {
  read: { seen: true, read: true },
  unread: { seen: true, read: false },
  seen: { seen: true },
  unseen: { seen: false },
};

export const INBOX_STATE = {
  read: STATE_OF.read,
  unread: { ...STATE_OF.unread, archived: false },
  seen: STATE_OF.seen,
  archive: { seen: true, read: true, archived: true },
  unarchive: { archived: false },
  unsnooze: { snoozedUntil: null, read: false },
} as const satisfies Record<string, MarkedState>;

/** It reappears like a new message. */
export const WOKEN: MarkedState = { snoozedUntil: null, seen: false, read: false };

export function oppositeOf(mark: Mark): MarkedState {
  return mark === 'read' || mark === 'unread' ? { read: mark === 'unread' } : { seen: mark === 'unseen' };
}

/** Read implies seen unless the caller specifies it. */
export function legacyState({ seen, read }: { seen?: boolean | null; read?: boolean | null }): MarkedState {
  const impliedSeen = seen ?? (read === true ? true : undefined);
  return {
    ...(impliedSeen !== undefined && { seen: impliedSeen }),
    ...(typeof read === 'boolean' && { read }),
  };
}

/** Undefined for an empty state. */
export function differsFrom({
  seen,
  read,
  archived,
  snoozedUntil,
}: MarkedState): { $or: mongo.Document[] } | undefined {
  const differences: mongo.Document[] = [
    ...(seen === undefined ? [] : [{ seen: !seen }]),
    ...(read === undefined ? [] : [{ read: !read }]),
    ...(archived === undefined ? [] : [{ archived: !archived }]),
    ...(snoozedUntil === undefined ? [] : [{ snoozedUntil: { $ne: snoozedUntil } }]),
  ];
  return differences.length === 0 ? undefined : { $or: differences };
}

type Stage = { $set: Record<string, unknown> } | { $unset: string[] };

/**
 * A pipeline, because dates are set only when a state is entered: a seen message keeps the time when it was first seen.
 */
export function enterState({ seen, read, archived, snoozedUntil }: MarkedState, now: Date): Stage[] {
  const entered = (field: string, date: string): Record<string, unknown> => ({
    [field]: true,
    [date]: { $cond: [{ $eq: [`$${field}`, true] }, `$${date}`, now] },
  });
  return [
    {
      $set: {
        updatedAt: now,
        ...(seen === true && entered('seen', 'lastSeenDate')),
        ...(seen === false && { seen: false }),
        ...(read === true && entered('read', 'lastReadDate')),
        ...(read === false && { read: false }),
        ...(archived === true && entered('archived', 'archivedAt')),
        ...(archived === false && { archived: false }),
      },
    },
    ...(archived === false ? [{ $unset: ['archivedAt'] }] : []),
    ...(snoozedUntil === undefined ? [] : snoozeStages(snoozedUntil, now)),
  ];
}

const MAX_DELIVERIES = 50;

/** Also ends a worker's claim for an earlier snooze: its write finds nothing. */
function snoozeStages(until: Date | null, now: Date): Stage[] {
  if (until !== null) return [{ $set: { snoozedUntil: until, wakeAt: until } }, { $unset: ['lease', 'takenUp'] }];
  const before = { $ifNull: ['$deliveredAt', ['$createdAt']] };
  return [
    // Lists are in the order of `createdAt`: it stands at the top again, and `deliveredAt` keeps the first time.
    { $set: { deliveredAt: { $slice: [{ $concatArrays: [before, [now]] }, -MAX_DELIVERIES] }, createdAt: now } },
    { $unset: ['snoozedUntil', 'wakeAt', 'lease', 'takenUp'] },
  ];
}
