import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'sendinblue',
    channel: 'email',
    message: EMAIL,
    credentials: { ...FROM, apiKey: 'xkeysib-secret' },
    request: {
      path: '/v3/smtp/email',
      headers: { 'api-key': 'xkeysib-secret' },
      json: {
        sender: { email: 'news@herald.example', name: 'Herald "News"' },
        to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
        cc: [{ email: 'carl@example.com' }],
        bcc: [{ email: 'dora@example.com' }],
        replyTo: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        htmlContent: '<p>Hello</p>',
        textContent: 'Hello',
        headers: {
          'X-Campaign': 'spring',
          'X-Mailin-custom': '{"order":7,"kind":"invoice"}',
          idempotencyKey: 'be297454-6978-8373-9e6d-6da85c4be9f3',
        },
        attachment: [{ name: 'a.pdf', content: PDF }],
      },
    },
    success: { status: 201, body: { messageId: '<1@smtp-relay.example>' } },
    result: { id: '<1@smtp-relay.example>' },
    failure: { body: { code: 'invalid_parameter', message: 'sender is not valid' }, words: 'sender is not valid' },
    check: { method: 'GET', path: '/v3/account' },
  });
});
