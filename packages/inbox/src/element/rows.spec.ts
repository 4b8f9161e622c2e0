import type { InboxNotification } from '../store/index.js';
import { dayNames, type ListRow, rowsOf } from './rows.js';

const NOW = new Date(2026, 10, 29, 12).getTime();
const ago = (days: number): string => new Date(2026, 10, 29 - days, 9).toISOString();

const itemOf = (id: string, more: Partial<InboxNotification> = {}): InboxNotification => ({
  id,
  body: id,
  createdAt: ago(0),
  isRead: false,
  isSeen: false,
  isArchived: false,
  isSnoozed: false,
  tags: [],
  severity: 'none',
  ...more,
});
const byId = (rows: readonly ListRow[]): Map<string, ListRow> => new Map(rows.map((row) => [row.id, row]));
const dayOf = (time: string): string => dayNames('en')(time, NOW);

describe('dayNames', () => {
  it.each([
    ['en', 0, 'Today'],
    ['en', 1, 'Yesterday'],
    ['en', 2, 'Friday'],
    ['en', 6, 'Monday'],
    ['en', 7, 'November 22, 2026'],
    ['en', -1, 'Today'],
    ['de', 0, 'Heute'],
    ['de', 1, 'Gestern'],
    ['fr', 2, 'Vendredi'],
  ])('should say in %s what day it was %s days ago: %s', (language, days, name) => {
    expect(dayNames(language)(ago(days), NOW)).toBe(name);
  });

  it('should go by the calendar, not by hours', () => {
    expect(dayNames('en')(new Date(2026, 10, 28, 23, 59).toISOString(), new Date(2026, 10, 29, 0, 1).getTime())).toBe(
      'Yesterday',
    );
  });
});

describe('rowsOf', () => {
  const items = [itemOf('a'), itemOf('b'), itemOf('c', { createdAt: ago(1) })];

  it('should begin each day with a heading', () => {
    const rows = rowsOf({ items, openGroup: undefined, view: 'inbox' }, dayOf, new Map());
    expect(rows.map(({ day }) => day)).toEqual(['Today', undefined, 'Yesterday']);
  });

  it('should have no days among snoozed messages', () => {
    const rows = rowsOf({ items, openGroup: undefined, view: 'snoozed' }, dayOf, new Map());
    expect(rows.map(({ day }) => day)).toEqual([undefined, undefined, undefined]);
  });

  it('should show the others of an open group below the newest one', () => {
    const head = itemOf('b', { group: { key: 'g', count: 3, unreadCount: 3 } });
    const listed = [itemOf('a'), head, itemOf('c')];
    const openGroup = { key: 'g', items: [head, itemOf('b2'), itemOf('b1', { createdAt: ago(1) })] };
    const rows = rowsOf({ items: listed, openGroup, view: 'inbox' }, dayOf, new Map());
    expect(rows.map(({ id, isMember, isOpen }) => [id, isMember, isOpen])).toEqual([
      ['a', false, false],
      ['b', false, true],
      ['b2', true, false],
      ['b1', true, false],
      ['c', false, false],
    ]);
    expect(rows.map(({ day }) => day)).toEqual(['Today', undefined, undefined, undefined, undefined]);
  });

  it('should keep the rows that look the same, so that they are not drawn anew', () => {
    const before = rowsOf({ items, openGroup: undefined, view: 'inbox' }, dayOf, new Map());
    const after = rowsOf(
      { items: [itemOf('new'), ...items], openGroup: undefined, view: 'inbox' },
      dayOf,
      byId(before),
    );
    expect(after[1]).not.toBe(before[0]);
    expect(after.slice(2)).toEqual(before.slice(1));
    expect(after[2]).toBe(before[1]);
    expect(after[3]).toBe(before[2]);
  });
});
