import type { DateTime } from 'luxon';
import { DEFAULT_ZONE, inZone, type Local } from './calendar.js';
import { atTimeOf } from './local-time.js';
import type { TimedDigestMetadata, TimedRule, Ordinal, OrdinalValue } from './metadata.schema.js';
import { WEEK_DAYS } from './week-days.js';

/**
 * The first instant after `now` at which a timed digest is due.
 *
 * - minutes, hours: `amount` of them from now; with `atTime`, the next point of the grid that holds that time of today.
 * - days: `atTime` today, otherwise `amount` days later.
 * - weeks: the next of `weekDays` that is left in this week (Monday to Sunday), otherwise the first of them `amount`
 *   weeks later.
 * - months: the next matching day that is left in this month, otherwise the first one `amount` months later. Days that
 *   a month does not have fall on its last day.
 *
 * A time of day that a clock change skips is due as much later as the clock was put forward.
 */
export function nextTimed(metadata: TimedDigestMetadata, now: Date, zone: string = DEFAULT_ZONE): Date {
  const local = inZone(now, zone);
  const { amount, unit, timed = {} } = metadata;
  switch (unit) {
    case 'minutes':
    case 'hours':
      return nextOnGrid(local, amount, unit, timed.atTime).toJSDate();
    case 'days':
      return firstAfter(local, (round) => [local.plus({ days: round * amount })], timed);
    case 'weeks':
      return firstAfter(local, (round) => daysOfWeek(local.plus({ weeks: round * amount }), timed), timed);
    case 'months':
      return firstAfter(local, (round) => daysOfMonth(local.plus({ months: round * amount }), timed), timed);
  }
}

/** Searches this and the next period for a time of day in the future. */
function firstAfter(now: Local, daysOf: (round: number) => readonly Local[], timed: TimedRule): Date {
  for (let round = 0; round <= 2; round += 1) {
    const times = daysOf(round).map((day) => atTimeOf(day, timed.atTime).toMillis());
    const due = times.sort((a, b) => a - b).find((time) => time > now.toMillis());
    if (due !== undefined) return new Date(due);
  }
  throw new RangeError('A timed digest needs days to be due on; validate its metadata before it is saved.');
}

function nextOnGrid(now: Local, amount: number, unit: 'minutes' | 'hours', atTime: string | undefined): Local {
  if (!atTime) return now.plus({ [unit]: amount });
  const anchor = atTimeOf(now, atTime);
  const step = amount * (unit === 'hours' ? 3_600_000 : 60_000);
  const steps = Math.floor((now.toMillis() - anchor.toMillis()) / step) + 1;
  return anchor.plus({ milliseconds: steps * step });
}

function daysOfWeek(week: Local, { weekDays = [] }: TimedRule): Local[] {
  const monday = week.minus({ days: week.weekday - 1 });
  return weekDays.map((day) => monday.plus({ days: WEEK_DAYS.indexOf(day) }));
}

function daysOfMonth(month: Local, { monthlyType, monthDays = [], ordinal, ordinalValue }: TimedRule): Local[] {
  if (monthlyType === 'on') {
    return ordinal && ordinalValue ? [month.set({ day: ordinalDay(month, ordinal, ordinalValue) })] : [];
  }
  return monthDays.map((day) => month.set({ day: Math.min(day, month.daysInMonth) }));
}

const SATURDAY = 6;

/** "The third weekday" or "the last sunday". A month with fewer such days has its last one. */
function ordinalDay(month: DateTime<true>, ordinal: Ordinal, value: OrdinalValue): number {
  const first = month.set({ day: 1 }).weekday;
  const days = Array.from({ length: month.daysInMonth }, (_, index) => index + 1).filter((day) =>
    isKind(((first + day - 2) % 7) + 1, value),
  );
  const position = ordinal === 'last' ? days.length : Math.min(Number(ordinal), days.length);
  return days[position - 1] ?? month.daysInMonth;
}

/** @param weekday from 1, Monday */
function isKind(weekday: number, value: OrdinalValue): boolean {
  switch (value) {
    case 'day':
      return true;
    case 'weekday':
      return weekday < SATURDAY;
    case 'weekend':
      return weekday >= SATURDAY;
    default:
      return WEEK_DAYS[weekday - 1] === value;
  }
}
