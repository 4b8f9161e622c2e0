import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL_TO_ONE, FROM, PDF } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'plunk',
    channel: 'email',
    message: { ...EMAIL_TO_ONE, cc: [], bcc: [] },
    credentials: { ...FROM, apiKey: 'sk_secret' },
    request: {
      path: '/v1/send',
      headers: { authorization: 'Bearer sk_secret' },
      json: {
        to: ['ada@example.com'],
        subject: 'Größe ✓',
        body: '<p>Hello</p>',
        name: 'Herald "News"',
        from: 'news@herald.example',
        reply: 'reply@herald.example',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ filename: 'a.pdf', content: PDF, contentType: 'application/pdf' }],
      },
    },
    success: { body: { success: true, emails: [{ contact: { id: 'c1', email: 'ada@example.com' }, email: 'pl-1' }] } },
    result: { id: 'pl-1' },
    failure: { body: { code: 400, error: 'Bad Request', message: 'from is not verified' }, words: 'not verified' },
  });
});
