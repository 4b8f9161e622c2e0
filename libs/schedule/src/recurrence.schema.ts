import { z } from 'zod';
import { described, isGiven, list, named, object, oneOf, rule } from '#libs/validation';
import { isCron } from './cron.js';
import { isMoment } from './local-time.js';
import { WEEK_DAYS } from './week-days.js';

export const FREQUENCIES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const MAX_INTERVAL = 1_000;
const MAX_CRON_LENGTH = 100;
const WRONG_CRON =
  'must be five fields of cron (minute, hour, day of the month, month, day of the week), such as 30 9 * * mon-fri';

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error).nullish();
}

const members = {
  frequency: described(oneOf(FREQUENCIES).nullish(), {
    description: 'How often, unless `cron` says so.',
    example: 'weekly',
  }),
  interval: described(whole(1, MAX_INTERVAL), {
    description: 'Every how many hours, days, weeks or months, counted from `startAt`. Default: 1.',
    default: 1,
  }),
  days: described(
    list(oneOf(WEEK_DAYS), { min: 1, max: WEEK_DAYS.length, error: 'must list 1 to 7 days of the week' }).nullish(),
    {
      description: 'With `weekly`: the days of the week. Default: that of `startAt`.',
      example: ['monday', 'thursday'],
    },
  ),
  dayOfMonth: described(whole(1, 31), {
    description:
      'With `monthly`: the day of the month; a month without that day uses its last one. Default: that of `startAt`.',
    example: 31,
  }),
  hour: described(whole(0, 23), { description: 'Hour of the day, except with `hourly`. Default: 0.', example: 9 }),
  minute: described(whole(0, 59), { description: 'Minute of the hour. Default: 0.', example: 30 }),
  cron: described(z.string({ error: WRONG_CRON }).max(MAX_CRON_LENGTH, { error: WRONG_CRON }).nullish(), {
    description:
      'Five fields of cron instead of everything else: minute, hour, day of the month, month, day of the week.',
    example: '30 9 * * mon-fri',
  }),
};

/** Which field belongs to which frequency; the others are for all of them. */
const ONLY_WITH: Readonly<Partial<Record<keyof typeof members, readonly Frequency[]>>> = {
  days: ['weekly'],
  dayOfMonth: ['monthly'],
  hour: ['daily', 'weekly', 'monthly'],
};

/** What one sends together; not all fields can be. */
const RULE_EXAMPLE = { frequency: 'weekly', days: ['monday'], hour: 9, minute: 30 };

export const recurrence = named(
  'RecurrenceDto',
  described(
    rule(object(members, 'must be an object with frequency or cron'), (value, report) => {
      const { cron, frequency } = value;
      if (isGiven(cron) === isGiven(frequency)) report('must have either frequency or cron');
      if (isGiven(cron)) {
        if (typeof cron === 'string' && !isCron(cron)) report(WRONG_CRON, 'cron');
        for (const key of Object.keys(members)) {
          if (key !== 'cron' && key !== 'frequency' && isGiven(value[key])) report('must not be given with cron', key);
        }
        return;
      }
      for (const [key, frequencies] of Object.entries(ONLY_WITH)) {
        const isKnown = FREQUENCIES.some((one) => one === frequency);
        if (isGiven(value[key]) && isKnown && !frequencies.some((one) => one === frequency)) {
          report(`must not be given with ${String(frequency)}`, key);
        }
      }
    }),
    { description: 'When a schedule occurs.', example: RULE_EXAMPLE },
  ),
);
export type Recurrence = z.infer<typeof recurrence>;
export const RECURRENCE_KEYS = Object.keys(members) as readonly (keyof Recurrence)[];

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const WRONG_MOMENT =
  'must be a date and time, such as 2099-01-31T09:00:00Z, or without Z in the time zone of the schedule';

export const moment = z
  .string({ error: WRONG_MOMENT })
  .refine((text) => MOMENT.test(text) && isMoment(text), { error: WRONG_MOMENT });
