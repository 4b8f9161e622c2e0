import { inZone, type Local } from './calendar.js';
import { hasTimeOfDay as hasCronTimeOfDay, timesOfCron } from './cron.js';
import { atTimeOf, everyMomentOf, LOCAL_TIME, momentOf } from './local-time.js';
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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** So near to it, a change of the clock moves times of day. */
const NEAR_MS = 3 * HOUR_MS;

/** The first occurrence after a moment. Times of day follow the clock of the zone; hours are exact. */
export function nextOccurrence(of: Occurrences, after: Date): Date | undefined {
  const { rule, startAt, endAt } = of;
  // What starts at a moment can occur at that moment.
  const from = after < startAt ? new Date(startAt.getTime() - 1) : after;
  const next = rule === undefined ? startAt : nextOf(rule, of, from);
  if (next === undefined || next <= from || (endAt !== undefined && next > endAt)) return undefined;
  return next;
}

/** Whether a rule names times of day; the others name times of the hour. */
export function hasTimeOfDay({ frequency, cron }: Recurrence): boolean {
  return typeof cron === 'string' ? hasCronTimeOfDay(cron) : frequency !== 'hourly';
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
  return inZone(occurrence, EARLIEST_ZONE).toFormat(LOCAL_TIME);
}

function nextOf(rule: Recurrence, of: Occurrences, after: Date): Date | undefined {
  const { frequency, cron } = rule;
  if (typeof cron === 'string') return nextCron(cron, after, of.zone);
  if (frequency === 'hourly') return nextHour(rule, of, after);
  const anchor = inZone(of.startAt, of.zone);
  const every = rule.interval ?? 1;
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

/** Hours are counted as they pass, each from the first moment at which the clock shows the minute. */
function nextHour({ interval, minute }: Recurrence, { startAt, zone }: Occurrences, after: Date): Date {
  const first = inZone(startAt, zone).startOf('hour').toMillis();
  const step = (interval ?? 1) * HOUR_MS;
  for (let count = Math.floor((after.getTime() - first) / step) - 1; ; count += 1) {
    const next = atMinute(first + Math.max(0, count) * step, minute ?? 0, zone);
    if (next > after.getTime()) return new Date(next);
  }
}

/** Where clocks change by half an hour, the minute has to be looked for again. */
function atMinute(hour: number, minute: number, zone: string): number {
  let at = hour;
  for (let tries = 0; tries < 3; tries += 1) {
    const local = inZone(new Date(at), zone);
    const shown = local.minute * MINUTE_MS + local.second * 1_000 + local.millisecond;
    const wait = (minute * MINUTE_MS - shown + HOUR_MS) % HOUR_MS;
    if (wait === 0) break;
    at += wait;
  }
  return at;
}

/**
 * Cron is read as if there were no changes of the clock, and each time is then looked up in the zone. Near a change, a later time may
 * come first.
 */
function nextCron(cron: string, after: Date, zone: string): Date | undefined {
  const isOfDay = hasCronTimeOfDay(cron);
  const offsetAt = (ms: number): number => inZone(new Date(ms), zone).offset * MINUTE_MS;
  const isNearChange = offsetAt(after.getTime() - NEAR_MS) !== offsetAt(after.getTime() + NEAR_MS);
  const from = after.getTime() + offsetAt(after.getTime()) - (isNearChange ? NEAR_MS : 0);
  let best: number | undefined;
  let until: number | undefined;
  for (const time of timesOfCron(cron, new Date(from))) {
    if (until !== undefined && time.getTime() > until) break;
    const local = time.toISOString().slice(0, 19);
    const found = isOfDay ? [momentOf(local, zone).getTime()] : everyMomentOf(local, zone);
    for (const instant of found)
      if (instant > after.getTime() && (best === undefined || instant < best)) best = instant;
    if (best !== undefined) {
      if (offsetAt(best - NEAR_MS) === offsetAt(best + NEAR_MS)) break;
      until ??= best + offsetAt(best) + NEAR_MS;
    }
  }
  return best === undefined ? undefined : new Date(best);
}
