import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'postmark',
    channel: 'email',
    message: EMAIL,
    credentials: { ...FROM, apiKey: 'pm-secret' },
    request: {
      path: '/email',
      headers: { 'x-postmark-server-token': 'pm-secret', accept: 'application/json' },
      json: {
        From: SENDER,
        To: 'ada@example.com, bob@example.com',
        Cc: 'carl@example.com',
        Bcc: 'dora@example.com',
        ReplyTo: 'reply@herald.example',
        Subject: 'Größe ✓',
        HtmlBody: '<p>Hello</p>',
        TextBody: 'Hello',
        Headers: [{ Name: 'X-Campaign', Value: 'spring' }],
        Attachments: [{ Name: 'a.pdf', Content: PDF, ContentType: 'application/pdf' }],
        Metadata: { order: '7', kind: 'invoice' },
      },
    },
    success: { body: { MessageID: 'pm-1', SubmittedAt: '2026-01-02T00:00:00Z', ErrorCode: 0, Message: 'OK' } },
    result: { id: 'pm-1', date: '2026-01-02T00:00:00Z' },
    failure: {
      body: { ErrorCode: 406, Message: 'You tried to send to an inactive recipient' },
      words: 'inactive recipient',
    },
    check: { method: 'GET', path: '/server' },
  });
});
