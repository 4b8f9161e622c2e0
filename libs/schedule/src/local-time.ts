import { DateTime } from 'luxon';
import { DEFAULT_ZONE, inZone, type Local } from './calendar.js';
import type { TimeUnit } from './metadata.schema.js';

/** A time without a zone, as text. */
export const LOCAL_TIME = "yyyy-MM-dd'T'HH:mm:ss";

/** A text with a time and an offset from UTC, which make it the same everywhere. */
const HAS_OFFSET = /t[\d:.,]+(?:z|[+-]\d\d(?::?\d\d)?)(?:\[[^\]]*\])?$/i;

/**
 * Of a time that occurs twice, the first one; one that does not exist has moved by as much as the clock was put forward. Luxon takes
 * either of two, depending on the time of year. No other code makes an instant of a local time.
 */
function firstOf(local: Local): Local {
  return local.getPossibleOffsets().reduce((first, other) => (other < first ? other : first), local);
}

/** A time of a day. @param atTime hours, minutes and seconds */
export function atTimeOf(day: Local, atTime = '00:00'): Local {
  const [hour = 0, minute = 0, second = 0] = atTime.split(':').map(Number);
  return firstOf(day.set({ hour, minute, second, millisecond: 0 }));
}

const EXACT: ReadonlySet<TimeUnit> = new Set(['seconds', 'minutes', 'hours']);

/**
 * Seconds, minutes and hours are exact; days, weeks and months keep the time of day in the zone. A day that the target
 * month lacks becomes its last day. Negative amounts subtract.
 */
export function addUnits(date: Date, amount: number, unit: TimeUnit, zone: string = DEFAULT_ZONE): Date {
  const sum = inZone(date, zone).plus({ [unit]: amount });
  return (EXACT.has(unit) || amount === 0 ? sum : firstOf(sum)).toJSDate();
}

/** Of a text in ISO 8601. @param zone of a text without an offset @returns an invalid date for another text */
export function momentOf(text: string, zone: string): Date {
  const time = DateTime.fromISO(text, { zone, setZone: true });
  if (!time.isValid) return new Date(Number.NaN);
  return (hasZone(text) ? time : firstOf(time)).toJSDate();
}

export function isMoment(text: string): boolean {
  return !Number.isNaN(momentOf(text, 'UTC').getTime());
}

/** Whether a moment is the same everywhere. */
export function hasZone(text: string): boolean {
  return HAS_OFFSET.test(text);
}

/** Every moment at which the clock of a zone shows a time: none, one or two. */
export function everyMomentOf(localTime: string, zone: string): number[] {
  const time = DateTime.fromISO(localTime, { zone });
  if (!time.isValid || time.toFormat(LOCAL_TIME) !== localTime) return [];
  return time.getPossibleOffsets().map((one) => one.toMillis());
}
