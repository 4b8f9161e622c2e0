import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'resend',
    channel: 'email',
    message: EMAIL,
    credentials: { ...FROM, apiKey: 're_secret' },
    request: {
      path: '/emails',
      headers: { authorization: 'Bearer re_secret', 'idempotency-key': 'key-1' },
      json: {
        from: SENDER,
        to: ['ada@example.com', 'bob@example.com'],
        cc: ['carl@example.com'],
        bcc: ['dora@example.com'],
        reply_to: 'reply@herald.example',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ filename: 'a.pdf', content: PDF, content_type: 'application/pdf' }],
        tags: [
          { name: 'order', value: '7' },
          { name: 'kind', value: 'invoice' },
        ],
      },
    },
    success: { body: { id: 're-1' } },
    result: { id: 're-1' },
    failure: {
      body: { statusCode: 400, name: 'validation_error', message: 'Invalid `to` field' },
      words: 'Invalid `to`',
    },
    check: { method: 'GET', path: '/domains' },
  });
});
