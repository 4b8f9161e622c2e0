import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SERVER, SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'generic-sms',
    channel: 'sms',
    message: SMS,
    credentials: {
      baseUrl: `${SERVER}/sms`,
      apiKeyRequestHeader: 'X-Key',
      apiKey: 'gs-secret',
      secretKeyRequestHeader: 'X-Secret',
      secretKey: 'gs-secret-2',
      idPath: 'data.id',
      datePath: 'data.at',
      from: 'x',
    },
    request: {
      path: '/sms',
      headers: { 'x-key': 'gs-secret', 'x-secret': 'gs-secret-2' },
      json: { to: '+4915112345678', from: '+4930111222', sender: '+4930111222', content: 'Hello Ada', id: 'm-1' },
    },
    success: { body: { data: { id: 5, at: '2026-01-02T00:00:00Z' } } },
    result: { id: '5', date: '2026-01-02T00:00:00Z' },
    failure: { body: { message: 'no credit' }, words: 'no credit' },
  });
});
