import { defineError } from '#libs/http-kit';
import { TRIGGER_HINTS } from './trigger-hints.js';

/** Clients of the compatible system compare the text, so it is the code itself. */
export const TriggerNotFound = defineError(
  422,
  'workflow_not_found',
  (_name: string, _near: string | undefined) => 'workflow_not_found',
  ['order-shiped', 'order-shipped'],
  (name, near) => ({ hint: TRIGGER_HINTS.workflow_not_found(name, near) }),
);

export const EventNotFound = defineError(
  404,
  'event_not_found',
  (transactionId: string) =>
    `This environment has no event with the transaction id '${transactionId.slice(0, 255)}'. Events are stored as long as notifications.`,
  ['{transactionId}'],
);

export const WaitsNotSkippable = defineError(
  403,
  'waits_not_skippable',
  'In an environment of production, recipients would get at once what is meant for later. Leave out skipWaits, or use an API key of Development.',
);

export const PayloadIncomplete = defineError(
  400,
  'payload_incomplete',
  (missing: readonly string[]) => `payload is missing required key(s) and type(s): ${missing.join(', ')}`,
  [['order.number (Value)']],
  { hint: TRIGGER_HINTS.payload_incomplete() },
);

export const TriggerIncomplete = defineError(
  400,
  'trigger_incomplete',
  (missing: readonly string[]) => `Trigger is missing: ${missing.join(', ')}`,
  [['tenant object']],
  { hint: TRIGGER_HINTS.trigger_incomplete() },
);

export const SignalWithoutTarget = defineError(
  400,
  'signal_without_target',
  () =>
    'The signal is for nobody. Send transactionId, subscriberId, or a payload with the values that the waits compare.',
  [],
);

export const SignalTooLarge = defineError(
  413,
  'signal_too_large',
  (bytes: number, limit: number) =>
    `The payload of the signal takes ${bytes} bytes; ${limit} is the limit. Send what the waits compare and later steps show.`,
  [12_000, 10_000],
);

export const EventTooLarge = defineError(
  413,
  'event_too_large',
  (bytes: number, limit: number) =>
    `The event takes ${bytes} bytes; ${limit} is the limit. Name fewer recipients, use a topic, or shorten the payload.`,
  [17_000_000, 16_000_000],
);
