import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, EMAIL, FROM, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'mailgun',
    channel: 'email',
    message: EMAIL,
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
  });
});
