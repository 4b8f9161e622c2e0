import { z } from 'zod';
import {
  dataPath,
  dependent,
  described,
  flag,
  isGiven,
  isObject,
  list,
  named,
  object,
  oneOf,
  type RawObject,
  type Report,
  rule,
} from '#libs/validation';
import { timezone } from './calendar.schema.js';
import { OUTSIDE_SCHEDULE, type OutsideSchedule, type SendWindow, sendWindow } from './opening-hours.schema.js';
import { WEEK_DAYS } from './week-days.js';

export const TIME_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** No seconds: a timed digest ends at a time of day or after whole minutes. */
export const TIMED_UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimedUnit = (typeof TIMED_UNITS)[number];

const MONTHLY_TYPES = ['each', 'on'] as const;

export const ORDINALS = ['1', '2', '3', '4', '5', 'last'] as const;
export type Ordinal = (typeof ORDINALS)[number];

export const ORDINAL_VALUES = ['day', 'weekday', 'weekend', ...WEEK_DAYS] as const;
export type OrdinalValue = (typeof ORDINAL_VALUES)[number];

/** Ten years: beyond any use, and dates stay valid. */
const MAX_AMOUNT: Readonly<Record<TimeUnit, number>> = {
  seconds: 315_360_000,
  minutes: 5_256_000,
  hours: 87_600,
  days: 3_650,
  weeks: 520,
  months: 120,
};
export const MAX_PATH_LENGTH = 255;
const WRONG_DAY = 'must be a whole number from 1 to 31';
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

export const amount = z
  .number({ error: 'must be a number greater than 0' })
  .positive({ error: 'must be a number greater than 0' });
export const unit = oneOf(TIME_UNITS);
/** Without seconds. */
export const wholeUnit = oneOf(TIMED_UNITS);
export const keyPath = dataPath(MAX_PATH_LENGTH, 'must be a path in the payload, like order.id').refine(
  (path) => !/[{}]/.test(path),
  { error: 'must be a path in the payload, like order.id, without {{ and }}' },
);
export const payloadPath = dataPath(MAX_PATH_LENGTH, 'must be a path in the payload, like order.date');

export function spanOf(
  error?: string,
  more: z.ZodRawShape = {},
): z.ZodType<{ amount: z.infer<typeof amount>; unit: z.infer<typeof unit> }> {
  const members = {
    amount: described(amount, { description: 'Length in `unit`.' }),
    unit: described(unit, { description: 'Unit.' }),
    ...more,
  };
  return rule(object(members, error), (value, report) => checkSpan(value, report, 'amount', 'unit'));
}

/** Replaces amount and unit of regular digests and delays in a trigger. */
export const span = spanOf('must be an object with amount and unit');
export type Span = z.infer<typeof span>;

/** The range of amounts depends on the unit. Amount and unit have schemas of their own. */
export function checkSpan(value: RawObject, report: Report, amountKey: string, unitKey: string): void {
  const { [amountKey]: length, [unitKey]: sentUnit } = value;
  const known = TIME_UNITS.find((candidate) => candidate === sentUnit);
  if (known === undefined || typeof length !== 'number') return;
  if (length > MAX_AMOUNT[known]) report(`must be at most ${MAX_AMOUNT[known]} ${known}`, amountKey);
  if ((known === 'weeks' || known === 'months') && length > 0 && !Number.isInteger(length)) {
    report(`must be a whole number of ${known}`, amountKey);
  }
}

const timedMembers = {
  atTime: described(
    z.string({ error: 'must be a time of day like 09:30' }).regex(TIME_OF_DAY, 'must be a time of day like 09:30'),
    {
      description: 'Time of day, `HH:mm` or `HH:mm:ss`; required for days, weeks and months.',
      example: '09:00',
    },
  ),
  weekDays: described(
    list(oneOf(WEEK_DAYS), { min: 1, max: WEEK_DAYS.length, error: 'must list 1 to 7 days of the week' }),
    { description: 'Days of the week; required for weeks.', example: ['monday', 'thursday'] },
  ),
  monthDays: described(
    list(z.int({ error: WRONG_DAY }).min(1, WRONG_DAY).max(31, WRONG_DAY), {
      min: 1,
      max: 31,
      error: 'must list 1 to 31 days of the month',
    }),
    {
      description: 'Days of the month, from 1 to 31; a month without that day uses its last one.',
      example: [1, 15],
    },
  ),
  monthlyType: described(oneOf(MONTHLY_TYPES), {
    description: '`each`: on `monthDays`. `on`: on the `ordinal` `ordinalValue`, such as the last weekday.',
  }),
  ordinal: described(oneOf(ORDINALS), { description: 'Position in the month.' }),
  ordinalValue: described(oneOf(ORDINAL_VALUES), { description: 'Kind of day that `ordinal` counts.' }),
  cronExpression: described(z.string(), { description: 'Stored for compatibility; has no effect.' }),
};

/** The unit determines which members are needed. */
export const timedRule = named('TimedRuleDto', object(timedMembers).partial(), 'Schedule of a timed digest.');
export type TimedRule = z.infer<typeof timedRule>;
export const TIMED_KEYS: readonly string[] = Object.keys(timedMembers);

const { atTime, weekDays, monthDays, monthlyType, ordinal, ordinalValue } = timedMembers;
const OPTIONAL_TIME = object({ atTime: atTime.nullish() }).nullish();
const ON_MONTH_DAYS = object({ atTime, monthDays });
const ON_ORDINAL = object({ atTime, ordinal, ordinalValue });
const UNKNOWN_MONTHLY_TYPE = object({ atTime, monthlyType });

/** What a schedule must say, by the unit of its interval. */
export const TIMED_RULES: Readonly<Record<TimedUnit, z.ZodType>> = {
  minutes: OPTIONAL_TIME,
  hours: OPTIONAL_TIME,
  days: object({ atTime }),
  weeks: object({ atTime, weekDays }),
  months: dependent(timedRule, (value) => {
    const type = isObject(value) ? value['monthlyType'] : undefined;
    if (type === 'on') return ON_ORDINAL;
    return !isGiven(type) || type === 'each' ? ON_MONTH_DAYS : UNKNOWN_MONTHLY_TYPE;
  }),
};

/** Of steps that wait without sending. */
export const NOT_A_CHANNEL = z
  .null({ error: 'is for channel steps; digests and delays have extendToSchedule' })
  .optional();

/** Members that steps of several types have, in the words of all of them. */
export const sharedMetadata = {
  amount: described(z.number({ error: 'must be a number' }).nullish(), {
    description: 'Length of a digest, delay or wait, or of the window of a throttle, in `unit`.',
    example: 10,
  }),
  unit: described(unit.nullish(), { description: 'Unit of `amount`.', example: 'minutes' }),
  timezone,
  extendToSchedule: described(flag().nullish(), {
    description:
      "Digests and delays: one that ends outside of the subscriber's schedule waits until it opens, three times at most.",
    default: false,
  }),
  outsideSchedule: described(oneOf(OUTSIDE_SCHEDULE).nullish(), {
    description:
      "Channel steps: what a message does outside of the subscriber's schedule, `skip` or `wait` until it opens. Default: that of the workflow; in-app messages pass.",
    example: 'wait',
  }),
  sendWindow: described(sendWindow.nullish(), {
    description:
      'Channel steps: when the message may be sent; until then, it waits. Default: that of the workflow; in-app messages pass.',
  }),
};

/** Metadata of a step as it is stored. What only one type of step has is known to that type. */
export interface StepMetadata {
  readonly [member: string]: unknown;
  type?: string | undefined;
  amount?: number | undefined;
  unit?: TimeUnit | undefined;
  timezone?: string | undefined;
  timed?: TimedRule | undefined;
  extendToSchedule?: boolean | undefined;
  outsideSchedule?: OutsideSchedule | undefined;
  sendWindow?: SendWindow | undefined;
}

interface CollectingMetadata extends StepMetadata {
  digestKey?: string;
  backoff?: boolean;
  backoffAmount?: number;
  backoffUnit?: TimeUnit;
}

export interface TimedDigestMetadata extends CollectingMetadata {
  type: 'timed';
  amount: number;
  unit: TimedUnit;
}
export type DigestMetadata = (CollectingMetadata & Span & { type: 'regular' | 'backoff' }) | TimedDigestMetadata;
export type DelayMetadata =
  (StepMetadata & Span & { type: 'regular' }) | (StepMetadata & { type: 'scheduled'; delayPath: string });
