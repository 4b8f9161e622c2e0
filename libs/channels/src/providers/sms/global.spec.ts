import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, type ProviderCase, SMS } from '../../../test/provider-case.js';

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'clicksend',
    credentials: { user: 'u1', apiKey: 'cs-secret', from: 'x' },
    request: {
      path: '/v3/sms/send',
      headers: { authorization: basic('u1', 'cs-secret') },
      json: {
        messages: [
          { to: '+4915112345678', from: '+4930111222', body: 'Hello Ada', source: 'herald', custom_string: 'm-1' },
        ],
      },
    },
    success: { body: { response_code: 'SUCCESS', data: { messages: [{ message_id: 'CS1', status: 'SUCCESS' }] } } },
    result: { id: 'CS1' },
    failure: {
      body: { http_code: 400, response_code: 'BAD_REQUEST', response_msg: 'The messages field is required' },
      words: 'is required',
    },
    check: { method: 'GET', path: '/v3/account' },
  },
  {
    id: 'bandwidth',
    credentials: { user: 'u1', password: 'bw-secret', accountSid: 'acc', applicationId: 'app', from: 'x' },
    request: {
      path: '/api/v2/users/acc/messages',
      headers: { authorization: basic('u1', 'bw-secret') },
      json: { applicationId: 'app', to: ['+4915112345678'], from: '+4930111222', text: 'Hello Ada', tag: 'm-1' },
    },
    success: { status: 202, body: { id: 'BW1', time: '2026-01-02T00:00:00.000Z' } },
    result: { id: 'BW1', date: '2026-01-02T00:00:00.000Z' },
    failure: { body: { type: 'request-validation', description: "'from' is not valid" }, words: 'not valid' },
  },
  {
    id: 'bulk-sms',
    check: { method: 'GET', path: '/v1/profile' },
    credentials: { apiToken: 'token-id:bs-secret' },
    request: {
      path: '/v1/messages',
      headers: { authorization: basic('token-id', 'bs-secret') },
      json: { to: '+4915112345678', from: '+4930111222', body: 'Hello Ada', encoding: 'TEXT' },
    },
    success: { status: 201, body: [{ id: 'BS1', type: 'SENT' }] },
    result: { id: 'BS1' },
    failure: { body: { title: 'Bad Request', detail: 'No recipients', status: 400 }, words: 'No recipients' },
  },
  {
    id: 'clickatell',
    credentials: { apiKey: 'ct-secret' },
    request: {
      path: '/v1/message',
      headers: { authorization: 'ct-secret' },
      json: { messages: [{ channel: 'sms', to: '4915112345678', content: 'Hello Ada', from: '+4930111222' }] },
    },
    success: { status: 202, body: { messages: [{ apiMessageId: 'CT1', accepted: true, error: null }], error: null } },
    result: { id: 'CT1' },
    failure: {
      body: { messages: [{ accepted: false, error: { code: 13, description: 'Invalid destination' } }], error: null },
      words: 'Invalid destination',
    },
  },
  {
    id: 'burst-sms',
    check: { method: 'GET', path: '/get-balance.json' },
    credentials: { apiKey: 'bu-key', secretKey: 'bu-secret' },
    request: {
      path: '/send-sms.json',
      headers: { authorization: basic('bu-key', 'bu-secret') },
      form: { message: 'Hello Ada', to: '4915112345678', from: '+4930111222' },
    },
    success: { body: { message_id: 28076, error: { code: 'SUCCESS', description: 'OK' } } },
    result: { id: '28076' },
    failure: {
      body: { error: { code: 'FIELD_INVALID', description: 'from is not valid' } },
      words: 'from is not valid',
    },
  },
  {
    id: 'kannel',
    credentials: { host: '127.0.0.1', port: '13013', user: 'u1', password: 'kn-secret', from: 'x' },
    request: {
      method: 'GET',
      path: '/cgi-bin/sendsms?username=u1&password=kn-secret&from=%2B4930111222&to=%2B4915112345678&text=Hello+Ada&charset=UTF-8&coding=0',
    },
    success: { status: 202, body: '0: Accepted for delivery' },
    result: {},
    failure: { body: 'Empty receiver number not allowed', words: 'Empty receiver' },
  },
  {
    id: 'simpletexting',
    credentials: { apiKey: 'st-secret', from: 'x' },
    request: {
      path: '/api/messages',
      headers: { authorization: 'Bearer st-secret' },
      json: { contactPhone: '4915112345678', accountPhone: '4930111222', mode: 'AUTO', text: 'Hello Ada' },
    },
    success: { status: 201, body: { id: 'ST1', credits: 1 } },
    result: { id: 'ST1' },
    failure: { body: { code: 'INVALID_PHONE', details: 'Contact phone is not valid' }, words: 'is not valid' },
  },
];

describe('global sms providers', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'sms', message: SMS });
});
