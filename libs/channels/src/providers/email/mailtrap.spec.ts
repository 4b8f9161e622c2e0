import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'mailtrap',
    channel: 'email',
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
  });
});
