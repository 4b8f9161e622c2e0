import {
  amount,
  checkSpan,
  MAX_PATH_LENGTH,
  type Span,
  type StepMetadata,
  TIME_UNITS,
  type TimeUnit,
} from '#libs/schedule';
import {
  dataPath,
  dependent,
  isObject,
  list,
  object,
  oneOf,
  type RawObject,
  type Report,
  rule,
  text,
} from '#libs/validation';
import { z } from 'zod';

/** What becomes of messages, by the names that webhooks have for it. All other names are signals of the application. */
export const MESSAGE_EVENTS = [
  'message.delivered',
  'message.opened',
  'message.seen',
  'message.read',
  'message.clicked',
  'message.bounced',
] as const;
export type MessageEventName = (typeof MESSAGE_EVENTS)[number];

/** The rest of it belongs to Herald. */
const OWN_PREFIX = 'message.';
export const MAX_NAME_LENGTH = 100;
const SIGNAL_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]*$/u;
export const MAX_EQUALITIES = 5;
const MAX_VALUE_LENGTH = 1_000;
const MAX_DAYS = 30;

const MS: Readonly<Record<TimeUnit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 7 * 86_400_000,
  months: 31 * 86_400_000,
};

export function isMessageEvent(name: string): name is MessageEventName {
  return (MESSAGE_EVENTS as readonly string[]).includes(name);
}

/** What a signal may be called. */
export const signalName = z
  .string({ error: 'must be the name of an event, like order.paid' })
  .max(MAX_NAME_LENGTH, { error: `must be at most ${MAX_NAME_LENGTH} characters long` })
  .regex(SIGNAL_NAME, 'must be a name of letters, digits and . _ : -, like order.paid')
  .refine((name) => !name.startsWith(OWN_PREFIX), {
    error: 'must not begin with message., which are events of Herald',
  });

const eventName = dependent(z.string(), (value) =>
  typeof value === 'string' && value.startsWith(OWN_PREFIX) ? oneOf(MESSAGE_EVENTS) : signalName,
);

const equality = object(
  {
    path: dataPath(MAX_PATH_LENGTH, 'must be a path in the payload of the signal, like order.id'),
    value: text(MAX_VALUE_LENGTH).min(1, { error: 'must not be empty: it is a text or a template, like {{order.id}}' }),
  },
  'must be an object with path and value',
);

const equalities = list(equality, {
  max: MAX_EQUALITIES,
  error: 'must be an array of objects with path and value',
  wrongLength: `must contain at most ${MAX_EQUALITIES} comparisons`,
});

export const WAIT_ENDS = ['continue', 'stop'] as const;
type WaitEnd = (typeof WAIT_ENDS)[number];

/** Of waits for signals, `match`; of waits for events of messages, `step`. */
export type WaitMetadata = StepMetadata &
  Span & {
    event: string;
    step?: string;
    match?: readonly { readonly path: string; readonly value: string }[];
    onMatch?: WaitEnd;
    onTimeout?: WaitEnd;
  };

function checkLimit(value: RawObject, report: Report): void {
  checkSpan(value, report, 'amount', 'unit');
  const ms = MS[value['unit'] as TimeUnit] as number | undefined;
  const length = value['amount'];
  if (typeof length === 'number' && ms !== undefined && length * ms > MAX_DAYS * MS.days) {
    report(`must be at most ${MAX_DAYS} days`, 'amount');
  }
}

const shared = {
  event: eventName,
  amount,
  unit: oneOf(TIME_UNITS),
  onMatch: oneOf(WAIT_ENDS).nullish(),
  onTimeout: oneOf(WAIT_ENDS).nullish(),
};
const OF_MESSAGES = rule(
  object({
    ...shared,
    step: z.string({ error: 'must be the stepId or uuid of an earlier step' }).nullish(),
    match: z.null({ error: 'is for signals of the application; events of messages have step' }).optional(),
  }),
  checkLimit,
);
const OF_SIGNALS = rule(
  object({
    ...shared,
    match: equalities.nullish(),
    step: z.null({ error: 'is for events of messages, such as message.read' }).optional(),
  }),
  checkLimit,
);

export const waitMetadata = dependent(z.looseObject({}), (value) => {
  if (!isObject(value))
    return z.never({ error: 'must be an object: a wait_for_event step needs event, amount and unit' });
  const { event } = value;
  return typeof event === 'string' && event.startsWith(OWN_PREFIX) ? OF_MESSAGES : OF_SIGNALS;
});
