import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import webPush from 'web-push';
import { createChannelRegistry, type ChannelRegistry, type PushMessage, type SendResult } from '../../index.js';
import { failureOf } from '../../../test/failure-of.js';
import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { PUSH, SERVER } from '../../../test/provider-case.js';
import { pushBrowser } from '../../../test/push-browser.js';
import { startRecordingServer, type RecordingServer } from '../../../test/recording-server.js';

const KEYS = webPush.generateVAPIDKeys();
const CREDENTIALS = { applicationId: KEYS.publicKey, secretKey: KEYS.privateKey, from: 'mailto:ops@herald.example' };
const TOPIC = expect.stringMatching(/^[\w-]{32}$/) as unknown;

itBehavesLikeAnHttpProvider({
  id: 'web-push',
  channel: 'push',
  credentials: CREDENTIALS,
  message: { ...PUSH, target: [pushBrowser(`${SERVER}/wp/device-1`).token] },
  request: {
    path: '/wp/device-1',
    headers: {
      authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/) as unknown,
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: '2419200',
      urgency: 'normal',
      topic: TOPIC,
    },
  },
  success: { status: 201, headers: { location: 'https://push.example/m/1' }, body: '' },
  result: { id: 'https://push.example/m/1' },
  failure: { body: { code: 400, errno: 110, message: 'Invalid crypto keys' }, words: 'Invalid crypto keys' },
});

describe('web-push', () => {
  let server: RecordingServer;
  let registry: ChannelRegistry;
  beforeAll(async () => {
    server = await startRecordingServer();
  });
  beforeEach(() => {
    server.requests.splice(0);
    server.answer = () => ({ status: 201, body: '' });
    registry = createChannelRegistry({ allowPrivateUrls: true });
  });
  afterEach(() => registry.close());
  afterAll(() => server.close());

  const send = (message: Partial<PushMessage>, credentials: object = CREDENTIALS): Promise<SendResult> =>
    registry.send(
      'push',
      'web-push',
      { ...PUSH, ...message },
      { credentials: { ...credentials }, idempotencyKey: 'k' },
    );
  const browser = (name = 'one') => pushBrowser(`${server.url}/${name}`);

  it('should send what only the browser of the subscription can read', async () => {
    const [one, other] = [browser('one'), browser('other')];
    const overrides = { icon: 'https://shop.example/i.png', ttl: 60, urgency: 'high', topic: 'orders' };
    await send({ target: [one.token, other.token], title: 'Größe ✓', overrides });
    const [first, second] = server.requests;
    expect([first?.path, second?.path]).toEqual(['/one', '/other']);
    expect(first?.headers).toMatchObject({ ttl: '60', urgency: 'high', topic: 'orders' });
    const body = first?.body ?? Buffer.alloc(0);
    expect(one.read(body)).toEqual({
      id: 'm-1',
      title: 'Größe ✓',
      body: 'Hello Ada',
      data: { order: 7 },
      icon: 'https://shop.example/i.png',
    });
    expect(() => other.read(body)).toThrow();
    expect(body.toString('latin1')).not.toContain('Hello');
  });

  it('should prove who sends it, for this push service only', async () => {
    const { token } = browser();
    await send({ target: [token] });
    const [, jwt = '', key = ''] = /^vapid t=(.*), k=(.*)$/.exec(server.requests[0]?.headers.authorization ?? '') ?? [];
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    const { payload } = await jwtVerify(jwt, publicKey, { audience: server.url });
    expect(payload.sub).toBe('mailto:ops@herald.example');
    expect(Number(payload.exp) - Date.now() / 1_000).toBeLessThanOrEqual(86_400);
    expect(key).toBe(KEYS.publicKey);
  });

  it('should use the same topic for a repeat, so that it replaces a message that was not fetched', async () => {
    const { token } = browser();
    await send({ target: [token] });
    await send({ target: [token] });
    const [first, second] = server.requests.map(({ headers }) => headers['topic']);
    expect(first).toEqual(TOPIC);
    expect(second).toBe(first);
  });

  it('should replace a message with the same key, before it is fetched and after it is shown', async () => {
    const one = browser();
    await send({ target: [one.token], replaces: 'order-7' });
    await send({ target: [one.token], replaces: 'order-7', overrides: { topic: 'own', tag: 'own' } });
    const [first, second] = server.requests.map(({ headers, body }) => [headers['topic'], one.read(body)] as const);
    expect(first).toEqual(['order-7', expect.objectContaining({ tag: 'order-7' })]);
    expect(second).toEqual(['own', expect.objectContaining({ tag: 'own' })]);
  });

  it.each([404, 410])('should report a subscription as dead after HTTP %s', async (status) => {
    const { token } = browser();
    server.answer = () => ({ status, body: '' });
    const failure = { code: 'invalid_target', retryable: false, invalidTokens: [token] };
    expect(await failureOf(send({ target: [token] }))).toMatchObject(failure);
  });

  it.each([
    'token-1',
    '{}',
    '[]',
    '{"endpoint":"https://push.example/1"}',
    JSON.stringify({ endpoint: 'https://push.example/1', keys: { p256dh: 'x', auth: 'y' } }),
  ])('should report the token %s as dead without a request', async (token) => {
    const failure = { code: 'invalid_target', retryable: false, invalidTokens: [token] };
    expect(await failureOf(send({ target: [token] }))).toMatchObject(failure);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['a subject', { from: 'Herald' }],
    ['a public key', { applicationId: 'x' }],
    ['a private key', { secretKey: 'private-text' }],
  ])('should refuse %s that is none', async (_name, wrong) => {
    const failure = await failureOf(send({ target: [browser().token] }, { ...CREDENTIALS, ...wrong }));
    expect(failure).toMatchObject({ code: 'credentials_incomplete', retryable: false });
    expect(String(failure)).not.toContain('private-text');
  });

  it('should refuse a message that push services would not take', async () => {
    const sending = send({ target: [browser().token], payload: { text: 'x'.repeat(4_000) } });
    expect(await failureOf(sending)).toMatchObject({ code: 'rejected', retryable: false });
    await send({ target: [browser().token], payload: { text: 'x'.repeat(4_000) }, overrides: { data: {} } });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body.length).toBeLessThanOrEqual(4_096);
  });

  it('should not reach private addresses', async () => {
    const guarded = createChannelRegistry({ allowPrivateUrls: false });
    const message = { ...PUSH, target: [browser().token] };
    const sending = guarded.send('push', 'web-push', message, { credentials: CREDENTIALS, idempotencyKey: 'k' });
    expect(await failureOf(sending)).toMatchObject({ code: 'url_not_allowed', retryable: false });
    await guarded.close();
    expect(server.requests).toEqual([]);
  });
});
