import { BATCH_BYTES, type CallbackEvent, type ProviderCallback } from '../core/provider.js';
import { at, textAt } from '../declarative/json-path.js';
import { eventList, jsonBody, readEvents, type EventSpec } from './callback-events.js';
import { carriesSecret, secretOf } from './signature.js';

/** For providers that do not sign: the webhook's URL or a header contains a configured secret. */
function sharedSecret(
  spec: EventSpec,
  events: (json: unknown) => readonly unknown[],
  ...headers: string[]
): ProviderCallback {
  return {
    maxBytes: BATCH_BYTES,
    verify: (request, credentials) => carriesSecret(request, secretOf(credentials, 'callbackSecret'), ...headers),
    parse: (request): CallbackEvent[] => readEvents(events(jsonBody(request)), spec),
  };
}

const HARD_POSTMARK = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated']);

function postmarkKind(event: unknown): unknown {
  const kind = textAt(event, 'RecordType');
  if (kind === 'Bounce' && textAt(event, 'Type') === 'Blocked') return { ...(event as object), RecordType: 'Blocked' };
  const resubscribed = kind === 'SubscriptionChange' && at(event, 'SuppressSending') !== true;
  return resubscribed ? { ...(event as object), RecordType: 'Resubscribed' } : event;
}

export const postmarkCallback = sharedSecret(
  {
    id: 'MessageID',
    kind: 'RecordType',
    kinds: {
      Delivery: 'delivered',
      Bounce: 'bounced',
      Blocked: 'blocked',
      SpamComplaint: 'complaint',
      Open: 'opened',
      Click: 'clicked',
      SubscriptionChange: 'unsubscribed',
    },
    at: ['DeliveredAt', 'BouncedAt', 'ReceivedAt', 'ChangedAt'],
    recipient: ['Recipient', 'Email'],
    response: ['Details', 'Description'],
    hardBounce: (event) => textAt(event, 'RecordType') === 'Bounce' && HARD_POSTMARK.has(textAt(event, 'Type') ?? ''),
  },
  (json) => eventList(json).map(postmarkKind),
  'x-callback-secret',
);

export const mailjetCallback = sharedSecret(
  {
    id: 'Message_GUID',
    kind: 'event',
    kinds: {
      sent: 'delivered',
      open: 'opened',
      click: 'clicked',
      bounce: 'bounced',
      blocked: 'blocked',
      spam: 'spam',
      unsub: 'unsubscribed',
    },
    at: ['time'],
    recipient: ['email'],
    response: ['comment', 'error', 'smtp_reply'],
    hardBounce: (event) => textAt(event, 'event') === 'bounce' && at(event, 'hard_bounce') === true,
  },
  eventList,
);

export const sendinblueCallback = sharedSecret(
  {
    id: 'message-id',
    kind: 'event',
    kinds: {
      request: 'sent',
      delivered: 'delivered',
      hard_bounce: 'bounced',
      soft_bounce: 'bounced',
      deferred: 'deferred',
      blocked: 'blocked',
      invalid_email: 'rejected',
      error: 'rejected',
      spam: 'spam',
      opened: 'opened',
      unique_opened: 'opened',
      click: 'clicked',
      unsubscribed: 'unsubscribed',
    },
    at: ['ts_event', 'ts'],
    recipient: ['email'],
    response: ['reason'],
    hardBounce: (event) => ['hard_bounce', 'invalid_email'].includes(textAt(event, 'event') ?? ''),
  },
  eventList,
);

/** Bounce classes of addresses that do not exist. */
const HARD_SPARKPOST = new Set(['10', '30', '90']);

export const sparkpostCallback = sharedSecret(
  {
    id: 'transmission_id',
    kind: 'type',
    kinds: {
      injection: 'sent',
      delivery: 'delivered',
      bounce: 'bounced',
      out_of_band: 'bounced',
      delay: 'delayed',
      policy_rejection: 'rejected',
      generation_failure: 'dropped',
      generation_rejection: 'rejected',
      spam_complaint: 'complaint',
      open: 'opened',
      initial_open: 'opened',
      click: 'clicked',
      list_unsubscribe: 'unsubscribed',
      link_unsubscribe: 'unsubscribed',
    },
    at: ['timestamp'],
    recipient: ['rcpt_to'],
    response: ['raw_reason', 'reason'],
    hardBounce: (event) =>
      ['bounce', 'out_of_band'].includes(textAt(event, 'type') ?? '') &&
      HARD_SPARKPOST.has(textAt(event, 'bounce_class') ?? ''),
  },
  (json) => eventList(json).flatMap((item) => Object.values(at(item, 'msys') ?? {}) as unknown[]),
  'x-messagesystems-webhook-token',
);
