import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SERVER, SMS, type ProviderCase } from '../../../test/provider-case.js';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'twilio',
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
  },
  {
    id: 'nexmo',
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
  },
  {
    id: 'plivo',
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
  },
  {
    id: 'sns',
    check: { method: 'POST', path: '/' },
    credentials: { apiKey: 'AKIDEXAMPLE', secretKey: 'aws-secret', region: 'eu-west-1' },
    request: {
      path: '/',
      headers: {
        authorization: expect.stringMatching(/Credential=AKIDEXAMPLE\/20260102\/eu-west-1\/sns\/aws4_request/),
      },
      form: {
        Action: 'Publish',
        Version: '2010-03-31',
        PhoneNumber: '+4915112345678',
        Message: 'Hello Ada',
        'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
        'MessageAttributes.entry.1.Value.DataType': 'String',
        'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
        'MessageAttributes.entry.2.Name': 'AWS.MM.SMS.OriginationNumber',
        'MessageAttributes.entry.2.Value.DataType': 'String',
        'MessageAttributes.entry.2.Value.StringValue': '+4930111222',
      },
    },
    success: {
      body: '<PublishResponse><PublishResult><MessageId>sns-1</MessageId></PublishResult></PublishResponse>',
    },
    result: { id: 'sns-1' },
    failure: {
      body: '<ErrorResponse><Error><Code>InvalidParameter</Code><Message>Invalid parameter: PhoneNumber</Message></Error></ErrorResponse>',
      words: 'Invalid parameter: PhoneNumber',
    },
  },
  {
    id: 'telnyx',
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
  },
  {
    id: 'messagebird',
    credentials: { accessKey: 'mb-secret', from: 'x' },
    request: {
      path: '/messages',
      headers: { authorization: 'AccessKey mb-secret' },
      json: {
        originator: '+4930111222',
        recipients: ['4915112345678'],
        body: 'Hello Ada',
        datacoding: 'auto',
        reference: 'm-1',
      },
    },
    success: { status: 201, body: { id: 'MB1', createdDatetime: '2026-01-02T00:00:00+00:00' } },
    result: { id: 'MB1', date: '2026-01-02T00:00:00+00:00' },
    failure: { body: { errors: [{ code: 9, description: 'no (correct) recipients found' }] }, words: 'recipients' },
    check: { method: 'GET', path: '/balance' },
  },
  {
    id: 'infobip-sms',
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
  },
  {
    id: 'generic-sms',
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
  },
];

describe('sms providers', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'sms', message: SMS });
});
