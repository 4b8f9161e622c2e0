import type { StepTypeDeclaration } from '#libs/plugins';
import { MAX_PATH_LENGTH, sharedMetadata, wholeUnit } from '#libs/schedule';
import { described, flag, inForm, named, object, oneOf, text } from '#libs/validation';
import { z } from 'zod';
import { timezoneWord, UNIT_LABELS } from '../waiting-words.js';
import { throttleMetadata } from './throttle.metadata.js';

const { seconds: _none, ...WINDOW_UNITS } = UNIT_LABELS;

const members = {
  type: inForm(
    oneOf(['fixed', 'dynamic']).nullish(),
    {
      title: 'Window',
      help: 'Whether the time is always the same, or the event says how long it is.',
      labels: { fixed: 'Always the same time', dynamic: 'The event says how long' },
      default: 'fixed',
    },
    { description: 'Throttles: `fixed` (default) or `dynamic`.', example: 'fixed' },
  ),
  threshold: inForm(
    z.number({ error: 'must be a number' }).nullish(),
    {
      title: 'Let through',
      help: 'How many runs of a subscriber go on in that time. The others end here.',
      default: 1,
    },
    { description: 'Throttles: how many events pass in a window, from 1 to 1,000. Default: 1.', example: 3 },
  ),
  amount: inForm(sharedMetadata.amount, {
    title: 'In',
    help: 'How long the window is.',
    control: 'duration',
    when: { type: 'fixed' },
    initial: 1,
    required: true,
  }),
  unit: inForm(wholeUnit.nullish(), {
    title: 'Unit',
    help: 'The unit of the window.',
    labels: WINDOW_UNITS,
    when: { type: 'fixed' },
    initial: 'hours',
    required: true,
  }),
  dynamicKey: inForm(
    text(MAX_PATH_LENGTH).nullish(),
    {
      title: 'Length in the payload',
      help: 'Where the event has the end of the window as a date, or its length as an amount and a unit.',
      control: 'path',
      when: { type: 'dynamic' },
      required: true,
    },
    {
      description:
        'With `dynamic`: path of the end of the window, which is a date in the future, or of its length as an object with `amount` and `unit`.',
      example: 'payload.mutedUntil',
    },
  ),
  throttleKey: inForm(
    text(MAX_PATH_LENGTH).nullish(),
    {
      title: 'Count apart by',
      help: 'Where the event has a value, such as project.id, by which runs are counted apart. Left empty, all runs count together.',
      control: 'path',
    },
    {
      description:
        'Throttles: path in the payload, with dots, or one that begins with `tenant.`; events with different values are counted apart.',
      example: 'project.id',
    },
  ),
  timezone: timezoneWord,
};

const foreseen = named(
  'DryRunThrottleResponse',
  object({
    throttled: described(flag(), { description: 'Whether the run would end here.' }),
    executionCount: described(z.number().meta({ type: 'integer' }), {
      description: 'Events that have passed in the window, this one included if it would pass.',
      example: 3,
    }),
    threshold: described(z.number().meta({ type: 'integer' }), {
      description: 'How many pass in a window.',
      example: 3,
    }),
    opensAt: described(z.string().meta({ format: 'date-time' }), { description: 'When the window ends.' }),
  }),
  'What a throttle would decide. Nothing is counted.',
);

export const throttle = {
  type: 'throttle',
  group: 'control',
  place: 3,
  label: 'Throttle',
  description: 'Lets only some runs of a subscriber through in a time, and ends the others.',
  summary: [
    {
      text: 'Lets {metadata.threshold} through until the time at {metadata.dynamicKey}.',
      when: { 'metadata.type': 'dynamic' },
    },
    { text: 'Lets one through until the time at {metadata.dynamicKey}.', when: { 'metadata.type': 'dynamic' } },
    { text: 'Lets {metadata.threshold} through in {metadata.amount} {metadata.unit}.' },
    { text: 'Lets one through in {metadata.amount} {metadata.unit}.' },
    { text: 'Ends runs beyond a limit.' },
  ],
  template: {},
  asksStore: true,
  metadata: { members, check: throttleMetadata },
  needs: ({ metadata: { type, throttleKey, dynamicKey } }) => ({
    paths: [throttleKey as string, ...(type === 'dynamic' ? [dynamicKey as string] : [])],
  }),
  foreseen: { throttle: foreseen },
  trail: {
    passed: { text: 'Throttle was passed', status: 'Success' },
    throttled: { text: 'Step skipped because the threshold of the throttle was reached', status: 'Success' },
    misconfigured: { text: 'Throttle was passed without being counted', status: 'Failed' },
  },
  reasons: {
    throttled: {
      title: 'The throttle has let enough events through',
      remedy: 'Nothing is wrong: the details of the throttle step say how many have passed, and when it opens again.',
    },
  },
} satisfies StepTypeDeclaration;
