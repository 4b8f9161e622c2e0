import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, PDF, SENDER, type ProviderCase } from '../../../test/provider-case.js';

const FROM = { from: 'x@herald.example', senderName: 'x' };
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'sendgrid',
    credentials: { ...FROM, apiKey: 'SG.secret', ipPoolName: 'pool' },
    request: {
      path: '/v3/mail/send',
      headers: { authorization: 'Bearer SG.secret' },
      json: {
        personalizations: [
          {
            to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
            cc: [{ email: 'carl@example.com' }],
            bcc: [{ email: 'dora@example.com' }],
          },
        ],
        from: { email: 'news@herald.example', name: 'Herald "News"' },
        reply_to: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        content: [
          { type: 'text/plain', value: 'Hello' },
          { type: 'text/html', value: '<p>Hello</p>' },
        ],
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ content: PDF, filename: 'a.pdf', type: 'application/pdf', disposition: 'attachment' }],
        custom_args: { order: '7', kind: 'invoice' },
        ip_pool_name: 'pool',
      },
    },
    success: { status: 202, headers: { 'x-message-id': 'sg-1' }, body: '' },
    result: { id: 'sg-1' },
    failure: {
      body: { errors: [{ message: 'The from address is not verified', field: 'from' }] },
      words: 'not verified',
    },
    check: { method: 'GET', path: '/v3/scopes' },
  },
  {
    id: 'mailgun',
    credentials: { ...FROM, apiKey: 'key-secret', user: 'api', domain: 'mg.herald.example' },
    request: {
      path: '/v3/mg.herald.example/messages',
      headers: { authorization: basic('api', 'key-secret') },
      multipart: {
        from: SENDER,
        to: 'ada@example.com, bob@example.com',
        cc: 'carl@example.com',
        bcc: 'dora@example.com',
        subject: 'Größe ✓',
        text: 'Hello',
        html: '<p>Hello</p>',
        'h:Reply-To': 'reply@herald.example',
        'h:X-Campaign': 'spring',
        'v:order': '7',
        'v:kind': 'invoice',
        attachment: { name: 'a.pdf', type: 'application/pdf', text: '%PDF' },
      },
    },
    success: { body: { id: '<2026.1@mg.herald.example>', message: 'Queued. Thank you.' } },
    result: { id: '2026.1@mg.herald.example' },
    failure: { body: { message: 'to parameter is not a valid address' }, words: 'not a valid address' },
    check: { method: 'GET', path: '/v3/domains/mg.herald.example' },
  },
  {
    id: 'mailjet',
    credentials: { ...FROM, apiKey: 'mj-public', secretKey: 'mj-private' },
    request: {
      path: '/v3.1/send',
      headers: { authorization: basic('mj-public', 'mj-private') },
      json: {
        Messages: [
          {
            From: { Email: 'news@herald.example', Name: 'Herald "News"' },
            To: [{ Email: 'ada@example.com' }, { Email: 'bob@example.com' }],
            Cc: [{ Email: 'carl@example.com' }],
            Bcc: [{ Email: 'dora@example.com' }],
            ReplyTo: { Email: 'reply@herald.example' },
            Subject: 'Größe ✓',
            TextPart: 'Hello',
            HTMLPart: '<p>Hello</p>',
            Headers: { 'X-Campaign': 'spring' },
            Attachments: [{ ContentType: 'application/pdf', Filename: 'a.pdf', Base64Content: PDF }],
            CustomID: 'm-1',
            EventPayload: '{"order":7,"kind":"invoice"}',
          },
        ],
      },
    },
    success: {
      body: {
        Messages: [{ Status: 'success', To: [{ Email: 'ada@example.com', MessageUUID: 'uuid-1', MessageID: 1 }] }],
      },
    },
    result: { id: 'uuid-1' },
    failure: {
      body: {
        Messages: [
          { Status: 'error', Errors: [{ ErrorCode: 'mj-0013', ErrorMessage: 'is an invalid email address' }] },
        ],
      },
      words: 'invalid email address',
    },
    check: { method: 'GET', path: '/v3/REST/apikey' },
  },
  {
    id: 'mandrill',
    credentials: { ...FROM, apiKey: 'md-secret' },
    request: {
      path: '/api/1.0/messages/send.json',
      json: {
        key: 'md-secret',
        message: {
          html: '<p>Hello</p>',
          text: 'Hello',
          subject: 'Größe ✓',
          from_email: 'news@herald.example',
          from_name: 'Herald "News"',
          to: [
            { email: 'ada@example.com', type: 'to' },
            { email: 'bob@example.com', type: 'to' },
            { email: 'carl@example.com', type: 'cc' },
            { email: 'dora@example.com', type: 'bcc' },
          ],
          headers: { 'X-Campaign': 'spring', 'Reply-To': 'reply@herald.example' },
          metadata: { order: '7', kind: 'invoice' },
          attachments: [{ type: 'application/pdf', name: 'a.pdf', content: PDF }],
        },
        async: false,
      },
    },
    success: { body: [{ email: 'ada@example.com', status: 'sent', reject_reason: null, _id: 'md-1' }] },
    result: { id: 'md-1' },
    failure: {
      body: { status: 'error', code: -2, name: 'ValidationError', message: 'You must specify a key value' },
      words: 'must specify',
    },
    check: {
      method: 'POST',
      path: '/api/1.0/users/ping.json',
      json: { key: 'md-secret' },
      success: { body: '"PONG!"' },
    },
  },
  {
    id: 'postmark',
    credentials: { ...FROM, apiKey: 'pm-secret' },
    request: {
      path: '/email',
      headers: { 'x-postmark-server-token': 'pm-secret', accept: 'application/json' },
      json: {
        From: SENDER,
        To: 'ada@example.com, bob@example.com',
        Cc: 'carl@example.com',
        Bcc: 'dora@example.com',
        ReplyTo: 'reply@herald.example',
        Subject: 'Größe ✓',
        HtmlBody: '<p>Hello</p>',
        TextBody: 'Hello',
        Headers: [{ Name: 'X-Campaign', Value: 'spring' }],
        Attachments: [{ Name: 'a.pdf', Content: PDF, ContentType: 'application/pdf' }],
        Metadata: { order: '7', kind: 'invoice' },
      },
    },
    success: { body: { MessageID: 'pm-1', SubmittedAt: '2026-01-02T00:00:00Z', ErrorCode: 0, Message: 'OK' } },
    result: { id: 'pm-1', date: '2026-01-02T00:00:00Z' },
    failure: {
      body: { ErrorCode: 406, Message: 'You tried to send to an inactive recipient' },
      words: 'inactive recipient',
    },
    check: { method: 'GET', path: '/server' },
  },
];

describe('email providers, M to P and SendGrid', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'email', message: EMAIL });
});
