import { DateTime, IANAZone } from 'luxon';
import { canonicalZone } from '#libs/validation';

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
