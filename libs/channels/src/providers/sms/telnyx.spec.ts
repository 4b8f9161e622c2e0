import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'telnyx',
    channel: 'sms',
    message: SMS,
    credentials: { apiKey: 'KEY-secret', messageProfileId: 'profile-1', from: 'x' },
    request: {
      path: '/v2/messages',
      headers: { authorization: 'Bearer KEY-secret' },
      json: { from: '+4930111222', to: '+4915112345678', text: 'Hello Ada', messaging_profile_id: 'profile-1' },
    },
    success: { body: { data: { id: 'TX1' } } },
    result: { id: 'TX1' },
    failure: {
      body: { errors: [{ code: '40300', title: 'Invalid', detail: 'Blocked due to STOP message' }] },
      words: 'STOP',
    },
    check: { method: 'GET', path: '/v2/messaging_profiles/profile-1' },
  });
});
