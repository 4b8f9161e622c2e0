import { inZone, type Local } from './calendar.js';
import { atTimeOf } from './local-time.js';
import { type DayHours, minuteOf, type Week } from './opening-hours.schema.js';
import { WEEK_DAYS } from './week-days.js';

/** The hours of a week in one time zone. */
export interface OpeningHours {
  readonly week: Week;
  /** See `zoneOf`. */
  readonly zone: string;
}

/** Half-open, in milliseconds. */
interface Opening {
  readonly from: number;
  readonly until: number;
}

const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;
/** Every opening of a week, also where a change of the clock has moved one. */
const DAYS_AHEAD = 8;

export function isOpen(hours: OpeningHours, now: Date): boolean {
  return isWithin(openingsOf(hours, inZone(now, hours.zone), -1, 0), now.getTime());
}

/**
 * The first moment from now on at which all of them are open.
 * @returns undefined if there is none in a week
 */
export function nextOpening(all: readonly OpeningHours[], now: Date): Date | undefined {
  const openings = all.map((hours) => openingsOf(hours, inZone(now, hours.zone), -1, DAYS_AHEAD));
  const time = now.getTime();
  const starts = openings.flat().flatMap(({ from }) => (from > time ? [from] : []));
  const meeting = [time, ...starts.sort((a, b) => a - b)].find((at) => openings.every((one) => isWithin(one, at)));
  return meeting === undefined ? undefined : new Date(meeting);
}

function isWithin(openings: readonly Opening[], time: number): boolean {
  return openings.some(({ from, until }) => from <= time && time < until);
}

/** Those that begin on these days, counted from the day of `local`. */
function openingsOf({ week }: OpeningHours, local: Local, first: number, last: number): Opening[] {
  const openings: Opening[] = [];
  for (let offset = first; offset <= last; offset += 1) {
    const day = local.plus({ days: offset }).set({ hour: 12 });
    openings.push(...openingsOfDay(week[WEEK_DAYS[day.weekday - 1] ?? 'monday'], day));
  }
  return openings;
}

function openingsOfDay(of: DayHours | undefined, day: Local): Opening[] {
  if (of?.isEnabled !== true) return [];
  const { hours = [] } = of;
  if (hours.length === 0) return [{ from: instant(day, 0), until: instant(day, MINUTES_OF_DAY) }];
  return hours.map(({ start, end }) => {
    const opens = minuteOf(start) ?? 0;
    const last = minuteOf(end) ?? 0;
    // The minute at which a range ends belongs to it.
    const closes = (last < opens ? last + MINUTES_OF_DAY : last) + 1;
    const from = instant(day, opens);
    const until = instant(day, closes);
    // A range that begins in hours that the clock skips is as long as on other days.
    return { from, until: until > from ? until : from + (closes - opens) * MINUTE_MS };
  });
}

/** @param minute since the start of the day; beyond a day, the day after it */
function instant(day: Local, minute: number): number {
  const rest = minute % MINUTES_OF_DAY;
  const time = `${Math.floor(rest / 60)}:${rest % 60}`;
  return atTimeOf(minute < MINUTES_OF_DAY ? day : day.plus({ days: 1 }), time).toMillis();
}
