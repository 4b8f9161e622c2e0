import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { CallbackEvent, CallbackRequest, Channel } from '../src/index.js';

const SECRET = 'callback-secret';
const URL_ = 'https://herald.example/callbacks/1?x=1';
/** When the signed requests of the cases were made, in seconds. */
export const NOW_S = 1_767_323_045;

type Parts = Partial<Omit<CallbackRequest, 'rawBody'>> & { body?: unknown };

/** A request at the callback's URL. */
export function callbackRequest({ body = '', headers = {}, ...rest }: Parts): CallbackRequest {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { headers, query: {}, url: URL_, ...rest, rawBody };
}

const hmac = (algorithm: string, key: string | Buffer, data: string): ReturnType<typeof createHmac> =>
  createHmac(algorithm, key).update(data);
const basic = (pair: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
});

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const ecPublic = ec.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const edPublic = ed.publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64');

export interface CallbackCase {
  id: string;
  channel?: Channel;
  credentials: Record<string, string>;
  body: unknown;
  /** A good request for the body. */
  signed: (body: string) => Partial<CallbackRequest>;
  events: Partial<CallbackEvent>[];
}

const at = new Date(NOW_S * 1_000);

export const mailgunBody = (event: object): object => ({
  signature: { timestamp: String(NOW_S), token: 't', signature: hmac('sha256', SECRET, `${NOW_S}t`).digest('hex') },
  'event-data': {
    timestamp: NOW_S,
    recipient: 'a@b.example',
    message: { headers: { 'message-id': 'mg-1@d' } },
    ...event,
  },
});

const svix = (body: string): Partial<CallbackRequest> => {
  const key = Buffer.from('c2VjcmV0LWtleQ==', 'base64');
  const signature = hmac('sha256', key, `id1.${NOW_S}.${body}`).digest('base64');
  return {
    headers: { 'svix-id': 'id1', 'svix-timestamp': String(NOW_S), 'svix-signature': `v1,AAAA v1,${signature}` },
  };
};

/** A signed request of each provider and what it says. */
export const CALLBACK_CASES: CallbackCase[] = [
  {
    id: 'slack-app',
    channel: 'chat',
    credentials: { callbackSecret: SECRET },
    body: `payload=${encodeURIComponent('{"type":"view_closed"}')}`,
    signed: (body) => ({
      headers: {
        'x-slack-request-timestamp': String(NOW_S),
        'x-slack-signature': `v0=${hmac('sha256', SECRET, `v0:${NOW_S}:${body}`).digest('hex')}`,
      },
    }),
    events: [],
  },
  {
    id: 'discord',
    channel: 'chat',
    credentials: { callbackSecret: Buffer.from(edPublic, 'base64').toString('hex') },
    body: { type: 2 },
    signed: (body) => ({
      headers: {
        'x-signature-timestamp': String(NOW_S),
        'x-signature-ed25519': sign(null, Buffer.from(`${NOW_S}${body}`), ed.privateKey).toString('hex'),
      },
    }),
    events: [],
  },
  {
    id: 'telegram',
    channel: 'chat',
    credentials: { callbackSecret: SECRET },
    body: { update_id: 1, message: { message_id: 1, text: 'Hello', chat: { id: 42 } } },
    signed: () => ({ headers: { 'x-telegram-bot-api-secret-token': SECRET } }),
    events: [],
  },
  {
    id: 'sendgrid',
    credentials: { callbackSecret: ecPublic },
    body: [
      {
        event: 'delivered',
        sg_message_id: 'abc.def.recvd-1-2.0',
        timestamp: NOW_S,
        email: 'a@b.example',
        response: '250 OK',
      },
      { event: 'bounce', type: 'bounce', sg_message_id: 'abc.def.filter0001.1', timestamp: NOW_S, reason: '550 no' },
      { event: 'bounce', type: 'blocked', sg_message_id: 'abc.def', timestamp: NOW_S },
      { event: 'something_new', sg_message_id: 'abc.def' },
    ],
    signed: (body) => ({
      headers: {
        'x-twilio-email-event-webhook-timestamp': String(NOW_S),
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(`${NOW_S}${body}`),
          ec.privateKey,
        ).toString('base64'),
      },
    }),
    events: [
      { messageIdentifier: 'abc.def', status: 'delivered', at, recipient: 'a@b.example', response: '250 OK' },
      { messageIdentifier: 'abc.def', status: 'bounced', at, response: '550 no', hardBounce: true },
      { messageIdentifier: 'abc.def', status: 'blocked', at },
    ],
  },
  {
    id: 'mailgun',
    credentials: { callbackSecret: SECRET },
    body: mailgunBody({
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { message: 'no such user' },
    }),
    signed: () => ({}),
    events: [
      {
        messageIdentifier: 'mg-1@d',
        status: 'bounced',
        at,
        recipient: 'a@b.example',
        response: 'no such user',
        hardBounce: true,
      },
    ],
  },
  {
    id: 'resend',
    credentials: { callbackSecret: 'whsec_c2VjcmV0LWtleQ==' },
    body: {
      type: 'email.bounced',
      created_at: at.toISOString(),
      data: { email_id: 're-1', to: ['a@b.example'], bounce: { type: 'Permanent', message: 'no such user' } },
    },
    signed: svix,
    events: [
      {
        messageIdentifier: 're-1',
        status: 'bounced',
        at,
        recipient: 'a@b.example',
        response: 'no such user',
        hardBounce: true,
      },
    ],
  },
  {
    id: 'mailersend',
    credentials: { callbackSecret: SECRET },
    body: {
      type: 'activity.soft_bounced',
      data: { created_at: at.toISOString(), email: { message: { id: 'ms-1' }, recipient: { email: 'a@b.example' } } },
    },
    signed: (body) => ({ headers: { signature: hmac('sha256', SECRET, body).digest('hex') } }),
    events: [{ messageIdentifier: 'ms-1', status: 'bounced', at, recipient: 'a@b.example' }],
  },
  {
    id: 'mandrill',
    credentials: { callbackSecret: SECRET },
    body: `mandrill_events=${encodeURIComponent(
      JSON.stringify([
        { event: 'hard_bounce', _id: 'md-1', ts: NOW_S, msg: { email: 'a@b.example', diag: 'smtp;550' } },
      ]),
    )}`,
    signed: (body) => ({
      headers: {
        'x-mandrill-signature': hmac(
          'sha1',
          SECRET,
          `${URL_}mandrill_events${new URLSearchParams(body).get('mandrill_events')}`,
        ).digest('base64'),
      },
    }),
    events: [
      {
        messageIdentifier: 'md-1',
        status: 'bounced',
        at,
        recipient: 'a@b.example',
        response: 'smtp;550',
        hardBounce: true,
      },
    ],
  },
  {
    id: 'postmark',
    credentials: { callbackSecret: `user:${SECRET}` },
    body: {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      MessageID: 'pm-1',
      Email: 'a@b.example',
      BouncedAt: at.toISOString(),
      Details: 'gone',
    },
    signed: () => ({ headers: basic(`user:${SECRET}`) }),
    events: [
      {
        messageIdentifier: 'pm-1',
        status: 'bounced',
        at,
        recipient: 'a@b.example',
        response: 'gone',
        hardBounce: true,
      },
    ],
  },
  {
    id: 'mailjet',
    credentials: { callbackSecret: SECRET },
    body: [{ event: 'sent', Message_GUID: 'mj-1', time: NOW_S, email: 'a@b.example', smtp_reply: '250 ok' }],
    signed: () => ({ headers: basic(`anybody:${SECRET}`) }),
    events: [{ messageIdentifier: 'mj-1', status: 'delivered', at, recipient: 'a@b.example', response: '250 ok' }],
  },
  {
    id: 'sendinblue',
    credentials: { callbackSecret: SECRET },
    body: { event: 'hard_bounce', 'message-id': '<1@x>', ts_event: NOW_S, email: 'a@b.example', reason: 'gone' },
    signed: () => ({ headers: { authorization: `Bearer ${SECRET}` } }),
    events: [
      {
        messageIdentifier: '<1@x>',
        status: 'bounced',
        at,
        recipient: 'a@b.example',
        response: 'gone',
        hardBounce: true,
      },
    ],
  },
  {
    id: 'sparkpost',
    credentials: { callbackSecret: SECRET },
    body: [
      {
        msys: {
          message_event: {
            type: 'bounce',
            bounce_class: '10',
            transmission_id: 'sp-1',
            rcpt_to: 'a@b.example',
            timestamp: String(NOW_S),
            raw_reason: '550',
          },
        },
      },
      { msys: { track_event: { type: 'open', transmission_id: 'sp-1', timestamp: String(NOW_S) } } },
      { msys: {} },
    ],
    signed: () => ({ headers: { 'x-messagesystems-webhook-token': SECRET } }),
    events: [
      { messageIdentifier: 'sp-1', status: 'bounced', at, recipient: 'a@b.example', response: '550', hardBounce: true },
      { messageIdentifier: 'sp-1', status: 'opened', at },
    ],
  },
  {
    id: 'twilio',
    channel: 'sms',
    credentials: { token: SECRET },
    body: 'MessageSid=SM1&MessageStatus=undelivered&ErrorCode=30005&To=%2B49151',
    signed: () => ({
      headers: {
        'x-twilio-signature': hmac(
          'sha1',
          SECRET,
          `${URL_}ErrorCode30005MessageSidSM1MessageStatusundeliveredTo+49151`,
        ).digest('base64'),
      },
    }),
    events: [
      { messageIdentifier: 'SM1', status: 'undelivered', recipient: '+49151', response: '30005', hardBounce: true },
    ],
  },
  {
    id: 'telnyx',
    channel: 'sms',
    credentials: { callbackSecret: edPublic },
    body: {
      data: {
        event_type: 'message.finalized',
        occurred_at: at.toISOString(),
        payload: { id: 'TX1', to: [{ phone_number: '+49151', status: 'delivered' }] },
      },
    },
    signed: (body) => ({
      headers: {
        'telnyx-timestamp': String(NOW_S),
        'telnyx-signature-ed25519': sign(null, Buffer.from(`${NOW_S}|${body}`), ed.privateKey).toString('base64'),
      },
    }),
    events: [{ messageIdentifier: 'TX1', status: 'delivered', at, recipient: '+49151' }],
  },
];
