import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL_TO_ONE, FROM, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'infobip-email',
    channel: 'email',
    check: { method: 'GET', path: '/account/1/balance' },
    message: EMAIL_TO_ONE,
    credentials: { ...FROM, apiKey: 'ib-secret', baseUrl: 'x.api.infobip.example' },
    request: {
      path: '/email/3/send',
      headers: { authorization: 'App ib-secret' },
      multipart: {
        from: SENDER,
        to: 'ada@example.com',
        cc: 'carl@example.com',
        bcc: 'dora@example.com',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        replyTo: 'reply@herald.example',
        callbackData: 'm-1',
        attachment: { name: 'a.pdf', type: 'application/pdf', text: '%PDF' },
      },
    },
    success: { body: { messages: [{ messageId: 'ib-1', status: { groupName: 'PENDING' } }] } },
    result: { id: 'ib-1' },
    failure: {
      body: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Missing from' } } },
      words: 'Missing from',
    },
  });
});
