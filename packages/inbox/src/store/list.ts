import type { OpenGroup } from './state.js';
import type { InboxNotification, InboxView } from './types.js';

/** The beginning of what the server lists, newest first, without gaps. */
export interface Listed {
  readonly items: readonly InboxNotification[];
  /** There are older ones. */
  readonly hasMore: boolean;
}

/** As the server sorts. */
function isBefore(one: InboxNotification, other: InboxNotification): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

/**
 * Puts a page in the place of everything that it covers: from `after`, or the top, to its last notification.
 * @param isChanged a notification that was changed here since the page was asked for; it stays as it is here
 */
export function mergePage(
  { items, hasMore }: Listed,
  page: { readonly data: readonly InboxNotification[]; readonly hasMore: boolean },
  after: InboxNotification | undefined,
  isChanged: (id: string) => boolean,
): Listed {
  const last = page.data.at(-1);
  const known = new Map(items.map((item) => [item.id, item]));
  const isAbove = (item: InboxNotification): boolean => after !== undefined && !isBefore(after, item);
  const isBelow = (item: InboxNotification): boolean => page.hasMore && last !== undefined && isBefore(last, item);
  const covered = items.filter((item) => !isAbove(item) && !isBelow(item) && isChanged(item.id));
  const read = page.data.flatMap((item) => (isChanged(item.id) ? [] : [sameOr(known.get(item.id), item)]));
  const middle = [...read, ...covered].sort((one, other) => (isBefore(one, other) ? -1 : 1));
  // A newer one stands for its group now.
  const groups = new Map(middle.flatMap(({ id, group }) => (group ? [[group.key, id] as const] : [])));
  const isOfOther = ({ id, group }: InboxNotification): boolean =>
    group !== undefined && (groups.get(group.key) ?? id) !== id;
  const first = items[0];
  // A page from the top that ends above all that is known leaves a gap, so what is below it is read again.
  const hasGap = after === undefined && first !== undefined && isBelow(first);
  const below = hasGap ? [] : items.filter((item) => !isAbove(item) && isBelow(item) && !isOfOther(item));
  return {
    items: [...items.filter((item) => isAbove(item) && !isOfOther(item)), ...middle, ...below],
    hasMore: page.hasMore && (below.length === 0 || hasMore),
  };
}

/** The notifications of an open group, as they were read. @param isChanged as for {@link mergePage} */
export function mergeGroup(
  { key, items }: OpenGroup,
  read: readonly InboxNotification[],
  isChanged: (id: string) => boolean,
): OpenGroup | undefined {
  const known = new Map(items.map((item) => [item.id, item]));
  const merged = read.flatMap((item) => {
    const here = known.get(item.id);
    return isChanged(item.id) ? (here ?? []) : [sameOr(here, item)];
  });
  return merged.length === 0 ? undefined : { key, items: merged };
}

/** The known object if nothing has changed, so that what was drawn of it can stay. */
function sameOr(known: InboxNotification | undefined, read: InboxNotification): InboxNotification {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(read) ? known : read;
}

/** Whether a notification that was changed stays in the list. */
export function belongsTo(view: InboxView, { isArchived, isSnoozed, isRead }: InboxNotification): boolean {
  if (isSnoozed !== (view === 'snoozed')) return false;
  return view === 'snoozed' || (isArchived === (view === 'archived') && !(view === 'unread' && isRead));
}
