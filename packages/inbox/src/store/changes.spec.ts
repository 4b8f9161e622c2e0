import { changeShown, ofGroup, PATCHES, shownIn } from './changes.js';
import type { InboxNotification } from './types.js';

const itemOf = (id: string, more: Partial<InboxNotification> = {}): InboxNotification => ({
  id,
  body: '',
  createdAt: '2026-11-29T00:00:00.000Z',
  isRead: false,
  isSeen: false,
  isArchived: false,
  isSnoozed: false,
  tags: [],
  severity: 'none',
  ...more,
});
const head = itemOf('b', { group: { key: 'g', count: 3, unreadCount: 3 } });
const LISTS = {
  view: 'inbox',
  items: [itemOf('a'), head],
  openGroup: { key: 'g', items: [head, itemOf('b2'), itemOf('b1')] },
  unread: 4,
} as const;

describe('changeShown', () => {
  const changed = (ids: string[], change: 'read' | 'archive', whole = false) => {
    const told: string[] = [];
    const patch = whole ? ofGroup(PATCHES[change]) : PATCHES[change];
    const after = changeShown(LISTS, ids, patch, ({ id }) => told.push(id));
    return { ...after, told, groupUnread: after.items.find(({ id }) => id === 'b')?.group?.unreadCount };
  };

  it('should count the newest message of a group once, though it is in both lists', () => {
    expect(changed(['b'], 'read')).toMatchObject({ unread: 3, groupUnread: 2, told: ['b', 'b'] });
  });

  it('should change a member of an open group', () => {
    const { openGroup, unread, groupUnread } = changed(['b1'], 'archive');
    expect([openGroup?.items.map(({ id }) => id), unread, groupUnread]).toEqual([['b', 'b2'], 3, 2]);
  });

  it('should count all of a group that is marked', () => {
    expect(changed(['b', 'b2', 'b1'], 'read', true)).toMatchObject({ unread: 1, groupUnread: 0 });
    expect(changeShown({ ...LISTS, openGroup: undefined }, ['b'], ofGroup(PATCHES.archive), () => undefined)).toEqual({
      items: [LISTS.items[0]],
      openGroup: undefined,
      unread: 1,
    });
  });

  it('should count what is deleted as one message', () => {
    expect(
      changeShown(
        LISTS,
        ['b'],
        () => undefined,
        () => undefined,
      ).unread,
    ).toBe(3);
  });
});

describe('shownIn', () => {
  it('should have each notification once', () => {
    expect(shownIn(LISTS).map(({ id }) => id)).toEqual(['a', 'b', 'b2', 'b1']);
  });
});
