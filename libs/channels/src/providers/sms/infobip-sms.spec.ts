import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'infobip-sms',
    channel: 'sms',
    message: SMS,
    check: { method: 'GET', path: '/account/1/balance' },
    credentials: { apiKey: 'ib-secret', baseUrl: 'x.api.infobip.example', from: 'x' },
    request: {
      path: '/sms/2/text/advanced',
      headers: { authorization: 'App ib-secret' },
      json: { messages: [{ from: '+4930111222', destinations: [{ to: '4915112345678' }], text: 'Hello Ada' }] },
    },
    success: { body: { messages: [{ messageId: 'IB1', status: { groupName: 'PENDING' } }] } },
    result: { id: 'IB1' },
    failure: {
      body: { requestError: { serviceException: { messageId: 'BAD_REQUEST', text: 'Bad Request: sender' } } },
      words: 'Bad Request: sender',
    },
  });
});
