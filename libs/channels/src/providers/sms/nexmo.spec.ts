import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'nexmo',
    channel: 'sms',
    message: SMS,
    check: { method: 'GET', path: '/account/get-balance?api_key=nx-public&api_secret=nx-secret' },
    credentials: { apiKey: 'nx-public', secretKey: 'nx-secret', from: 'x' },
    request: {
      path: '/sms/json',
      form: {
        api_key: 'nx-public',
        api_secret: 'nx-secret',
        from: '+4930111222',
        to: '4915112345678',
        text: 'Hello Ada',
        type: 'text',
        'client-ref': 'm-1',
      },
    },
    success: { body: { 'message-count': '1', messages: [{ to: '49', 'message-id': 'NX1', status: '0' }] } },
    result: { id: 'NX1' },
    failure: { body: { 'error-text': 'Missing text' }, words: 'Missing text' },
  });
});
