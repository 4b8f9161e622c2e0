import type { StepTypeDeclaration } from '#libs/plugins';
import {
  amount,
  checkSpan,
  keyPath,
  MAX_PATH_LENGTH,
  NOT_A_CHANNEL,
  sharedMetadata,
  TIMED_RULES,
  TIMED_UNITS,
  timedRule,
  timezone,
  unit,
} from '#libs/schedule';
import {
  dependent,
  described,
  documentAs,
  flag,
  inForm,
  isObject,
  named,
  object,
  oneOf,
  reportFaults,
  rule,
  text,
} from '#libs/validation';
import { z } from 'zod';
import { extendWord, timezoneWord, UNIT_LABELS } from '../steps/waiting-words.js';

const TYPES = ['regular', 'backoff', 'timed'] as const;

const members = {
  type: inForm(
    oneOf(TYPES).nullish(),
    {
      title: 'Collect',
      help: 'How long events are collected before the next step runs once for all of them.',
      labels: {
        regular: 'For a time after the first event',
        backoff: 'Only what follows soon after an earlier event',
        timed: 'Until the next time of a schedule',
      },
      initial: 'regular',
      required: true,
    },
    { description: 'Digests: `regular`, `backoff` or `timed`.', example: 'regular' },
  ),
  amount: inForm(sharedMetadata.amount, {
    title: 'For',
    help: 'How long events are collected.',
    control: 'duration',
    initial: 5,
    cases: [{ when: { type: 'timed' }, title: 'Every', help: 'How often the schedule comes.', initial: 1 }],
    required: true,
  }),
  unit: inForm(sharedMetadata.unit, {
    title: 'Unit',
    help: 'The unit of the time.',
    labels: UNIT_LABELS,
    initial: 'minutes',
    cases: [{ when: { type: 'timed' }, initial: 'days', values: TIMED_UNITS }],
    required: true,
  }),
  backoffAmount: inForm(
    z.number({ error: 'must be a number' }).nullish(),
    {
      title: 'Look back',
      help: 'How long ago an earlier event may be.',
      control: 'duration',
      when: { type: 'backoff' },
      initial: 5,
      required: true,
    },
    { description: 'With `backoff`: events within this time after an earlier one are collected.' },
  ),
  backoffUnit: inForm(
    unit.nullish(),
    {
      title: 'Unit',
      help: 'The unit of the look back.',
      labels: UNIT_LABELS,
      when: { type: 'backoff' },
      initial: 'minutes',
      required: true,
    },
    { description: 'Unit of `backoffAmount`.' },
  ),
  timed: inForm(
    documentAs(timedRule, object({})).nullish(),
    {
      title: 'Schedule',
      help: 'The time of day, and the days of the week or month.',
      control: 'timed',
      when: { type: 'timed' },
      initial: { atTime: '09:00' },
      required: true,
    },
    { description: 'With `timed`: the schedule.' },
  ),
  digestKey: inForm(
    text(MAX_PATH_LENGTH).nullish(),
    {
      title: 'Collect apart by',
      help: 'Where the event has a value, such as customer.id, by which events are collected apart. Left empty, all come together.',
      control: 'path',
    },
    {
      description:
        'Path in the payload, with dots, or one that begins with `tenant.`; events with different values are collected in different digests.',
      example: 'customer.id',
    },
  ),
  timezone: timezoneWord,
  extendToSchedule: extendWord,
};

/** Not asked for: the type `backoff` says the first, and the second has no effect. */
const accepted = {
  backoff: flag().nullish().meta({
    description: 'True makes a regular digest behave like `backoff`: the first event is delivered at once.',
  }),
  updateMode: flag().nullish().meta({ description: 'Kept for compatibility; has no effect.' }),
};

const digestMembers = {
  type: oneOf(TYPES),
  amount,
  unit,
  digestKey: dependent(z.string(), (value) => (value === '' ? z.literal('') : keyPath)).nullish(),
  ...accepted,
  timezone,
  extendToSchedule: sharedMetadata.extendToSchedule,
  outsideSchedule: NOT_A_CHANNEL,
  sendWindow: NOT_A_CHANNEL,
};
const backoffMembers = { backoffAmount: amount, backoffUnit: unit };

function digestOf(more: z.ZodRawShape = {}) {
  return rule(object({ ...digestMembers, ...more }), (value, report) => {
    checkSpan(value, report, 'amount', 'unit');
    if ('backoffAmount' in more) checkSpan(value, report, 'backoffAmount', 'backoffUnit');
  });
}

const REGULAR = digestOf();
const BACKOFF = digestOf(backoffMembers);
const TIMED = rule(digestOf({ unit: oneOf(TIMED_UNITS), timed: z.unknown().optional() }), (value, report) => {
  const known = TIMED_UNITS.find((candidate) => candidate === value['unit']);
  if (known === undefined) return;
  if (typeof value['amount'] === 'number' && !Number.isInteger(value['amount'])) {
    report('must be a whole number for a timed digest', 'amount');
  }
  reportFaults(report, TIMED_RULES[known], value['timed'], 'timed');
});

/** Checks the metadata of a digest. */
export const digestMetadata = dependent(object(members), (value) => {
  if (!isObject(value)) return z.never({ error: 'must be an object: a digest step needs a type' });
  if (value['type'] === 'timed') return TIMED;
  const isBackoff = value['type'] === 'backoff' || (value['type'] === 'regular' && value['backoff'] === true);
  return isBackoff ? BACKOFF : REGULAR;
});

const foreseen = named(
  'DryRunDigestResponse',
  object({
    notificationId: described(z.string().optional(), {
      description: 'The notification that collects the digest; absent if this one would.',
    }),
    collected: described(z.number().meta({ type: 'integer' }), {
      description: 'Number of notifications that the digest has so far; counted up to 10,000.',
      example: 3,
    }),
  }),
  'The digest that an event would go into.',
);

export const digest = {
  type: 'digest',
  group: 'control',
  place: 1,
  label: 'Digest',
  description: 'Collects events of a subscriber into one message.',
  summary: [
    {
      text: 'Collects events until {metadata.timed.atTime}, every {metadata.amount} {metadata.unit}.',
      when: { 'metadata.type': 'timed' },
    },
    { text: 'Collects events every {metadata.amount} {metadata.unit}.', when: { 'metadata.type': 'timed' } },
    {
      text: 'Delivers the first event at once, and collects what follows for {metadata.amount} {metadata.unit}.',
      when: { 'metadata.type': 'backoff' },
    },
    { text: 'Collects events for {metadata.amount} {metadata.unit}, apart by {metadata.digestKey}.' },
    { text: 'Collects events for {metadata.amount} {metadata.unit}.' },
    { text: 'Collects events into one message.' },
  ],
  template: {},
  collects: true,
  metadata: { members, accepted, check: digestMetadata },
  needs: ({ metadata }) => ({ paths: [metadata['digestKey'] as string] }),
  foreseen: { digest: foreseen },
  trail: {
    digested: { text: 'Step digested', status: 'Pending' },
    started: { text: 'Start digesting', status: 'Pending' },
    triggered: { text: 'Digest triggered events', status: 'Success' },
    merged: { text: 'Digest was merged with other digest', status: 'Success' },
    skipped: { text: 'Digest was skipped, first backoff event', status: 'Success' },
  },
  reasons: {
    first_backoff_event: {
      title: 'Nothing to collect yet',
      remedy: 'Nothing was sent recently, so the digest passed this event on immediately.',
    },
  },
} satisfies StepTypeDeclaration;
