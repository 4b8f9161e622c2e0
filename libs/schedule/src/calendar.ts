import { DateTime } from 'luxon';
import type { TimeUnit } from './metadata.schema.js';

export const DEFAULT_ZONE = 'UTC';

/** The instant as seen in a time zone; throws a RangeError for a zone that does not exist. */
export function inZone(date: Date, zone: string): DateTime<true> {
  const local = DateTime.fromJSDate(date, { zone });
  if (!local.isValid) throw new RangeError(`"${zone}" is not a time zone, or the date is not valid`);
  return local;
}

/**
 * Adds a span to an instant. Seconds, minutes and hours are exact time; days, weeks and months keep the time of day in
 * the zone, and a day that the target month does not have becomes its last one (31 January plus a month is 28 or
 * 29 February). Negative amounts go back.
 */
export function addUnits(date: Date, amount: number, unit: TimeUnit, zone: string = DEFAULT_ZONE): Date {
  return inZone(date, zone)
    .plus({ [unit]: amount })
    .toJSDate();
}
