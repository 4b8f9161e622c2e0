import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, PDF, SENDER, type ProviderCase } from '../../../test/provider-case.js';

const FROM = { from: 'x@herald.example', senderName: 'x' };
const ONE = { ...EMAIL, to: ['ada@example.com'] };

const CASES: Omit<ProviderCase, 'channel'>[] = [
  {
    id: 'mailtrap',
    message: EMAIL,
    credentials: { ...FROM, apiKey: 'mt-secret' },
    request: {
      path: '/api/send',
      headers: { authorization: 'Bearer mt-secret' },
      json: {
        from: { email: 'news@herald.example', name: 'Herald "News"' },
        to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
        cc: [{ email: 'carl@example.com' }],
        bcc: [{ email: 'dora@example.com' }],
        reply_to: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ content: PDF, filename: 'a.pdf', type: 'application/pdf', disposition: 'attachment' }],
        custom_variables: { order: '7', kind: 'invoice' },
      },
    },
    success: { body: { success: true, message_ids: ['mt-1'] } },
    result: { id: 'mt-1' },
    failure: { body: { success: false, errors: ["'subject' is required"] }, words: 'is required' },
  },
  {
    id: 'plunk',
    message: { ...ONE, cc: [], bcc: [] },
    credentials: { ...FROM, apiKey: 'sk_secret' },
    request: {
      path: '/v1/send',
      headers: { authorization: 'Bearer sk_secret' },
      json: {
        to: ['ada@example.com'],
        subject: 'Größe ✓',
        body: '<p>Hello</p>',
        name: 'Herald "News"',
        from: 'news@herald.example',
        reply: 'reply@herald.example',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ filename: 'a.pdf', content: PDF, contentType: 'application/pdf' }],
      },
    },
    success: { body: { success: true, emails: [{ contact: { id: 'c1', email: 'ada@example.com' }, email: 'pl-1' }] } },
    result: { id: 'pl-1' },
    failure: { body: { code: 400, error: 'Bad Request', message: 'from is not verified' }, words: 'not verified' },
  },
  {
    id: 'infobip-email',
    check: { method: 'GET', path: '/account/1/balance' },
    message: ONE,
    credentials: { ...FROM, apiKey: 'ib-secret', baseUrl: 'x.api.infobip.example' },
    request: {
      path: '/email/3/send',
      headers: { authorization: 'App ib-secret' },
      multipart: {
        from: SENDER,
        to: 'ada@example.com',
        cc: 'carl@example.com',
        bcc: 'dora@example.com',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        replyTo: 'reply@herald.example',
        callbackData: 'm-1',
        attachment: { name: 'a.pdf', type: 'application/pdf', text: '%PDF' },
      },
    },
    success: { body: { messages: [{ messageId: 'ib-1', status: { groupName: 'PENDING' } }] } },
    result: { id: 'ib-1' },
    failure: {
      body: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Missing from' } } },
      words: 'Missing from',
    },
  },
];

describe('email providers beyond the large ones', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'email' });
});
