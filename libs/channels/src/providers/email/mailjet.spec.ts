import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, EMAIL, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'mailjet',
    channel: 'email',
    message: EMAIL,
    credentials: { ...FROM, apiKey: 'mj-public', secretKey: 'mj-private' },
    request: {
      path: '/v3.1/send',
      headers: { authorization: basic('mj-public', 'mj-private') },
      json: {
        Messages: [
          {
            From: { Email: 'news@herald.example', Name: 'Herald "News"' },
            To: [{ Email: 'ada@example.com' }, { Email: 'bob@example.com' }],
            Cc: [{ Email: 'carl@example.com' }],
            Bcc: [{ Email: 'dora@example.com' }],
            ReplyTo: { Email: 'reply@herald.example' },
            Subject: 'Größe ✓',
            TextPart: 'Hello',
            HTMLPart: '<p>Hello</p>',
            Headers: { 'X-Campaign': 'spring' },
            Attachments: [{ ContentType: 'application/pdf', Filename: 'a.pdf', Base64Content: PDF }],
            CustomID: 'm-1',
            EventPayload: '{"order":7,"kind":"invoice"}',
          },
        ],
      },
    },
    success: {
      body: {
        Messages: [{ Status: 'success', To: [{ Email: 'ada@example.com', MessageUUID: 'uuid-1', MessageID: 1 }] }],
      },
    },
    result: { id: 'uuid-1' },
    failure: {
      body: {
        Messages: [
          { Status: 'error', Errors: [{ ErrorCode: 'mj-0013', ErrorMessage: 'is an invalid email address' }] },
        ],
      },
      words: 'invalid email address',
    },
    check: { method: 'GET', path: '/v3/REST/apikey' },
  });
});
