import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, type ProviderCase, SMS } from '../../../test/provider-case.js';

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'sms77',
    credentials: { apiKey: 'sv-secret', from: 'x' },
    request: {
      path: '/api/sms',
      headers: { 'x-api-key': 'sv-secret' },
      json: { to: '+4915112345678', text: 'Hello Ada', from: '+4930111222' },
    },
    success: { body: { success: '100', messages: [{ id: '771', success: true, error: null }] } },
    result: { id: '771' },
    failure: {
      body: { success: '301', messages: [{ error_text: 'parameter to is missing' }] },
      words: 'to is missing',
    },
  },
  {
    id: 'forty-six-elks',
    check: { method: 'GET', path: '/a1/me' },
    credentials: { user: 'u1', password: 'elk-secret', from: 'x' },
    request: {
      path: '/a1/sms',
      headers: { authorization: basic('u1', 'elk-secret') },
      form: { from: '+4930111222', to: '+4915112345678', message: 'Hello Ada' },
    },
    success: { body: { id: 's1', status: 'created', created: '2026-01-02T00:00:00' } },
    result: { id: 's1', date: '2026-01-02T00:00:00' },
    failure: { body: 'Missing key from', words: 'Missing key from' },
  },
  {
    id: 'termii',
    check: { method: 'GET', path: '/api/get-balance?api_key=tm-secret' },
    credentials: { apiKey: 'tm-secret', from: 'x' },
    request: {
      path: '/api/sms/send',
      json: {
        api_key: 'tm-secret',
        to: '4915112345678',
        from: '+4930111222',
        sms: 'Hello Ada',
        type: 'plain',
        channel: 'generic',
      },
    },
    success: { body: { message_id: '9122', message: 'Successfully Sent', code: 'ok' } },
    result: { id: '9122' },
    failure: { body: { code: 400, message: 'Sender not registered' }, words: 'Sender not registered' },
  },
  {
    id: 'africas-talking',
    check: { method: 'GET', path: '/version1/user?username=herald' },
    credentials: { apiKey: 'at-secret', user: 'herald', from: 'x' },
    request: {
      path: '/version1/messaging',
      headers: { apikey: 'at-secret' },
      form: { username: 'herald', to: '+4915112345678', message: 'Hello Ada', from: '+4930111222' },
    },
    success: {
      status: 201,
      body: {
        SMSMessageData: {
          Message: 'Sent to 1/1',
          Recipients: [{ statusCode: 101, status: 'Success', messageId: 'AT1' }],
        },
      },
    },
    result: { id: 'AT1' },
    failure: { body: { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } }, words: 'InvalidSenderId' },
  },
  {
    id: 'brevo-sms',
    credentials: { apiKey: 'bv-secret', from: 'x' },
    request: {
      path: '/v3/transactionalSMS/sms',
      headers: { 'api-key': 'bv-secret' },
      json: {
        sender: '+4930111222',
        recipient: '+4915112345678',
        content: 'Hello Ada',
        type: 'transactional',
        unicodeEnabled: false,
      },
    },
    success: { status: 201, body: { messageId: 1511882900176220, reference: 'ab1' } },
    result: { id: '1511882900176220' },
    failure: { body: { code: 'invalid_parameter', message: 'Invalid telephone number' }, words: 'Invalid telephone' },
    check: { method: 'GET', path: '/v3/account' },
  },
];

describe('regional sms providers', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'sms', message: SMS });
});
