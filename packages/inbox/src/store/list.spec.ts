import { belongsTo, type Listed, mergeGroup, mergePage } from './list.js';
import type { InboxNotification } from './types.js';

const START = Date.UTC(2026, 0, 1);
const never = (): boolean => false;

/** @param number also its time: a higher one is newer */
function item(number: number, more: Partial<InboxNotification> = {}): InboxNotification {
  return {
    id: String(number).padStart(4, '0'),
    body: '',
    createdAt: new Date(START + number * 1_000).toISOString(),
    isRead: false,
    isSeen: false,
    isArchived: false,
    isSnoozed: false,
    tags: [],
    severity: 'none',
    ...more,
  };
}

const items = (...numbers: number[]): InboxNotification[] => numbers.map((number) => item(number));
const numbersOf = (list: Listed): number[] => list.items.map(({ id }) => Number(id));

describe('mergeGroup', () => {
  const key = 'g';

  it('should take what was read, and keep what has not changed as it is', () => {
    const items = [item(2), item(1)];
    const merged = mergeGroup({ key, items }, [item(3), item(2)], never);
    expect(merged?.items.map(({ id }) => Number(id))).toEqual([3, 2]);
    expect(merged?.items[1]).toBe(items[0]);
    expect(mergeGroup({ key, items }, [], never)).toBeUndefined();
  });

  it('should keep what was changed here meanwhile, also that it is gone', () => {
    const items = [item(2, { isRead: true })];
    const merged = mergeGroup({ key, items }, [item(3), item(2), item(1)], (id) => id !== '0003');
    expect(merged?.items).toEqual([item(3), items[0]]);
  });
});

describe('mergePage', () => {
  it('should show a group once, where its newest message is', () => {
    const group = { key: 'g', count: 2, unreadCount: 2 };
    const before: Listed = { items: [item(9), item(5, { group }), item(4)], hasMore: true };
    const newest = item(10, { group: { ...group, count: 3 } });
    const page = { data: [newest, item(9)], hasMore: true };
    expect(numbersOf(mergePage(before, page, undefined, never))).toEqual([10, 9, 4]);
    const older = { items: [item(9, { group }), item(8)], hasMore: true };
    const more = { data: [item(7, { group })], hasMore: false };
    expect(numbersOf(mergePage(older, more, older.items[1], never))).toEqual([8, 7]);
  });

  const known: Listed = { items: items(9, 8, 7, 6), hasMore: true };

  it('should put new notifications on top, and keep what the page does not reach', () => {
    const merged = mergePage(known, { data: items(11, 10, 9, 8), hasMore: true }, undefined, never);
    expect(numbersOf(merged)).toEqual([11, 10, 9, 8, 7, 6]);
    expect(merged.hasMore).toBe(true);
    expect(merged.items[2]).toBe(known.items[0]);
  });

  it('should remove what the server no longer lists, and put in between what it does', () => {
    const merged = mergePage(known, { data: items(9, 7), hasMore: true }, undefined, never);
    expect(numbersOf(merged)).toEqual([9, 7, 6]);
    const between = { ...known, items: items(9, 6) };
    expect(numbersOf(mergePage(between, { data: items(9, 8, 6), hasMore: true }, undefined, never))).toEqual([9, 8, 6]);
  });

  it('should end where the server does', () => {
    const merged = mergePage(known, { data: items(9, 8), hasMore: false }, undefined, never);
    expect(merged).toEqual({ items: items(9, 8), hasMore: false });
  });

  it('should append a page after the last one', () => {
    const merged = mergePage(known, { data: items(5, 4), hasMore: false }, known.items[3], never);
    expect(merged).toEqual({ items: items(9, 8, 7, 6, 5, 4), hasMore: false });
  });

  it('should begin anew instead of leaving a gap', () => {
    const merged = mergePage(known, { data: items(40, 39), hasMore: true }, undefined, never);
    expect(merged).toEqual({ items: items(40, 39), hasMore: true });
  });

  it('should keep what was changed here since the page was asked for', () => {
    const read = item(8, { isRead: true });
    const changed = new Set(['0008', '0007']);
    // 7 was archived here, so it is not in the list.
    const list = { items: [item(9), read, item(6)], hasMore: true };
    const merged = mergePage(list, { data: items(9, 8, 7, 6), hasMore: true }, undefined, (id) => changed.has(id));
    expect(numbersOf(merged)).toEqual([9, 8, 6]);
    expect(merged.items[1]).toBe(read);
  });

  it('should order notifications of one millisecond as the server does, by their ids', () => {
    const { createdAt } = item(5);
    const same = [item(3, { createdAt }), item(2, { createdAt }), item(1, { createdAt })];
    const list = { items: same.slice(0, 1), hasMore: true };
    expect(numbersOf(mergePage(list, { data: same.slice(1), hasMore: false }, same[0], never))).toEqual([3, 2, 1]);
  });
});

describe('belongsTo', () => {
  it.each([
    ['inbox', {}, true],
    ['inbox', { isRead: true }, true],
    ['inbox', { isArchived: true }, false],
    ['inbox', { isSnoozed: true }, false],
    ['unread', {}, true],
    ['unread', { isRead: true }, false],
    ['archived', { isArchived: true, isRead: true }, true],
    ['archived', {}, false],
    ['snoozed', { isSnoozed: true }, true],
    ['snoozed', {}, false],
  ] as const)('should know of %s whether %j stays: %s', (view, state, expected) => {
    expect(belongsTo(view, item(1, state))).toBe(expected);
  });
});
