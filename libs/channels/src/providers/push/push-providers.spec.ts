import { generateKeyPairSync } from 'node:crypto';
import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { PUSH, SERVER, type ProviderCase } from '../../../test/provider-case.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SERVICE_ACCOUNT = JSON.stringify({
  project_id: 'demo-project',
  client_email: 'herald@demo-project.iam.example',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
});

const CASES: (Omit<ProviderCase, 'channel' | 'message'> & Partial<Pick<ProviderCase, 'message'>>)[] = [
  {
    id: 'fcm',
    credentials: { serviceAccount: SERVICE_ACCOUNT },
    message: { ...PUSH, overrides: { data: { order: 7 }, android: { priority: 'high' }, deviceTokens: ['x'] } },
    prelude: { '/token': { body: { access_token: 'ya29.token', expires_in: 3600, token_type: 'Bearer' } } },
    request: {
      path: '/v1/projects/demo-project/messages:send',
      headers: { authorization: 'Bearer ya29.token' },
      json: {
        message: {
          token: 'token-1',
          notification: { title: 'Hi', body: 'Hello Ada' },
          data: { order: '7' },
          android: { priority: 'high' },
        },
      },
    },
    success: { body: { name: 'projects/demo-project/messages/1' } },
    result: { id: 'projects/demo-project/messages/1' },
    failure: {
      body: { error: { code: 400, message: 'Invalid JSON payload received', status: 'INVALID_ARGUMENT' } },
      words: 'Invalid JSON',
    },
    check: {
      method: 'POST',
      path: '/v1/projects/demo-project/messages:send',
      json: {
        validate_only: true,
        message: { topic: 'herald-check', notification: { title: 'Herald', body: 'Check' } },
      },
    },
  },
  {
    id: 'expo',
    credentials: { apiKey: 'ex-secret' },
    message: { ...PUSH, target: ['ExponentPushToken[1]', 'ExponentPushToken[2]'], overrides: { sound: 'default' } },
    request: {
      path: '/--/api/v2/push/send',
      headers: { authorization: 'Bearer ex-secret' },
      json: [
        { to: 'ExponentPushToken[1]', title: 'Hi', body: 'Hello Ada', data: { order: 7 }, sound: 'default' },
        { to: 'ExponentPushToken[2]', title: 'Hi', body: 'Hello Ada', data: { order: 7 }, sound: 'default' },
      ],
    },
    success: {
      body: {
        data: [
          { status: 'ok', id: 'ex-1' },
          { status: 'ok', id: 'ex-2' },
        ],
      },
    },
    result: { id: 'ex-1' },
    failure: { body: { errors: [{ code: 'VALIDATION_ERROR', message: '"to" is not valid' }] }, words: 'is not valid' },
  },
  {
    id: 'one-signal',
    check: { method: 'GET', path: '/notifications?app_id=app-1&limit=1' },
    credentials: { applicationId: 'app-1', apiKey: 'os_v2_app_secret' },
    request: {
      path: '/notifications',
      headers: { authorization: 'Key os_v2_app_secret' },
      json: {
        app_id: 'app-1',
        target_channel: 'push',
        include_subscription_ids: ['token-1'],
        headings: { en: 'Hi' },
        contents: { en: 'Hello Ada' },
        data: { order: 7 },
        idempotency_key: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ) as unknown,
      },
    },
    success: { body: { id: 'os-1', external_id: null } },
    result: { id: 'os-1' },
    failure: { body: { errors: ['app_id not found'] }, words: 'app_id not found' },
  },
  {
    id: 'pushpad',
    check: { method: 'GET', path: '/api/v1/projects/763' },
    credentials: { applicationId: '763', apiKey: 'pp-secret' },
    message: { ...PUSH, overrides: { target_url: 'https://x.example' } },
    request: {
      path: '/api/v1/projects/763/notifications',
      headers: { authorization: 'Bearer pp-secret' },
      json: { title: 'Hi', body: 'Hello Ada', target_url: 'https://x.example', uids: ['token-1'] },
    },
    success: { status: 201, body: { id: 197123, scheduled: 1, uids: ['token-1'] } },
    result: { id: '197123' },
    failure: { body: { error: 'body is too long' }, words: 'too long' },
  },
  {
    id: 'push-webhook',
    credentials: { webhookUrl: `${SERVER}/push`, secretKey: 'pw-secret' },
    message: { ...PUSH, overrides: { sound: 'x' }, subscriber: { subscriberId: 'ada' }, step: { digest: false } },
    request: {
      path: '/push',
      headers: { 'x-novu-signature': expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, 'idempotency-key': 'key-1' },
      json: {
        id: 'm-1',
        target: ['token-1'],
        title: 'Hi',
        content: 'Hello Ada',
        overrides: { sound: 'x' },
        payload: { order: 7, subscriber: { subscriberId: 'ada' }, step: { digest: false } },
      },
    },
    success: { body: { id: 'pw-1' } },
    result: { id: 'pw-1' },
    failure: { body: { message: 'unknown user' }, words: 'unknown user' },
  },
  {
    id: 'pusher-beams',
    credentials: { instanceId: 'inst-1', secretKey: 'pb-secret' },
    message: { ...PUSH, overrides: { web: { time_to_live: 60 } } },
    request: {
      path: '/publish_api/v1/instances/inst-1/publishes/users',
      headers: { authorization: 'Bearer pb-secret' },
      json: {
        users: ['token-1'],
        apns: { aps: { alert: { title: 'Hi', body: 'Hello Ada' } }, data: { order: 7 } },
        fcm: { notification: { title: 'Hi', body: 'Hello Ada' }, data: { order: 7 } },
        web: { notification: { title: 'Hi', body: 'Hello Ada' }, data: { order: 7 }, time_to_live: 60 },
      },
    },
    success: { body: { publishId: 'pub-1' } },
    result: { id: 'pub-1' },
    failure: { body: { error: 'Bad request', description: 'users is empty' }, words: 'users is empty' },
  },
];

describe('push providers', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ message: PUSH, ...given, channel: 'push' });
});
