import type { Channel, OutboundMessage } from '../src/index.js';
import type { CannedAnswer } from './recording-server.js';

/** What one provider is expected to do, in the terms of its public documentation. */
export interface ProviderCase {
  id: string;
  channel: Channel;
  credentials: Record<string, unknown>;
  message: OutboundMessage;
  /** The exact request. Paths include the query; `json`, `form` and `multipart` are compared as a whole. */
  request: {
    method?: string;
    path: string;
    headers?: Record<string, unknown>;
    json?: unknown;
    form?: Record<string, string>;
    multipart?: Record<string, unknown>;
  };
  success: CannedAnswer;
  /** Id and date that the success gives; absent: none, and the time of sending. */
  result: { id?: string; date?: string };
  /** A documented error body and the words that must reach the reader. */
  failure: { body: unknown; words: string };
  /** Answers to requests that come before the message, such as fetching a token, by path. */
  prelude?: Record<string, CannedAnswer>;
  /** The request of the live check; absent when there is none. */
  check?: { method: string; path: string; json?: unknown; success?: CannedAnswer };
}

/** Providers that refuse with a success status as a rule: a body that breaks off proves nothing. */
export const REFUSE_IN_BODY: ReadonlySet<string> = new Set([
  'africas-talking',
  'azure-sms',
  'burst-sms',
  'clickatell',
  'clicksend',
  'expo',
  'firetext',
  'gupshup',
  'infobip-email',
  'infobip-sms',
  'mailjet',
  'mandrill',
  'msteams',
  'nexmo',
  'one-signal',
  'slack-app',
  'sms77',
  'termii',
]);

/** Endpoints of users and browsers: whether their answers name an id is up to them. */
export const NEED_NO_ID: ReadonlySet<string> = new Set(['email-webhook', 'push-webhook', 'web-push', 'chat-webhook']);

/** Where the recording server's address goes in credentials and messages. */
export const SERVER = 'http://server.invalid';

export const EMAIL = {
  channel: 'email',
  id: 'm-1',
  to: ['ada@example.com', 'bob@example.com'],
  from: 'news@herald.example',
  senderName: 'Herald "News"',
  subject: 'Größe ✓',
  html: '<p>Hello</p>',
  text: 'Hello',
  cc: ['carl@example.com'],
  bcc: ['dora@example.com'],
  replyTo: 'reply@herald.example',
  headers: { 'X-Campaign': 'spring' },
  attachments: [{ name: 'a.pdf', mime: 'application/pdf', content: Buffer.from('%PDF') }],
  customData: { order: 7, kind: 'invoice' },
} as const satisfies OutboundMessage;

/** The same for providers that take one recipient. */
export const EMAIL_TO_ONE = { ...EMAIL, to: ['ada@example.com'] } as const satisfies OutboundMessage;

/** The sender in the credentials of an email integration; messages name another one. */
export const FROM = { from: 'x@herald.example', senderName: 'x' };

export const SENDER = '"Herald \\"News\\"" <news@herald.example>';
export const PDF = Buffer.from('%PDF').toString('base64');

export const SMS = {
  channel: 'sms',
  id: 'm-1',
  to: '+4915112345678',
  from: '+4930111222',
  content: 'Hello Ada',
} as const satisfies OutboundMessage;

export const CHAT = {
  channel: 'chat',
  id: 'm-1',
  content: 'Hello *Ada*',
  webhookUrl: `${SERVER}/hook/secret-part?a=1`,
} as const satisfies OutboundMessage;

export const PUSH = {
  channel: 'push',
  id: 'm-1',
  target: ['token-1'],
  title: 'Hi',
  content: 'Hello Ada',
  payload: { order: 7 },
} as const satisfies OutboundMessage;

/** The header of HTTP basic authentication. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
