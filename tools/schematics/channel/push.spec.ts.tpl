import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { PUSH } from '../../../test/provider-case.js';

describe('push provider', () => {
  itBehavesLikeAnHttpProvider({
    id: '__file__',
    channel: 'push',
    message: PUSH,
    credentials: __credentials__,
    request: {
      path: '/v1/notifications',
      headers: { authorization: 'Bearer __key__-secret' },
      json: { to: ['token-1'], title: 'Hi', body: 'Hello Ada', data: { order: 7 } },
    },
    success: { status: 201, body: { id: '1' } },
    result: { id: '1' },
    failure: { body: { error: { message: 'No such recipient' } }, words: 'No such recipient' },
  });
});
