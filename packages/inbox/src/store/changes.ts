import type { InboxNotification } from './types.js';

export type ItemChange = 'read' | 'unread' | 'archive' | 'unarchive' | 'unsnooze';
type Patch = (item: InboxNotification) => InboxNotification;

const READ = { isRead: true, isSeen: true } as const;

/** What the server makes of a notification, shown before it has answered. */
export const PATCHES: Readonly<Record<ItemChange, Patch>> = {
  read: (item) => ({ ...item, ...READ }),
  unread: (item) => ({ ...item, isRead: false, isArchived: false }),
  archive: (item) => ({ ...item, ...READ, isArchived: true }),
  unarchive: (item) => ({ ...item, isArchived: false }),
  unsnooze: ({ snoozedUntil: _ended, ...item }) => ({ ...item, isSnoozed: false, isRead: false }),
};

export function snoozed(snoozedUntil: string): Patch {
  return (item) => ({ ...item, isArchived: false, isSnoozed: true, snoozedUntil });
}

export function completed(actionType: 'primary' | 'secondary'): Patch {
  const name = `${actionType}Action` as const;
  return (item) => {
    const action = item[name];
    return { ...item, ...READ, ...(action && { [name]: { ...action, isCompleted: true } }) };
  };
}

/** Counted by the badge. */
export function isUnread(item: InboxNotification | undefined): boolean {
  return item !== undefined && !item.isRead && !item.isArchived && !item.isSnoozed;
}
