import type { StepTypeDeclaration } from '#libs/plugins';
import { MAX_PATH_LENGTH, sharedMetadata, type TimeUnit } from '#libs/schedule';
import { described, inForm, list, named, object, oneOf, text } from '#libs/validation';
import { z } from 'zod';
import { WAIT_OUTCOMES } from '../../records/step-state.js';
import { timezoneWord, UNIT_LABELS } from '../waiting-words.js';
import {
  isMessageEvent,
  MAX_EQUALITIES,
  MAX_NAME_LENGTH,
  MESSAGE_EVENTS,
  type MessageEventName,
  WAIT_ENDS,
  waitMetadata,
} from './wait.metadata.js';

const END_LABELS = { continue: 'Go on with the next step', stop: 'Stop here' };
const EVENT_LABELS: Readonly<Record<MessageEventName, string>> = {
  'message.delivered': 'A message is delivered',
  'message.opened': 'A message is opened',
  'message.seen': 'A message is seen',
  'message.read': 'A message is read',
  'message.clicked': 'A message is clicked',
  'message.bounced': 'A message is bounced',
};

/** A month is longer than a step may wait. */
const { months: _none, ...WAIT_UNIT_LABELS } = UNIT_LABELS;
const WAIT_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const satisfies readonly TimeUnit[];

const match = named(
  'SignalMatchDto',
  object({
    path: inForm(
      z.string(),
      { title: 'Path', help: 'Where the signal has the value, such as order.id.', control: 'path' },
      { description: 'Path in the payload of the signal, with dots.', example: 'order.id' },
    ),
    value: inForm(
      z.string(),
      { title: 'Value', help: 'The value that it must have there, such as {{order.id}}.' },
      { description: 'Value that the signal must have there: a text or a template.', example: '{{order.id}}' },
    ),
  }),
  'A value that a signal must have.',
);

const members = {
  event: inForm(
    text(MAX_NAME_LENGTH).nullish(),
    {
      title: 'Event',
      help: 'What to wait for: something that becomes of a message, or a signal that your application sends.',
      labels: EVENT_LABELS,
      other: {
        choice: 'A signal of the application',
        title: 'Name of the signal',
        help: 'As your application sends it.',
        initial: 'order.paid',
      },
      initial: 'message.read',
      required: true,
    },
    {
      description:
        'Waits: the event, which is `message.delivered`, `message.opened`, `message.seen`, `message.read`, `message.clicked`, `message.bounced`, or the name of a signal of your application.',
      example: 'message.read',
    },
  ),
  step: inForm(
    text(MAX_PATH_LENGTH).nullish(),
    {
      title: 'Message of the step',
      help: 'The earlier step whose message is meant. Left empty, the messages of all earlier steps count.',
      control: 'step',
      when: { event: MESSAGE_EVENTS },
    },
    {
      description:
        'Waits for events of messages: `stepId` or `uuid` of the earlier step whose message is meant. Default: the messages of all earlier steps.',
      example: 'tell',
    },
  ),
  match: inForm(
    list(match, { max: MAX_EQUALITIES, error: 'must be an array of objects with path and value' }).nullish(),
    {
      title: 'Values of the signal',
      help: 'Up to five values that the signal must have. Without any, it names the event or the subscriber that it is for.',
      unless: { event: MESSAGE_EVENTS },
    },
    {
      description:
        'Waits for signals: up to five values that the payload of the signal must have. With them, the signal need not name the event or the subscriber.',
    },
  ),
  amount: inForm(sharedMetadata.amount, {
    title: 'At most',
    help: 'How long the step waits for the event, 30 days at most.',
    control: 'duration',
    initial: 10,
    required: true,
  }),
  unit: inForm(oneOf(WAIT_UNITS).nullish(), {
    title: 'Unit',
    help: 'The unit of the time.',
    labels: WAIT_UNIT_LABELS,
    initial: 'minutes',
    required: true,
  }),
  onMatch: inForm(
    oneOf(WAIT_ENDS).nullish(),
    {
      title: 'When it comes',
      help: 'What happens when the event comes in time.',
      labels: END_LABELS,
      default: 'continue',
      initial: 'stop',
    },
    {
      description: 'Waits: what the notification does when the event comes. Default: `continue`.',
      example: 'stop',
    },
  ),
  onTimeout: inForm(
    oneOf(WAIT_ENDS).nullish(),
    {
      title: 'When it does not come',
      help: 'What happens when the time is over.',
      labels: END_LABELS,
      default: 'stop',
      initial: 'continue',
    },
    {
      description: 'Waits: what the notification does when the time is over without the event. Default: `stop`.',
      example: 'continue',
    },
  ),
  timezone: timezoneWord,
};

type Match = readonly { readonly value?: unknown }[] | null | undefined;

const foreseen = named(
  'DryRunWaitResponse',
  object({
    event: described(z.string(), { description: 'Name of the event.', example: 'message.read' }),
    until: described(z.string().meta({ format: 'date-time' }), {
      description: 'The time limit.',
    }),
    outcome: described(oneOf(WAIT_OUTCOMES), {
      description:
        'What the dry run takes to be so, as `waits` of the request says: `matched`: the event comes at once; `timed_out`: it does not come.',
      example: 'timed_out',
    }),
  }),
  'What a step would wait for.',
);

export const waitForEvent = {
  type: 'wait_for_event',
  group: 'control',
  place: 4,
  label: 'Wait for event',
  description: 'Waits until a message is read, or until your application reports an event.',
  summary: [
    { text: 'Waits {metadata.amount} {metadata.unit} at most for {metadata.event}.' },
    { text: 'Waits for an event.' },
  ],
  template: {},
  asksStore: true,
  awaitsMessages: ({ event }) => isMessageEvent(String(event)),
  metadata: { members, check: waitMetadata },
  needs: ({ metadata }) => ({ texts: ((metadata['match'] as Match) ?? []).map(({ value }) => value) }),
  foreseen: { wait: foreseen },
  trail: {
    started: { text: 'Step waits for an event', status: 'Pending' },
    matched: { text: 'Event arrived', status: 'Success' },
    timedOut: { text: 'Event did not arrive in time', status: 'Success' },
    misconfigured: { text: 'Invalid wait configuration', status: 'Failed' },
  },
  reasons: {
    wait_matched: {
      title: 'The event that the workflow waited for has come',
      remedy: 'Nothing is wrong: the details of the step that waits say when it came.',
    },
    wait_timed_out: {
      title: 'The event that the workflow waited for did not come in time',
      remedy: 'Nothing is wrong. With onTimeout: continue, the later steps run after the time limit.',
    },
    invalid_wait: {
      title: 'A value that the wait compares is missing',
      remedy: 'Add the value to the payload, or correct `match` of the step; then trigger the event again.',
    },
  },
} satisfies StepTypeDeclaration;
