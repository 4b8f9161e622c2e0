import { z } from 'zod';
import { described, flag, isObject, list, named, object, rule, type WithoutNull } from '#libs/validation';
import { zoneName } from './calendar.schema.js';
import { WEEK_DAYS, type WeekDay } from './week-days.js';

const TIME = /^(\d{1,2}):([0-5]\d)(?: ?([AP]M))?$/i;
const MAX_RANGES = 20;

const time = described(
  z.string({ error: 'must be a time such as 09:00 AM' }).refine((text) => minuteOf(text) !== undefined, {
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
      list(range, { max: MAX_RANGES, error: `must be a list of at most ${MAX_RANGES} ranges` }).nullish(),
      {
        description:
          'When on this day; the whole day if absent or empty. A range that ends before it starts ends on the next day.',
      },
    ),
  }),
  'One day of the week.',
);
const days = Object.fromEntries(WEEK_DAYS.map((name) => [name, day.nullish()])) as Record<
  (typeof WEEK_DAYS)[number],
  z.ZodOptional<z.ZodNullable<typeof day>>
>;
export type DayHours = WithoutNull<z.infer<typeof day>>;
export type Week = { readonly [D in WeekDay]?: DayHours | undefined };

const week = object(days);

/** Does not apply to the Inbox. */
export const weeklySchedule = named(
  'SubscriberSchedule',
  object({
    isEnabled: described(flag(), { description: 'Whether the schedule applies.' }),
    weeklySchedule: described(week.nullish(), { description: 'Days that are absent are disabled.' }),
  }),
);
/** As it is stored. */
export interface WeeklySchedule {
  isEnabled: boolean;
  weeklySchedule?: Week | undefined;
}

/** What a step does with a message outside of the subscriber's schedule. */
export const OUTSIDE_SCHEDULE = ['skip', 'wait'] as const;
export type OutsideSchedule = (typeof OUTSIDE_SCHEDULE)[number];

/** When the messages of a workflow or a step may be sent. */
export const sendWindow = named(
  'SendWindowDto',
  rule(
    object(
      {
        timezone: described(zoneName.nullish(), {
          description:
            'Time zone, such as `Europe/Berlin`. Default: `subscriber`, that of the subscriber, or else UTC.',
          example: 'Europe/Berlin',
        }),
        weeklySchedule: described(week, { description: 'Days that are absent are closed.' }),
      },
      'must be an object with weeklySchedule',
    ),
    ({ weeklySchedule: sent }, report) => {
      const isOpen = isObject(sent) && Object.values(sent).some((one) => isObject(one) && one['isEnabled'] === true);
      if (!isOpen) report('must enable a day of the week', 'weeklySchedule');
    },
  ),
  'When messages may be sent.',
);
/** As it is stored. */
export type SendWindow = Omit<z.infer<typeof sendWindow>, 'weeklySchedule'> & { weeklySchedule: Week };

export function minuteOf(text: string): number | undefined {
  const [, hours = '', minutes = '', half] = TIME.exec(text.trim()) ?? [];
  const hour = Number(hours);
  if (hours === '' || (half === undefined ? hour > 23 : hour < 1 || hour > 12)) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  return (half === undefined ? hour : (hour % 12) + afternoon) * 60 + Number(minutes);
}
