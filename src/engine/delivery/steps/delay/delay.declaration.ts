import type { StepTypeDeclaration } from '#libs/plugins';
import { MAX_PATH_LENGTH, NOT_A_CHANNEL, payloadPath, sharedMetadata, spanOf, timezone } from '#libs/schedule';
import { dependent, inForm, isObject, object, oneOf, text } from '#libs/validation';
import { z } from 'zod';
import { extendWord, timezoneWord, UNIT_LABELS } from '../waiting-words.js';

const TYPES = ['regular', 'scheduled'] as const;

const members = {
  type: inForm(
    oneOf(TYPES).nullish(),
    {
      title: 'Wait',
      help: 'Whether to wait for a time, or until a date that the event brings.',
      labels: { regular: 'For a time', scheduled: 'Until a date of the event' },
      initial: 'regular',
      required: true,
    },
    { description: 'Delays: `regular` or `scheduled`.', example: 'regular' },
  ),
  amount: inForm(sharedMetadata.amount, {
    title: 'For',
    help: 'How long the step waits.',
    control: 'duration',
    when: { type: 'regular' },
    initial: 1,
    required: true,
  }),
  unit: inForm(sharedMetadata.unit, {
    title: 'Unit',
    help: 'The unit of the time.',
    labels: UNIT_LABELS,
    when: { type: 'regular' },
    initial: 'hours',
    required: true,
  }),
  delayPath: inForm(
    text(MAX_PATH_LENGTH).nullish(),
    {
      title: 'Date in the payload',
      help: 'Where the event has the date, such as order.sendAt.',
      control: 'path',
      when: { type: 'scheduled' },
      required: true,
    },
    { description: 'With `scheduled`: path, with dots, of a date in the payload.', example: 'order.sendAt' },
  ),
  timezone: timezoneWord,
  extendToSchedule: extendWord,
};

const common = {
  timezone,
  extendToSchedule: sharedMetadata.extendToSchedule,
  outsideSchedule: NOT_A_CHANNEL,
  sendWindow: NOT_A_CHANNEL,
};
const SCHEDULED = object({ delayPath: payloadPath, ...common });
const UNKNOWN = object({ type: oneOf(TYPES) });
const REGULAR = spanOf(undefined, common);

/** Checks the metadata of a delay. */
export const delayMetadata = dependent(object(members), (value) => {
  if (!isObject(value)) return z.never({ error: 'must be an object: a delay step needs a type' });
  if (value['type'] === 'scheduled') return SCHEDULED;
  return value['type'] === 'regular' ? REGULAR : UNKNOWN;
});

export const delay = {
  type: 'delay',
  group: 'control',
  place: 2,
  label: 'Delay',
  description: 'Waits before the next step.',
  summary: [
    {
      text: 'Waits until the date at {metadata.delayPath} in the payload.',
      when: { 'metadata.type': 'scheduled' },
    },
    { text: 'Waits {metadata.amount} {metadata.unit}.' },
    { text: 'Waits before the next step.' },
  ],
  template: {},
  onlyWaits: true,
  metadata: { members, check: delayMetadata },
  needs: ({ metadata }) => (metadata['type'] === 'scheduled' ? { dates: [metadata['delayPath'] as string] } : {}),
  trail: {
    started: { text: 'Step delayed', status: 'Pending' },
    finished: { text: 'Delay is finished', status: 'Success' },
    misconfigured: { text: 'Invalid delay configuration', status: 'Failed' },
  },
  reasons: {
    invalid_delay: {
      title: 'The delay has no valid end time',
      remedy: 'Fix the payload or the step, then trigger the event again.',
    },
  },
} satisfies StepTypeDeclaration;
