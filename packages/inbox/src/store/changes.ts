import { belongsTo } from './list.js';
import type { InboxState } from './state.js';
import type { InboxNotification } from './types.js';

export type ItemChange = 'read' | 'unread' | 'archive' | 'unarchive' | 'unsnooze';
export type Patch = (item: InboxNotification) => InboxNotification;

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
function isUnread(item: InboxNotification): boolean {
  return !item.isRead && !item.isArchived && !item.isSnoozed;
}

/** A change of the whole group for which a notification stands. */
export function ofGroup(patch: Patch): Patch {
  return (item) => {
    const { group, ...after } = patch(item);
    return { ...after, ...(group && { group: { ...group, unreadCount: 0 } }) };
  };
}

/** Unread ones for which a row of the list stands. */
function unreadOf(item: InboxNotification): number {
  return item.group?.unreadCount ?? Number(isUnread(item));
}

/** The group follows the notification that stands for it, unless all of it was changed. @param more what else changed in it */
function withGroup(before: InboxNotification, after: InboxNotification, more: number): InboxNotification {
  const { group } = after;
  if (group === undefined) return after;
  const own = group === before.group ? Number(isUnread(after)) - Number(isUnread(before)) : 0;
  const unreadCount = Math.max(0, group.unreadCount + own + more);
  return unreadCount === group.unreadCount ? after : { ...after, group: { ...group, unreadCount } };
}

/** Each notification of the list and of the open group once. */
export function shownIn({ items, openGroup }: Pick<InboxState, 'items' | 'openGroup'>): InboxNotification[] {
  const listed = new Set(items.map(({ id }) => id));
  return [...items, ...(openGroup?.items ?? []).filter(({ id }) => !listed.has(id))];
}

type Lists = Pick<InboxState, 'view' | 'items' | 'openGroup' | 'unread'>;

/**
 * Applies a change to what is shown. @param patch makes undefined of what is deleted
 * @param onChanged is told of each notification that was changed
 */
export function changeShown(
  { view, items, openGroup, unread: before }: Lists,
  ids: readonly string[],
  patch: (item: InboxNotification) => InboxNotification | undefined,
  onChanged: (item: InboxNotification) => void,
): Omit<Lists, 'view'> {
  const changed = new Set(ids);
  const patched = (item: InboxNotification) => (changed.has(item.id) ? patch(item) : item);
  const belongs = (item: InboxNotification | undefined) => (item && belongsTo(view, item) ? [item] : []);
  // What stands for its group is in both lists.
  const heads = new Set(items.map(({ id }) => id));
  let inGroup = 0;
  const members = openGroup?.items.flatMap((item) => {
    const after = patched(item);
    if (after === item) return [item];
    if (!heads.has(item.id)) inGroup += Number(after !== undefined && isUnread(after)) - Number(isUnread(item));
    if (after) onChanged(after);
    return belongs(after);
  });
  const head = items.find(({ group }) => group !== undefined && group.key === openGroup?.key);
  let unread = head === undefined ? before + inGroup : before;
  const kept = items.flatMap((item) => {
    const made = patched(item);
    const after = made && withGroup(item, made, item === head ? inGroup : 0);
    if (after === item) return [item];
    unread -= after ? unreadOf(item) - unreadOf(after) : Math.min(unreadOf(item), Number(isUnread(item)));
    if (after) onChanged(after);
    return belongs(after);
  });
  return {
    items: kept,
    openGroup: openGroup && members && { ...openGroup, items: members },
    unread: Math.max(0, unread),
  };
}
