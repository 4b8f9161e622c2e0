import type { DateTime } from 'luxon';
import type { Ordinal, OrdinalValue } from './metadata.schema.js';
import { WEEK_DAYS } from './week-days.js';

const SATURDAY = 6;

/** "The third weekday" or "the last sunday". A month with fewer such days has its last one. */
export function ordinalDay(month: DateTime<true>, ordinal: Ordinal, value: OrdinalValue): number {
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
