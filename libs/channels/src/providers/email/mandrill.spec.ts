import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'mandrill',
    channel: 'email',
    message: EMAIL,
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
  });
});
