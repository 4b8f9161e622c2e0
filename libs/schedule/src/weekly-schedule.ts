import { z } from 'zod';
import { described, flag, list, named, object } from '#libs/validation';
import { DEFAULT_ZONE, inZone } from './calendar.js';
import { WEEK_DAYS } from './metadata.schema.js';

const TIME = /^(\d{1,2}):([0-5]\d)(?: ?([AP]M))?$/i;
const MAX_RANGES = 20;
const MINUTES_OF_DAY = 1_440;

const time = described(
  z.string({ error: 'must be a time such as 09:00 AM' }).refine((text) => minuteOfDay(text) !== undefined, {
    error: 'must be a time such as 09:00 AM',
  }),
  { description: 'Time of day, of 12 or 24 hours.', example: '09:00 AM' },
);
const range = object({ start: time, end: time });
const day = named(
  'DayScheduleDto',
  object({
    isEnabled: described(flag(), { description: 'Whether messages are sent on this day.' }),
    hours: described(
      list(range, { max: MAX_RANGES, error: `must be a list of at most ${MAX_RANGES} ranges` }).optional(),
      {
        description:
          'When on this day; the whole day if absent or empty. A range that ends before it starts ends on the next day.',
      },
    ),
  }),
  'One day of the week.',
);
const days = Object.fromEntries(WEEK_DAYS.map((name) => [name, day.optional()])) as Record<
  (typeof WEEK_DAYS)[number],
  z.ZodOptional<typeof day>
>;

/** Does not apply to the Inbox. */
export const weeklySchedule = named(
  'SubscriberSchedule',
  object({
    isEnabled: described(flag(), { description: 'Whether the schedule applies.' }),
    weeklySchedule: described(object(days).optional(), { description: 'Days that are absent are disabled.' }),
  }),
);
export type WeeklySchedule = z.infer<typeof weeklySchedule>;

/** @param zone an unknown one counts as UTC */
export function isWithinSchedule(
  { isEnabled, weeklySchedule: week }: WeeklySchedule,
  now: Date,
  zone?: string,
): boolean {
  if (!isEnabled || week === undefined) return true;
  const local = localTime(now, zone);
  const today = week[WEEK_DAYS[local.weekday - 1] ?? 'monday'];
  const yesterday = week[WEEK_DAYS[(local.weekday + 5) % 7] ?? 'sunday'];
  return covers(today, local.minute) || covers(yesterday, local.minute + MINUTES_OF_DAY);
}

/** @param minute since the start of the day; beyond a day, the day after it */
function covers(of: z.infer<typeof day> | undefined, minute: number): boolean {
  if (of?.isEnabled !== true) return false;
  const { hours = [] } = of;
  if (hours.length === 0) return minute < MINUTES_OF_DAY;
  return hours.some(({ start, end }) => {
    const from = minuteOfDay(start) ?? 0;
    const until = minuteOfDay(end) ?? 0;
    return minute >= from && minute <= (until < from ? until + MINUTES_OF_DAY : until);
  });
}

function localTime(now: Date, zone = DEFAULT_ZONE): { readonly weekday: number; readonly minute: number } {
  try {
    const { weekday, hour, minute } = inZone(now, zone);
    return { weekday, minute: hour * 60 + minute };
  } catch (error) {
    if (!(error instanceof RangeError) || zone === DEFAULT_ZONE) throw error;
    return localTime(now);
  }
}

/** Undefined for a text that is no time of day. */
export function minuteOfDay(text: string): number | undefined {
  const [, hours = '', minutes = '', half] = TIME.exec(text.trim()) ?? [];
  const hour = Number(hours);
  if (hours === '' || (half === undefined ? hour > 23 : hour < 1 || hour > 12)) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  return (half === undefined ? hour : (hour % 12) + afternoon) * 60 + Number(minutes);
}
