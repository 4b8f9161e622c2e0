import { DateTime } from 'luxon';
import type { TimeUnit } from './metadata.schema.js';

export const DEFAULT_ZONE = 'UTC';

/** @throws {RangeError} for an unknown time zone */
export function inZone(date: Date, zone: string): DateTime<true> {
  const local = DateTime.fromJSDate(date, { zone });
  if (!local.isValid) throw new RangeError(`"${zone}" is not a time zone, or the date is not valid`);
  return local;
}

/**
 * Adds a span to an instant. Seconds, minutes and hours are exact; days, weeks and months keep the time of day in the
 * zone. A day that the target month lacks becomes its last day. Negative amounts subtract.
 */
export function addUnits(date: Date, amount: number, unit: TimeUnit, zone: string = DEFAULT_ZONE): Date {
  return inZone(date, zone)
    .plus({ [unit]: amount })
    .toJSDate();
}
