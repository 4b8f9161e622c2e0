import type { Mark } from './message.enums.js';

/** What a marked message is to be. What is not named stays. */
export interface MarkedState {
  readonly seen?: boolean;
  readonly read?: boolean;
}

/** A read message is a seen one, and so is one that is marked unread; unseen leaves `read` alone. */
export const STATE_OF: Record<Mark, MarkedState> = {
  read: { seen: true, read: true },
  unread: { seen: true, read: false },
  seen: { seen: true },
  unseen: { seen: false },
};

/** The field that a mark is about: 'mark all' touches only messages in the opposite state of it. */
export function oppositeOf(mark: Mark): MarkedState {
  return mark === 'read' || mark === 'unread' ? { read: mark === 'unread' } : { seen: mark === 'unseen' };
}

/** The state that the older route asks for. Reading implies seeing unless the caller says otherwise. */
export function legacyState({ seen, read }: { seen?: boolean | null; read?: boolean | null }): MarkedState {
  const wantsSeen = seen ?? (read === true ? true : undefined);
  return {
    ...(wantsSeen !== undefined && { seen: wantsSeen }),
    ...(typeof read === 'boolean' && { read }),
  };
}

/** Matches messages that are not in the state yet; undefined where nothing is asked for. */
export function differsFrom({ seen, read }: MarkedState): { $or: MarkedState[] } | undefined {
  const differences: MarkedState[] = [
    ...(seen === undefined ? [] : [{ seen: !seen }]),
    ...(read === undefined ? [] : [{ read: !read }]),
  ];
  return differences.length === 0 ? undefined : { $or: differences };
}

/**
 * The update that brings a message into the state, as a pipeline because dates are only set where the state is entered:
 * what was seen before keeps the time when it was first seen.
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
