import type { InboxNotification, InboxState } from '../store/index.js';

/** A row of the list. It is the same object as long as it looks the same. */
export interface ListRow {
  readonly id: string;
  readonly item: InboxNotification;
  /** The heading above it, where a day begins. */
  readonly day: string | undefined;
  /** A message of an open group, below the one that stands for it. */
  readonly isMember: boolean;
  /** It stands for a group that is open. */
  readonly isOpen: boolean;
}

type Listed = Pick<InboxState, 'items' | 'openGroup' | 'view'>;

/** The rows of a list in their order. @param known those that are shown, by their ids */
export function rowsOf(
  { items, openGroup, view }: Listed,
  dayOf: (createdAt: string) => string,
  known: ReadonlyMap<string, ListRow>,
): ListRow[] {
  let day: string | undefined;
  return items
    .flatMap((item): ListRow[] => {
      const isOpen = item.group !== undefined && item.group.key === openGroup?.key;
      // What is snoozed is not in the order of the days on which it appears again.
      const own = view === 'snoozed' ? undefined : dayOf(item.createdAt);
      const head = { id: item.id, item, day: own === day ? undefined : own, isMember: false, isOpen };
      day = own;
      const members = isOpen ? openGroup.items.filter(({ id }) => id !== item.id) : [];
      return [
        head,
        ...members.map((one) => ({ id: one.id, item: one, day: undefined, isMember: true, isOpen: false })),
      ];
    })
    .map((row) => {
      const before = known.get(row.id);
      const isSame =
        before?.item === row.item &&
        before.day === row.day &&
        before.isMember === row.isMember &&
        before.isOpen === row.isOpen;
      return isSame ? before : row;
    });
}

const DAY_MS = 86_400_000;
const A_WEEK = 7;

interface Formats {
  readonly relative: Intl.RelativeTimeFormat;
  readonly weekday: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;
}

/** How days are called in a language: today, yesterday, the day of the week, or the date. */
export function dayNames(language: string): (time: string, now?: number) => string {
  const formats: Formats = {
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    weekday: new Intl.DateTimeFormat(language, { weekday: 'long' }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'long' }),
  };
  return (time, now = Date.now()) => nameOf(new Date(time), new Date(now), formats, language);
}

function nameOf(date: Date, now: Date, { relative, weekday, date: long }: Formats, language: string): string {
  const ago = Math.round((midnightOf(now) - midnightOf(date)) / DAY_MS);
  const name = ago <= 1 ? relative.format(ago <= 0 ? 0 : -1, 'day') : ago < A_WEEK ? weekday.format(date) : undefined;
  if (name === undefined) return long.format(date);
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(language) + rest.join('');
}

function midnightOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
