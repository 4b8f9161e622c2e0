import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'sparkpost',
    channel: 'email',
    message: EMAIL,
    check: { method: 'GET', path: '/api/v1/account' },
    credentials: { ...FROM, apiKey: 'sp-secret' },
    request: {
      path: '/api/v1/transmissions',
      headers: { authorization: 'sp-secret' },
      json: {
        recipients: [
          { address: { email: 'ada@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'bob@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'carl@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'dora@example.com', header_to: 'ada@example.com, bob@example.com' } },
        ],
        content: {
          from: { email: 'news@herald.example', name: 'Herald "News"' },
          subject: 'Größe ✓',
          html: '<p>Hello</p>',
          text: 'Hello',
          reply_to: 'reply@herald.example',
          headers: { 'X-Campaign': 'spring', CC: 'carl@example.com' },
          attachments: [{ name: 'a.pdf', type: 'application/pdf', data: PDF }],
        },
        metadata: { order: 7, kind: 'invoice' },
      },
    },
    success: { body: { results: { total_accepted_recipients: 4, id: '11668787484950529' } } },
    result: { id: '11668787484950529' },
    failure: {
      body: { errors: [{ message: 'invalid', description: 'Unconfigured sending domain' }] },
      words: 'Unconfigured',
    },
  });
});
