import { z } from 'zod';
import {
  dataPath,
  dependent,
  described,
  documentAs,
  flag,
  isGiven,
  isObject,
  list,
  named,
  object,
  oneOf,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  text,
  type WithoutNull,
} from '#libs/validation';
import { timezone } from './calendar.schema.js';
import { OUTSIDE_SCHEDULE, type SendWindow, sendWindow } from './opening-hours.schema.js';
import { WEEK_DAYS } from './week-days.js';

export const TIME_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** No seconds: a timed digest ends at a time of day or after whole minutes. */
export const TIMED_UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimedUnit = (typeof TIMED_UNITS)[number];

const DIGEST_TYPES = ['regular', 'backoff', 'timed'] as const;
const DELAY_TYPES = ['regular', 'scheduled'] as const;

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
const MAX_PATH_LENGTH = 255;
const WRONG_DAY = 'must be a whole number from 1 to 31';
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

export const amount = z
  .number({ error: 'must be a number greater than 0' })
  .positive({ error: 'must be a number greater than 0' });
const unit = oneOf(TIME_UNITS);
export const throttleUnit = oneOf(TIMED_UNITS);
export const keyPath = dataPath(MAX_PATH_LENGTH, 'must be a path in the payload, like order.id').refine(
  (path) => !/[{}]/.test(path),
  { error: 'must be a path in the payload, like order.id, without {{ and }}' },
);
const payloadPath = dataPath(MAX_PATH_LENGTH, 'must be a path in the payload, like order.date');

function spanOf(error?: string, more: z.ZodRawShape = {}) {
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
const timedRule = named('TimedRuleDto', object(timedMembers).partial(), 'Schedule of a timed digest.');
export type TimedRule = z.infer<typeof timedRule>;
export const TIMED_KEYS: readonly string[] = Object.keys(timedMembers);

const throttleMembers = {
  threshold: described(z.number({ error: 'must be a number' }).nullish(), {
    description: 'Throttles: how many events pass in a window, from 1 to 1,000. Default: 1.',
    example: 3,
  }),
  throttleKey: described(text(MAX_PATH_LENGTH).nullish(), {
    description:
      'Throttles: path in the payload, with dots, or one that begins with `tenant.`; events with different values are counted apart.',
    example: 'project.id',
  }),
  dynamicKey: described(text(MAX_PATH_LENGTH).nullish(), {
    description:
      'With `dynamic`: path of the end of the window, which is a date in the future, or of its length as an object with `amount` and `unit`.',
    example: 'payload.mutedUntil',
  }),
};

const waitMembers = {
  event: described(text(100).nullish(), {
    description:
      'Waits: the event, which is `message.delivered`, `message.opened`, `message.seen`, `message.read`, `message.clicked`, `message.bounced`, or the name of a signal of your application.',
    example: 'message.read',
  }),
  step: described(text(MAX_PATH_LENGTH).nullish(), {
    description:
      'Waits for events of messages: `stepId` or `uuid` of the earlier step whose message is meant. Default: the messages of all earlier steps.',
    example: 'tell',
  }),
  match: described(
    list(
      named(
        'SignalMatchDto',
        object({
          path: described(z.string(), {
            description: 'Path in the payload of the signal, with dots.',
            example: 'order.id',
          }),
          value: described(z.string(), {
            description: 'Value that the signal must have there: a text or a template.',
            example: '{{order.id}}',
          }),
        }),
        'A value that a signal must have.',
      ),
      { max: 5, error: 'must be an array of objects with path and value' },
    ).nullish(),
    {
      description:
        'Waits for signals: up to five values that the payload of the signal must have. With them, the signal need not name the event or the subscriber.',
    },
  ),
  onMatch: described(oneOf(['continue', 'stop']).nullish(), {
    description: 'Waits: what the notification does when the event comes. Default: `continue`.',
    example: 'stop',
  }),
  onTimeout: described(oneOf(['continue', 'stop']).nullish(), {
    description: 'Waits: what the notification does when the time is over without the event. Default: `stop`.',
    example: 'continue',
  }),
};

const metadataMembers = {
  type: described(oneOf(['regular', 'backoff', 'timed', 'scheduled', 'fixed', 'dynamic']).nullish(), {
    description:
      'Digests: `regular`, `backoff` or `timed`. Delays: `regular` or `scheduled`. Throttles: `fixed` (default) or `dynamic`.',
    example: 'regular',
  }),
  amount: described(z.number({ error: 'must be a number' }).nullish(), {
    description: 'Length of a digest, delay or wait, or of the window of a throttle, in `unit`.',
    example: 10,
  }),
  unit: described(unit.nullish(), { description: 'Unit of `amount`.', example: 'minutes' }),
  digestKey: described(text(MAX_PATH_LENGTH).nullish(), {
    description:
      'Path in the payload, with dots, or one that begins with `tenant.`; events with different values are collected in different digests.',
    example: 'customer.id',
  }),
  delayPath: described(text(MAX_PATH_LENGTH).nullish(), {
    description: 'With `scheduled`: path, with dots, of a date in the payload.',
    example: 'order.sendAt',
  }),
  backoff: described(flag().nullish(), {
    description: 'True makes a regular digest behave like `backoff`: the first event is delivered at once.',
  }),
  backoffAmount: described(z.number({ error: 'must be a number' }).nullish(), {
    description: 'With `backoff`: events within this time after an earlier one are collected.',
  }),
  backoffUnit: described(unit.nullish(), { description: 'Unit of `backoffAmount`.' }),
  ...throttleMembers,
  ...waitMembers,
  updateMode: described(flag().nullish(), { description: 'Kept for compatibility; has no effect.' }),
  timezone,
  timed: described(documentAs(timedRule, object({})).nullish(), { description: 'With `timed`: the schedule.' }),
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

const NOT_A_CHANNEL = z.null({ error: 'is for channel steps; digests and delays have extendToSchedule' }).optional();
/** What digests and delays have in common beyond their end. */
const waitingMembers = {
  extendToSchedule: metadataMembers.extendToSchedule,
  outsideSchedule: NOT_A_CHANNEL,
  sendWindow: NOT_A_CHANNEL,
};

/** Steps of other types may have metadata, too; it is not used. */
export const stepMetadata = named(
  'StepMetadataDto',
  object(metadataMembers),
  'End of a digest or delay, limit of a throttle, or event of a wait, of which `type` determines the fields; of channel steps, when messages may be sent.',
);
export type StepMetadata = Omit<WithoutNull<z.infer<typeof stepMetadata>>, 'sendWindow'> & {
  sendWindow?: SendWindow | undefined;
};
export const METADATA_KEYS: readonly string[] = Object.keys(metadataMembers);

export interface TimedDigestMetadata extends StepMetadata {
  type: 'timed';
  amount: number;
  unit: TimedUnit;
}
export type DigestMetadata = (StepMetadata & Span & { type: 'regular' | 'backoff' }) | TimedDigestMetadata;
export type DelayMetadata =
  (StepMetadata & Span & { type: 'regular' }) | (StepMetadata & { type: 'scheduled'; delayPath: string });

const digestMembers = {
  type: oneOf(DIGEST_TYPES),
  amount,
  unit,
  digestKey: dependent(z.string(), (value) => (value === '' ? z.literal('') : keyPath)).nullish(),
  backoff: metadataMembers.backoff,
  updateMode: metadataMembers.updateMode,
  timezone,
  ...waitingMembers,
};
const backoffMembers = { backoffAmount: amount, backoffUnit: unit };

function digestOf(members: z.ZodRawShape = {}) {
  return rule(object({ ...digestMembers, ...members }), (value, report) => {
    checkSpan(value, report, 'amount', 'unit');
    if ('backoffAmount' in members) checkSpan(value, report, 'backoffAmount', 'backoffUnit');
  });
}

const REGULAR_DIGEST = digestOf();
const BACKOFF_DIGEST = digestOf(backoffMembers);
const TIMED_DIGEST = rule(digestOf({ unit: oneOf(TIMED_UNITS), timed: z.unknown().optional() }), (value, report) => {
  const known = TIMED_UNITS.find((candidate) => candidate === value['unit']);
  if (known === undefined) return;
  if (typeof value['amount'] === 'number' && !Number.isInteger(value['amount'])) {
    report('must be a whole number for a timed digest', 'amount');
  }
  reportFaults(report, TIMED_RULES[known], value['timed'], 'timed');
});

const { atTime, weekDays, monthDays, monthlyType, ordinal, ordinalValue } = timedMembers;
const OPTIONAL_TIME = object({ atTime: atTime.nullish() }).nullish();
const ON_MONTH_DAYS = object({ atTime, monthDays });
const ON_ORDINAL = object({ atTime, ordinal, ordinalValue });
const UNKNOWN_MONTHLY_TYPE = object({ atTime, monthlyType });

const TIMED_RULES: Readonly<Record<TimedUnit, z.ZodType>> = {
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

export const digestMetadata = dependent(stepMetadata, (value) => {
  if (!isObject(value)) return z.never({ error: 'must be an object: a digest step needs a type' });
  if (value['type'] === 'timed') return TIMED_DIGEST;
  const isBackoff = value['type'] === 'backoff' || (value['type'] === 'regular' && value['backoff'] === true);
  return isBackoff ? BACKOFF_DIGEST : REGULAR_DIGEST;
});

const SCHEDULED_DELAY = object({ delayPath: payloadPath, timezone, ...waitingMembers });
const UNKNOWN_DELAY = object({ type: oneOf(DELAY_TYPES) });
const REGULAR_DELAY = spanOf(undefined, { timezone, ...waitingMembers });

export const delayMetadata = dependent(stepMetadata, (value) => {
  if (!isObject(value)) return z.never({ error: 'must be an object: a delay step needs a type' });
  if (value['type'] === 'scheduled') return SCHEDULED_DELAY;
  return value['type'] === 'regular' ? REGULAR_DELAY : UNKNOWN_DELAY;
});
