import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'azure-sms',
    channel: 'sms',
    message: SMS,
    credentials: { accessKey: 'endpoint=https://x.communication.azure.example/;accesskey=c2VjcmV0', from: 'x' },
    request: {
      path: '/sms?api-version=2021-03-07',
      headers: {
        'x-ms-date': 'Fri, 02 Jan 2026 03:04:05 GMT',
        'x-ms-content-sha256': expect.stringMatching(/^[\w+/]{43}=$/) as unknown,
        authorization: expect.stringMatching(
          /^HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=[\w+/]{43}=$/,
        ) as unknown,
      },
      json: {
        from: '+4930111222',
        smsRecipients: [{ to: '+4915112345678' }],
        message: 'Hello Ada',
        smsSendOptions: { enableDeliveryReport: true, tag: 'm-1' },
      },
    },
    success: {
      status: 202,
      body: { value: [{ to: '+49', messageId: 'Outgoing_1', httpStatusCode: 202, successful: true }] },
    },
    result: { id: 'Outgoing_1' },
    failure: { body: { error: { code: 'BadRequest', message: 'Invalid From phone number' } }, words: 'Invalid From' },
  });
});
