import { generateKeyPairSync } from 'node:crypto';
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { createChannelRegistry, type ChannelRegistry, type PushMessage, type SendResult } from '../../index.js';
import { failureOf } from '../../../test/failure-of.js';
import { PUSH } from '../../../test/provider-case.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const CREDENTIALS = {
  secretKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  apiKey: 'KEY1',
  projectName: 'TEAM1',
  applicationId: 'com.example.app',
};

interface Seen {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('ApnsProvider', () => {
  let server: Http2Server;
  let url: string;
  let registry: ChannelRegistry;
  let now = new Date('2026-01-02T03:04:05Z');
  let sessions = 0;
  const seen: Seen[] = [];
  const open = new Set<ServerHttp2Session>();
  let respond: (stream: ServerHttp2Stream, request: Seen) => void;

  const reply =
    (status: number, body?: object, more: Record<string, string> = {}) =>
    (stream: ServerHttp2Stream, { headers }: Seen): void => {
      stream.respond({ ':status': status, 'apns-id': String(headers['apns-id']), ...more });
      stream.end(body === undefined ? '' : JSON.stringify(body));
    };

  beforeAll(async () => {
    server = createServer();
    server.on('session', (session) => {
      sessions += 1;
      open.add(session);
    });
    server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('error', () => undefined);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const request = { headers, body: Buffer.concat(chunks).toString() };
        seen.push(request);
        respond(stream, request);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen.splice(0);
    sessions = 0;
    now = new Date('2026-01-02T03:04:05Z');
    respond = reply(200);
    registry = createChannelRegistry({ allowPrivateUrls: false, baseUrls: { apns: url }, now: () => now });
  });
  afterEach(() => registry.close());
  afterAll(() => {
    // A server that has ended a session with an error keeps it open.
    for (const session of open) session.destroy();
    return new Promise((resolve) => server.close(resolve));
  });

  const send = (
    message: PushMessage = PUSH,
    credentials: Record<string, unknown> = CREDENTIALS,
    timeoutMs = 120_000,
  ): Promise<SendResult> => registry.send('push', 'apns', message, { credentials, idempotencyKey: 'key-1', timeoutMs });

  it('should make the request that Apple documents', async () => {
    const result = await send({
      ...PUSH,
      overrides: {
        badge: 3,
        sound: 'default',
        threadId: 't',
        contentAvailable: true,
        expiry: 1_800_000_000,
        collapseId: 'c',
        aps: { 'filter-criteria': 'f' },
      },
    });
    expect(seen[0]?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/3/device/token-1',
      'apns-topic': 'com.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': '1800000000',
      'apns-collapse-id': 'c',
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      order: 7,
      aps: {
        alert: { title: 'Hi', body: 'Hello Ada' },
        badge: 3,
        sound: 'default',
        'thread-id': 't',
        'content-available': 1,
        'filter-criteria': 'f',
      },
    });
    expect(result.id).toBe(seen[0]?.headers['apns-id']);
    expect(result.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('should replace an earlier message with the same key, unless the overrides have another', async () => {
    await send({ ...PUSH, replaces: 'order 7' });
    await send({ ...PUSH, replaces: 'order 7' });
    await send({ ...PUSH, replaces: 'order 7', overrides: { collapseId: 'c' } });
    const [first, second, third] = seen.map(({ headers }) => headers['apns-collapse-id']);
    expect(first).toMatch(/^[\w-]{32}$/);
    expect([second, third]).toEqual([first, 'c']);
  });

  it('should send data alone as a background notification, without an alert', async () => {
    await send({ ...PUSH, overrides: { type: 'data', badge: 3, collapseId: 'c', data: { kind: 'sync' } } });
    expect(seen[0]?.headers).toMatchObject({
      'apns-push-type': 'background',
      'apns-priority': '5',
      'apns-collapse-id': 'c',
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      order: 7,
      title: 'Hi',
      body: 'Hello Ada',
      kind: 'sync',
      aps: { 'content-available': 1 },
    });
  });

  it('should sign with the key and keep the token for three quarters of an hour', async () => {
    await send();
    await send();
    now = new Date(now.getTime() + 46 * 60_000);
    await send();
    const tokens = seen.map(({ headers }) => String(headers.authorization).replace('bearer ', ''));
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
    const { payload, protectedHeader } = await jwtVerify(tokens[2] ?? '', publicKey);
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY1' });
    expect(payload).toEqual({ iss: 'TEAM1', iat: now.getTime() / 1_000 });
    expect(sessions).toBe(1);
  });

  it('should refuse before the call what is too long for Apple, and take a key whose line breaks are two characters', async () => {
    const tooLong = { ...PUSH, content: 'x'.repeat(4_096) };
    await expect(send(tooLong)).rejects.toMatchObject({ code: 'message_incomplete', retryable: false });
    expect(seen).toEqual([]);
    const pasted = String(CREDENTIALS.secretKey).replaceAll('\n', String.raw`\n`);
    await send(PUSH, { ...CREDENTIALS, secretKey: pasted });
    expect(seen).toHaveLength(1);
  });

  it('should give the same notification id on every attempt and another one for another token', async () => {
    await send();
    await send();
    await send({ ...PUSH, target: ['token-2'] });
    const ids = seen.map(({ headers }) => headers['apns-id']);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it.each([
    [410, 'Unregistered', { code: 'invalid_target', retryable: false, invalidTokens: ['token-1'] }],
    [400, 'BadDeviceToken', { code: 'invalid_target', retryable: false, invalidTokens: ['token-1'] }],
    [400, 'DeviceTokenNotForTopic', { code: 'invalid_target', retryable: false, invalidTokens: undefined }],
    [400, 'PayloadEmpty', { code: 'rejected', retryable: false }],
    [403, 'InvalidProviderToken', { code: 'unauthorized', retryable: false }],
    [403, 'ExpiredProviderToken', { code: 'unauthorized', retryable: true }],
    [429, 'TooManyRequests', { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 }],
    [500, 'InternalServerError', { code: 'unavailable', retryable: true }],
    [503, 'ServiceUnavailable', { code: 'unavailable', retryable: true }],
  ])('should understand %s %s', async (status, reason, expected) => {
    respond = reply(status, { reason }, status === 429 ? { 'retry-after': '7' } : {});
    const failure = await failureOf(send());
    expect(failure).toMatchObject({
      name: 'ProviderError',
      statusCode: status,
      message: expect.stringContaining(reason) as string,
    });
    const { code, retryable, invalidTokens, retryAfterMs } = failure;
    expect({ code, retryable, invalidTokens, retryAfterMs }).toEqual(expected);
  });

  it('should understand an error without a body', async () => {
    respond = reply(500);
    await expect(send()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  it('should give up on silence and go on afterwards', async () => {
    respond = () => undefined;
    await expect(send(PUSH, CREDENTIALS, 60)).rejects.toMatchObject({ code: 'timeout', retryable: true });
    respond = reply(200);
    await expect(send()).resolves.toHaveProperty('id');
  });

  it('should connect anew after the connection is lost', async () => {
    respond = (stream) => stream.session?.destroy();
    await expect(send()).rejects.toMatchObject({ code: 'unreachable', retryable: true, outcome: 'uncertain' });
    respond = reply(200);
    await expect(send()).resolves.toHaveProperty('id');
    expect(sessions).toBe(2);
  });

  it('should try again later what was under way when Apple ended the connection with an error', async () => {
    respond = (stream) => stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, stream.id);
    await expect(send()).rejects.toMatchObject({ code: 'unreachable', retryable: true, outcome: 'uncertain' });
    respond = reply(200);
    await expect(send()).resolves.toHaveProperty('id');
  });

  it.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    ['it is refused unseen', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), 'not_sent'],
    [
      'the connection ends before it',
      (stream) => stream.session?.goaway(constants.NGHTTP2_INTERNAL_ERROR, 1),
      'not_sent',
    ],
    ['it is reset', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 'uncertain'],
  ])('should tell whether the notification may have been sent when %s', async (_name, act, outcome) => {
    await send();
    respond = act;
    await expect(send()).rejects.toMatchObject({ outcome });
    expect(seen).toHaveLength(2);
  });

  it('should be sure that nothing was sent where nobody listens', async () => {
    const lost = createChannelRegistry({ allowPrivateUrls: false, baseUrls: { apns: 'http://127.0.0.1:1' } });
    const sending = lost.send('push', 'apns', PUSH, {
      credentials: CREDENTIALS,
      idempotencyKey: 'k',
      timeoutMs: 120_000,
    });
    await expect(sending).rejects.toMatchObject({ retryable: true, outcome: 'not_sent' });
    await lost.close();
  });

  it('should take 200 for an acceptance without an id, and one that breaks off', async () => {
    respond = (stream) => {
      stream.respond({ ':status': 200 });
      stream.end();
    };
    await expect(send()).resolves.toMatchObject({ lacksId: true });
    respond = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('x');
      setImmediate(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    };
    await expect(send()).resolves.toMatchObject({ lacksId: true });
  });

  it('should name the dead tokens beside the ones that got it', async () => {
    respond = (stream, request) =>
      request.headers[':path'] === '/3/device/dead'
        ? reply(410, { reason: 'Unregistered' })(stream, request)
        : reply(200)(stream, request);
    await expect(send({ ...PUSH, target: ['alive', 'dead'] })).resolves.toMatchObject({ invalidTokens: ['dead'] });
  });

  it('should say that the key is no key, and never read files', async () => {
    await expect(send(PUSH, { ...CREDENTIALS, secretKey: '/etc/passwd' })).rejects.toMatchObject({
      code: 'credentials_incomplete',
      retryable: false,
    });
    expect(seen).toHaveLength(0);
  });
});
