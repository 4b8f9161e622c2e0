import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'sendgrid',
    channel: 'email',
    message: EMAIL,
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
  });
});
