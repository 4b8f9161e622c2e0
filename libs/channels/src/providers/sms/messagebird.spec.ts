import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'messagebird',
    channel: 'sms',
    message: SMS,
    credentials: { accessKey: 'mb-secret', from: 'x' },
    request: {
      path: '/messages',
      headers: { authorization: 'AccessKey mb-secret' },
      json: {
        originator: '+4930111222',
        recipients: ['4915112345678'],
        body: 'Hello Ada',
        datacoding: 'auto',
        reference: 'm-1',
      },
    },
    success: { status: 201, body: { id: 'MB1', createdDatetime: '2026-01-02T00:00:00+00:00' } },
    result: { id: 'MB1', date: '2026-01-02T00:00:00+00:00' },
    failure: { body: { errors: [{ code: 9, description: 'no (correct) recipients found' }] }, words: 'recipients' },
    check: { method: 'GET', path: '/balance' },
  });
});
