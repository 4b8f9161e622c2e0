import { DateTime, IANAZone } from 'luxon';
import { canonicalZone } from '#libs/validation';
import type { TimeUnit } from './metadata.schema.js';

export type Local = DateTime<true>;

export const DEFAULT_ZONE = 'UTC';

export const SUBSCRIBER_ZONE = 'subscriber';

/** An IANA name, such as `Europe/Berlin`. */
export function isZone(name: string): boolean {
  return IANAZone.isValidZone(name);
}

/** @param ofSubscriber an unknown zone counts as absent */
export function zoneOf({ timezone }: { readonly timezone?: string }, ofSubscriber?: string): string {
  const zone = timezone === SUBSCRIBER_ZONE ? ofSubscriber : timezone;
  return (zone === undefined ? undefined : canonicalZone(zone)) ?? DEFAULT_ZONE;
}

/** @throws {RangeError} for an unknown time zone */
export function inZone(date: Date, zone: string): DateTime<true> {
  const local = DateTime.fromJSDate(date, { zone });
  if (!local.isValid) throw new RangeError(`"${zone}" is not a time zone, or the date is not valid`);
  return local;
}

/**
 * Seconds, minutes and hours are exact; days, weeks and months keep the time of day in the zone. A day that the target
 * month lacks becomes its last day. Negative amounts subtract.
 */
export function addUnits(date: Date, amount: number, unit: TimeUnit, zone: string = DEFAULT_ZONE): Date {
  return inZone(date, zone)
    .plus({ [unit]: amount })
    .toJSDate();
}

/** A time that the day does not have is as much later as the clock was put forward; of a time that it has twice, the first. */
export function atTimeOf(day: Local, atTime = '00:00'): Local {
  const [hour = 0, minute = 0, second = 0] = atTime.split(':').map(Number);
  const time = day.set({ hour, minute, second, millisecond: 0 });
  return time.getPossibleOffsets().reduce((first, other) => (other < first ? other : first), time);
}
