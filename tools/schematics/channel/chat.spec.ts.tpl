import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { CHAT } from '../../../test/provider-case.js';

describe('chat provider', () => {
  itBehavesLikeAnHttpProvider({
    id: '__file__',
    channel: 'chat',
    message: CHAT,
    credentials: __credentials__,
    request: {
      path: '/hook/secret-part?a=1', json: { text: 'Hello *Ada*' },
    },
    success: { status: 201, body: { id: '1' } },
    result: { id: '1' },
    failure: { body: { error: { message: 'No such recipient' } }, words: 'No such recipient' },
  });
});
