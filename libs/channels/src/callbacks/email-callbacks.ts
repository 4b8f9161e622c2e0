import { BATCH_BYTES, type ProviderCallback } from '../core/provider.js';
import { at, textAt } from '../declarative/json-path.js';
import { eventList, formBody, jsonBody, jsonOrNothing, readEvents, type EventSpec } from './callback-events.js';
import { derPublicKey, formSignature, hmac, isRecent, sameText, secretOf, verifies } from './signature.js';

const DAY_MS = 86_400_000;

const withoutBrackets = (id: string | undefined): string | undefined => id?.replace(/^<|>$/g, '');

const SENDGRID: EventSpec = {
  // The id of the request, and what SendGrid adds for each recipient.
  id: (event) => textAt(event, 'sg_message_id')?.replace(/\.(filter|recvd)[^]*$/, ''),
  kind: 'event',
  kinds: {
    processed: 'sent',
    delivered: 'delivered',
    deferred: 'deferred',
    bounce: 'bounced',
    blocked: 'blocked',
    dropped: 'dropped',
    open: 'opened',
    click: 'clicked',
    spamreport: 'spam',
    unsubscribe: 'unsubscribed',
    group_unsubscribe: 'unsubscribed',
  },
  at: ['timestamp'],
  recipient: ['email'],
  response: ['reason', 'response'],
  hardBounce: (event) => textAt(event, 'event') === 'bounce',
};

/** SendGrid retries for a day. */
const SENDGRID_AGE_S = 25 * 3_600;

/** ECDSA over timestamp and body; `callbackSecret` is the verification key of the signed event webhook. */
export const sendgridCallback: ProviderCallback = {
  maxBytes: BATCH_BYTES,
  verify: ({ headers, rawBody }, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const signature = headers['x-twilio-email-event-webhook-signature'];
    const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
    if (!key || !signature || timestamp === undefined || !isRecent(timestamp, SENDGRID_AGE_S)) return false;
    const signed = Buffer.concat([Buffer.from(timestamp), rawBody]);
    return verifies('sha256', signed, derPublicKey(key), Buffer.from(signature, 'base64'));
  },
  parse: (request) =>
    readEvents(
      eventList(jsonBody(request)).map((event) =>
        // A bounce of type "blocked" says nothing about the address.
        textAt(event, 'event') === 'bounce' && textAt(event, 'type') === 'blocked'
          ? { ...(event as object), event: 'blocked' }
          : event,
      ),
      SENDGRID,
    ),
};

const HARD_MAILGUN = new Set(['bounce', 'suppress-bounce']);

/** Mailgun retries for 8 hours. */
const MAILGUN_AGE_S = 9 * 3_600;
/** Exactly ten digits, because the signed text has no separator between timestamp and token. */
const MAILGUN_TIMESTAMP = /^\d{10}$/;

/**
 * HMAC over timestamp and token of the body; `callbackSecret` is the HTTP webhook signing key. The events are not
 * signed, so each token may come with one body only.
 */
export const mailgunCallback: ProviderCallback = {
  verify: (request, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const json = jsonOrNothing(request);
    const [signature, timestamp, token] = ['signature', 'timestamp', 'token'].map((name) =>
      textAt(json, `signature.${name}`),
    );
    if (!key || !signature || !timestamp || !token) return false;
    if (!MAILGUN_TIMESTAMP.test(timestamp) || !isRecent(timestamp, MAILGUN_AGE_S)) return false;
    return sameText(hmac('sha256', key, timestamp + token, 'hex'), signature);
  },
  once: (request) => {
    const json = jsonOrNothing(request);
    const seconds = Number(textAt(json, 'signature.timestamp'));
    const until = new Date((seconds + MAILGUN_AGE_S) * 1_000 + DAY_MS);
    return { word: textAt(json, 'signature.token') ?? '', until };
  },
  parse: (request) =>
    readEvents([at(jsonBody(request), 'event-data')].map(mailgunKind), {
      id: (event) => withoutBrackets(textAt(event, 'message.headers.message-id')),
      kind: 'event',
      kinds: {
        accepted: 'sent',
        rejected: 'rejected',
        delivered: 'delivered',
        'failed permanently': 'bounced',
        failed: 'deferred',
        opened: 'opened',
        clicked: 'clicked',
        unsubscribed: 'unsubscribed',
        complained: 'complaint',
      },
      at: ['timestamp'],
      recipient: ['recipient'],
      response: ['delivery-status.description', 'delivery-status.message', 'reason'],
      hardBounce: (event) =>
        textAt(event, 'event') === 'failed permanently' && HARD_MAILGUN.has(textAt(event, 'reason') ?? ''),
    }),
};

function mailgunKind(event: unknown): unknown {
  const permanent = textAt(event, 'event') === 'failed' && textAt(event, 'severity') === 'permanent';
  return permanent ? { ...(event as object), event: 'failed permanently' } : event;
}

/** Svix signature; `callbackSecret` is the signing secret (`whsec_...`). */
export const resendCallback: ProviderCallback = {
  verify: ({ headers, rawBody }, credentials) => {
    const secret = secretOf(credentials, 'callbackSecret');
    const id = headers['svix-id'];
    const timestamp = headers['svix-timestamp'];
    if (!secret || !id || !isRecent(timestamp)) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]);
    const expected = hmac('sha256', key, signed, 'base64');
    const given = (headers['svix-signature'] ?? '').split(' ');
    return given.some((part) => part.startsWith('v1,') && sameText(part.slice(3), expected));
  },
  parse: (request) =>
    readEvents([jsonBody(request)], {
      id: 'data.email_id',
      kind: 'type',
      kinds: {
        'email.sent': 'sent',
        'email.delivered': 'delivered',
        'email.delivery_delayed': 'delayed',
        'email.complained': 'complaint',
        'email.bounced': 'bounced',
        'email.opened': 'opened',
        'email.clicked': 'clicked',
        'email.failed': 'rejected',
        'email.suppressed': 'dropped',
      },
      at: ['created_at'],
      recipient: ['data.to.0'],
      response: ['data.bounce.message', 'data.failed.reason'],
      hardBounce: (event) =>
        textAt(event, 'type') === 'email.bounced' && (textAt(event, 'data.bounce.type') ?? 'Permanent') === 'Permanent',
    }),
};

/** `callbackSecret` is the signing secret of the webhook. */
export const mailersendCallback: ProviderCallback = {
  verify: ({ headers, rawBody }, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const signature = headers['signature'];
    return key !== undefined && signature !== undefined && sameText(hmac('sha256', key, rawBody, 'hex'), signature);
  },
  parse: (request) =>
    readEvents([jsonBody(request)], {
      id: 'data.email.message.id',
      kind: 'type',
      kinds: {
        'activity.sent': 'sent',
        'activity.delivered': 'delivered',
        'activity.soft_bounced': 'bounced',
        'activity.hard_bounced': 'bounced',
        'activity.opened': 'opened',
        'activity.clicked': 'clicked',
        'activity.unsubscribed': 'unsubscribed',
        'activity.spam_complaint': 'complaint',
      },
      at: ['data.created_at', 'created_at'],
      recipient: ['data.email.recipient.email'],
      response: ['data.morph.reason'],
      hardBounce: (event) => textAt(event, 'type') === 'activity.hard_bounced',
    }),
};

/** HMAC-SHA1 over URL and form; `callbackSecret` is the key of the webhook. */
export const mandrillCallback: ProviderCallback = {
  maxBytes: BATCH_BYTES,
  verify: (request, credentials) => {
    const key = secretOf(credentials, 'callbackSecret');
    const signature = request.headers['x-mandrill-signature'];
    if (!key || !signature) return false;
    return sameText(formSignature(request.url, formBody(request), key), signature);
  },
  parse: (request) => {
    const events = formBody(request).get('mandrill_events') ?? '';
    return readEvents(eventList(jsonBody({ rawBody: Buffer.from(events) })), {
      id: '_id',
      kind: 'event',
      kinds: {
        send: 'sent',
        delivered: 'delivered',
        deferral: 'deferred',
        hard_bounce: 'bounced',
        soft_bounce: 'bounced',
        open: 'opened',
        click: 'clicked',
        spam: 'spam',
        unsub: 'unsubscribed',
        reject: 'rejected',
      },
      at: ['ts'],
      recipient: ['msg.email'],
      response: ['msg.diag', 'msg.bounce_description'],
      hardBounce: (event) => textAt(event, 'event') === 'hard_bounce',
    });
  },
};
