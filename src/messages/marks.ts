import type { Mark } from './message.enums.js';

/** The state that a mark sets. Absent fields stay. */
export interface MarkedState {
  readonly seen?: boolean;
  readonly read?: boolean;
}

/** Both `read` and `unread` imply seen; `unseen` does not change `read`. */
export const STATE_OF: Record<Mark, MarkedState> = {
  read: { seen: true, read: true },
  unread: { seen: true, read: false },
  seen: { seen: true },
  unseen: { seen: false },
};

export function oppositeOf(mark: Mark): MarkedState {
  return mark === 'read' || mark === 'unread' ? { read: mark === 'unread' } : { seen: mark === 'unseen' };
}

/** The state that the older route sets. Read implies seen unless the caller says otherwise. */
export function legacyState({ seen, read }: { seen?: boolean | null; read?: boolean | null }): MarkedState {
  const impliedSeen = seen ?? (read === true ? true : undefined);
  return {
    ...(impliedSeen !== undefined && { seen: impliedSeen }),
    ...(typeof read === 'boolean' && { read }),
  };
}

/** Matches messages that are not yet in the state; undefined for an empty state. */
export function differsFrom({ seen, read }: MarkedState): { $or: MarkedState[] } | undefined {
  const differences: MarkedState[] = [
    ...(seen === undefined ? [] : [{ seen: !seen }]),
    ...(read === undefined ? [] : [{ read: !read }]),
  ];
  return differences.length === 0 ? undefined : { $or: differences };
}

/**
 * The update that sets the state. It is a pipeline because dates are only set when the state is entered: a message that
 * was already seen keeps the time when it was first seen.
 */
export function enterState({ seen, read }: MarkedState, now: Date): { $set: Record<string, unknown> }[] {
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
      },
    },
  ];
}
