import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: '__file__',
    channel: 'sms',
    message: SMS,
    credentials: __credentials__,
    request: {
      path: '/v1/messages',
      headers: { authorization: 'Bearer __key__-secret' },
      json: { to: '+4915112345678', text: 'Hello Ada', from: '+4930111222' },
    },
    success: { status: 201, body: { id: '1' } },
    result: { id: '1' },
    failure: { body: { error: { message: 'No such recipient' } }, words: 'No such recipient' },
  });
});
