import { inZone } from './calendar.js';
import { atTimeOf } from './local-time.js';

/** Half-open. */
export interface Day {
  readonly from: Date;
  readonly until: Date;
}

/** The calendar day of a moment in a time zone. @param zone see `zoneOf` */
export function dayOf(now: Date, zone: string): Day {
  const local = inZone(now, zone);
  // Noon exists on every day, also where midnight is skipped.
  const noon = local.set({ hour: 12, minute: 0, second: 0, millisecond: 0 });
  return { from: atTimeOf(noon).toJSDate(), until: atTimeOf(noon.plus({ days: 1 })).toJSDate() };
}
