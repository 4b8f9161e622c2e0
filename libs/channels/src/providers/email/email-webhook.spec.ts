import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF, SERVER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'email-webhook',
    channel: 'email',
    message: EMAIL,
    credentials: { ...FROM, webhookUrl: `${SERVER}/mail`, secretKey: 'hook-secret' },
    request: {
      path: '/mail',
      headers: { 'x-novu-signature': expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, 'idempotency-key': 'key-1' },
      json: {
        id: 'm-1',
        from: 'news@herald.example',
        senderName: 'Herald "News"',
        to: ['ada@example.com', 'bob@example.com'],
        cc: ['carl@example.com'],
        bcc: ['dora@example.com'],
        replyTo: 'reply@herald.example',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ name: 'a.pdf', mime: 'application/pdf', file: PDF }],
        customData: { order: 7, kind: 'invoice' },
      },
    },
    success: { body: { id: 'wh-1' } },
    result: { id: 'wh-1' },
    failure: { body: { message: 'no such list' }, words: 'no such list' },
  });
});
