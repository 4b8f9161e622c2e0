import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'plivo',
    channel: 'sms',
    message: SMS,
    credentials: { accountSid: 'MA1', token: 'pl-secret', from: 'x' },
    request: {
      path: '/v1/Account/MA1/Message/',
      headers: { authorization: basic('MA1', 'pl-secret') },
      json: { src: '+4930111222', dst: '+4915112345678', text: 'Hello Ada' },
    },
    success: { status: 202, body: { message: 'message(s) queued', message_uuid: ['PL1'], api_id: 'a' } },
    result: { id: 'PL1' },
    failure: { body: { api_id: 'a', error: 'dst parameter is invalid' }, words: 'dst parameter' },
    check: { method: 'GET', path: '/v1/Account/MA1/' },
  });
});
