import { CronExpressionParser } from 'cron-parser';
import { DateTime } from 'luxon';
import { atTimeOf, inZone, type Local } from './calendar.js';
import type { Recurrence } from './recurrence.schema.js';
import { WEEK_DAYS } from './week-days.js';

export interface Occurrences {
  /** Absent: once, at `startAt`. */
  readonly rule?: Recurrence;
  readonly zone: string;
  /** Intervals are counted from here, and nothing occurs before. */
  readonly startAt: Date;
  /** The last moment at which something occurs. */
  readonly endAt?: Date;
}

/**
 * Where the day begins first. There, the clock is never changed, so the time of day of an occurrence that is meant for the zone
 * of each subscriber can be read from its instant.
 */
export const EARLIEST_ZONE = 'Etc/GMT-14';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Times of day that the change of a clock moves are found again from here. */
const BACK_MS = 3 * HOUR_MS;
/** A cron rule that has no time in so many steps has none. */
const MAX_STEPS = 1_000;

/** The first occurrence after a moment. Times of day follow the clock of the zone; hours are exact. */
export function nextOccurrence(of: Occurrences, after: Date): Date | undefined {
  const { rule, startAt, endAt } = of;
  // What starts at a moment can occur at that moment.
  const from = after < startAt ? new Date(startAt.getTime() - 1) : after;
  const next = rule === undefined ? startAt : nextOf(rule, of, from);
  if (next === undefined || next <= from || (endAt !== undefined && next > endAt)) return undefined;
  return next;
}

/** The next ones, in order. */
export function nextOccurrences(of: Occurrences, after: Date, count: number): Date[] {
  const found: Date[] = [];
  let next = nextOccurrence(of, after);
  while (next !== undefined && found.length < count) {
    found.push(next);
    next = nextOccurrence(of, next);
  }
  return found;
}

/** The time of day of an occurrence in the earliest zone, without a zone: `2026-11-30T09:00:00`. */
export function localTimeOf(occurrence: Date): string {
  return inZone(occurrence, EARLIEST_ZONE).toFormat("yyyy-MM-dd'T'HH:mm:ss");
}

/** When a time without a zone comes in one. */
export function instantOf(localTime: string, zone: string): Date {
  const day = DateTime.fromISO(localTime, { zone: 'UTC' });
  const [, time = '00:00:00'] = localTime.split('T');
  const local = inZone(new Date(Date.UTC(day.year, day.month - 1, day.day, 12)), 'UTC');
  return atTimeOf(local.setZone(zone, { keepLocalTime: true }) as Local, time).toJSDate();
}

function nextOf(rule: Recurrence, of: Occurrences, after: Date): Date | undefined {
  const { frequency, cron, minute } = rule;
  if (typeof cron === 'string') return nextCron(cron, after, of.zone);
  const anchor = inZone(of.startAt, of.zone);
  const every = rule.interval ?? 1;
  if (frequency === 'hourly') {
    const first = anchor
      .startOf('hour')
      .plus({ minutes: minute ?? 0 })
      .toMillis();
    const step = every * HOUR_MS;
    return new Date(first + (Math.floor((after.getTime() - first) / step) + 1) * step);
  }
  const now = inZone(after, of.zone);
  for (let period = firstPeriod(rule, anchor, now, every); ; period += 1) {
    const times = daysOf(rule, anchor, Math.max(0, period) * every).map((day) =>
      atTimeOf(day, timeOf(rule)).toMillis(),
    );
    const next = times.sort((a, b) => a - b).find((time) => time > after.getTime());
    if (next !== undefined) return new Date(next);
  }
}

/** The period of `now`, or one before it. */
function firstPeriod({ frequency }: Recurrence, anchor: Local, now: Local, every: number): number {
  const days = dayNumber(now) - dayNumber(anchor);
  const months = (now.year - anchor.year) * 12 + now.month - anchor.month;
  const units = frequency === 'monthly' ? months : frequency === 'weekly' ? days / 7 : days;
  return Math.floor(units / every) - 1;
}

/** @param units days, weeks or months after the anchor */
function daysOf({ frequency, days, dayOfMonth }: Recurrence, anchor: Local, units: number): Local[] {
  const noon = anchor.set({ hour: 12 });
  if (frequency === 'daily') return [noon.plus({ days: units })];
  if (frequency === 'weekly') {
    const monday = noon.minus({ days: noon.weekday - 1 }).plus({ weeks: units });
    const chosen = days ?? [WEEK_DAYS[anchor.weekday - 1] ?? 'monday'];
    return chosen.map((day) => monday.plus({ days: WEEK_DAYS.indexOf(day) }));
  }
  const month = noon.set({ day: 1 }).plus({ months: units });
  return [month.set({ day: Math.min(dayOfMonth ?? anchor.day, month.daysInMonth) })];
}

function timeOf({ hour, minute }: Recurrence): string {
  return `${hour ?? 0}:${minute ?? 0}`;
}

function dayNumber({ year, month, day }: Local): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/**
 * Rules with times of day are read as if there were no clock changes, and each time is then looked up in the zone. Rules
 * for every hour follow the hours that pass.
 */
function nextCron(cron: string, after: Date, zone: string): Date | undefined {
  const [, hours = '*'] = cron.trim().split(/\s+/);
  if (hours.includes('*')) {
    const rule = CronExpressionParser.parse(cron, { currentDate: after, tz: zone });
    return rule.hasNext() ? rule.next().toDate() : undefined;
  }
  const local = inZone(after, zone).setZone('UTC', { keepLocalTime: true }).toMillis();
  const rule = CronExpressionParser.parse(cron, { currentDate: new Date(local - BACK_MS), tz: 'UTC' });
  for (let step = 0; step < MAX_STEPS && rule.hasNext(); step += 1) {
    const time = rule.next().toDate().toISOString().slice(0, 19);
    const instant = instantOf(time, zone);
    if (instant > after) return instant;
  }
  return undefined;
}
