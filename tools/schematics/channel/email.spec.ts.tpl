import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, PDF, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: '__file__',
    channel: 'email',
    message: EMAIL,
    credentials: __credentials__,
    request: {
      path: '/v1/mails',
      headers: { authorization: 'Bearer __key__-secret' },
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
        attachments: [{ name: 'a.pdf', type: 'application/pdf', content: PDF }],
      },
    },
    success: { status: 201, body: { id: '1' } },
    result: { id: '1' },
    failure: { body: { error: { message: 'No such recipient' } }, words: 'No such recipient' },
  });
});
