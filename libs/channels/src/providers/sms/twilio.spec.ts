import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'twilio',
    channel: 'sms',
    message: SMS,
    credentials: { accountSid: 'AC1', token: 'tw-secret', from: '+1' },
    request: {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      headers: { authorization: basic('AC1', 'tw-secret') },
      form: { To: '+4915112345678', From: '+4930111222', Body: 'Hello Ada' },
    },
    success: { status: 201, body: { sid: 'SM1', status: 'queued' } },
    result: { id: 'SM1' },
    failure: { body: { code: 21211, message: "The 'To' number is not valid", status: 400 }, words: 'not valid' },
    check: { method: 'GET', path: '/2010-04-01/Accounts/AC1.json' },
  });
});
