import { createChannelRegistry, type ChannelRegistry, type SendResult } from '../../index.js';
import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { basic, SMS, type ProviderCase } from '../../../test/provider-case.js';
import { startRecordingServer, type CannedAnswer, type RecordingServer } from '../../../test/recording-server.js';

const RING_CENTRAL = { clientId: 'rc-id', secretKey: 'rc-secret', token: 'rc-jwt', from: '+4930111222' };

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'gupshup',
    credentials: { user: '2000123456', password: 'gu-secret' },
    request: {
      path: '/GatewayAPI/rest',
      form: {
        method: 'SendMessage',
        userid: '2000123456',
        password: 'gu-secret',
        auth_scheme: 'plain',
        v: '1.1',
        format: 'text',
        send_to: '4915112345678',
        msg: 'Hello Ada',
        msg_type: 'TEXT',
        mask: '+4930111222',
      },
    },
    success: { body: 'success | 4915112345678 | 728014710863298817-1234567890' },
    result: { id: '728014710863298817-1234567890' },
    failure: { body: 'error | 105 | The phone number is not valid', words: 'not valid' },
  },
  {
    id: 'firetext',
    credentials: { apiKey: 'ft-secret', from: 'x' },
    request: {
      path: '/api/sendsms',
      form: { apiKey: 'ft-secret', message: 'Hello Ada', from: '+4930111222', to: '4915112345678' },
    },
    success: { body: '0:1 SMS successfully queued' },
    result: {},
    failure: { body: '3:0 From error', words: 'From error' },
  },
  {
    id: 'ring-central',
    credentials: RING_CENTRAL,
    prelude: { '/restapi/oauth/token': { body: { access_token: 'rc-access', expires_in: 3600 } } },
    check: { method: 'GET', path: '/restapi/v1.0/account/~/extension/~' },
    request: {
      path: '/restapi/v1.0/account/~/extension/~/sms',
      headers: { authorization: 'Bearer rc-access' },
      json: { from: { phoneNumber: '+4930111222' }, to: [{ phoneNumber: '+4915112345678' }], text: 'Hello Ada' },
    },
    success: { body: { id: 402406740008, creationTime: '2026-01-02T00:00:00.000Z', messageStatus: 'Queued' } },
    result: { id: '402406740008', date: '2026-01-02T00:00:00.000Z' },
    failure: {
      body: { errorCode: 'MSG-304', message: 'Phone number does not belong to you' },
      words: 'does not belong to you',
    },
  },
];

describe('sms gateways', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'sms', message: SMS });

  describe('answers', () => {
    let server: RecordingServer;
    let registry: ChannelRegistry;
    let now = new Date('2026-01-02T03:04:05Z');

    beforeAll(async () => {
      server = await startRecordingServer();
    });
    beforeEach(() => {
      server.requests.splice(0);
      const baseUrls = { gupshup: server.url, firetext: server.url, 'ring-central': server.url };
      registry = createChannelRegistry({ allowPrivateUrls: false, baseUrls, now: () => now });
    });
    afterEach(() => registry.close());
    afterAll(() => server.close());

    const send = (id: string, credentials: Record<string, unknown>): Promise<SendResult> =>
      registry.send('sms', id, SMS, { credentials, idempotencyKey: 'k' });

    it.each<[string, Record<string, unknown>, string, object]>([
      ['gupshup', { user: '1', password: 'p' }, 'error | 102 | Authentication failed', { code: 'unauthorized' }],
      ['gupshup', { user: '1', password: 'p' }, 'error | 100 | Unknown', { code: 'unavailable', retryable: true }],
      ['gupshup', { user: '1', password: 'p' }, 'error | 105 | Bad number', { code: 'rejected', retryable: false }],
      ['firetext', { apiKey: 'k' }, '1:0 Authentication error', { code: 'unauthorized', retryable: false }],
      ['firetext', { apiKey: 'k' }, '7:0 Insufficient credit', { code: 'rejected', retryable: false }],
    ])('should understand what %s means with 200 and %s%s', async (id, credentials, body, expected) => {
      server.answer = () => ({ body });
      await expect(send(id, credentials)).rejects.toMatchObject({ name: 'ProviderError', ...expected });
    });

    it('should log in to RingCentral once for as long as the token lasts', async () => {
      const tokens: CannedAnswer = { body: { access_token: 'rc-access', expires_in: 3600 } };
      server.answer = ({ path }) => (path === '/restapi/oauth/token' ? tokens : { body: { id: 1 } });
      await send('ring-central', RING_CENTRAL);
      await send('ring-central', RING_CENTRAL);
      now = new Date(now.getTime() + 3_590_000);
      await send('ring-central', RING_CENTRAL);
      const logins = server.requests.filter(({ path }) => path === '/restapi/oauth/token');
      expect(logins).toHaveLength(2);
      expect(logins[0]?.headers.authorization).toBe(basic('rc-id', 'rc-secret'));
      expect(Object.fromEntries(new URLSearchParams(logins[0]?.body.toString()))).toEqual({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'rc-jwt',
      });
    });

    it('should tell a refused login from one that can pass', async () => {
      server.answer = () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'JWT is expired' } });
      await expect(send('ring-central', RING_CENTRAL)).rejects.toMatchObject({
        code: 'unauthorized',
        retryable: false,
      });
      server.answer = () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} });
      await expect(send('ring-central', RING_CENTRAL)).rejects.toMatchObject({
        code: 'rate_limited',
        retryable: true,
        retryAfterMs: 60_000,
      });
    });
  });
});
