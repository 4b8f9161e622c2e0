import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'mailersend',
    channel: 'email',
    message: EMAIL,
    check: { method: 'GET', path: '/v1/api-quota' },
    credentials: { ...FROM, apiKey: 'mlsn.secret' },
    request: {
      path: '/v1/email',
      headers: { authorization: 'Bearer mlsn.secret' },
      json: {
        from: { email: 'news@herald.example', name: 'Herald "News"' },
        to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
        cc: [{ email: 'carl@example.com' }],
        bcc: [{ email: 'dora@example.com' }],
        reply_to: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: [{ name: 'X-Campaign', value: 'spring' }],
        attachments: [{ content: PDF, filename: 'a.pdf', disposition: 'attachment' }],
      },
    },
    success: { status: 202, headers: { 'x-message-id': 'ms-1' }, body: '' },
    result: { id: 'ms-1' },
    failure: { body: { message: 'The from.email must be verified.', errors: {} }, words: 'must be verified' },
  });
});
