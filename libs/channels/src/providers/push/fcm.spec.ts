import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { createChannelRegistry, type ChannelRegistry, type PushMessage, type SendResult } from '../../index.js';
import { failureOf } from '../../../test/failure-of.js';
import { PUSH } from '../../../test/provider-case.js';
import { startRecordingServer, type CannedAnswer, type RecordingServer } from '../../../test/recording-server.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

function account(email: string): string {
  return JSON.stringify({
    project_id: 'demo',
    client_email: email,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
}

function fcmError(errorCode: string, message: string): object {
  return {
    error: { message, details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] },
  };
}

describe('fcm', () => {
  let server: RecordingServer;
  let registry: ChannelRegistry;
  let now = new Date('2026-01-02T03:04:05Z');
  let answer: CannedAnswer;

  beforeAll(async () => {
    server = await startRecordingServer();
  });
  beforeEach(() => {
    server.requests.splice(0);
    now = new Date('2026-01-02T03:04:05Z');
    answer = { body: { name: 'projects/demo/messages/1' } };
    server.answer = ({ path }) => (path === '/token' ? { body: { access_token: 'T', expires_in: 3600 } } : answer);
    registry = createChannelRegistry({ allowPrivateUrls: false, baseUrls: { fcm: server.url }, now: () => now });
  });
  afterEach(() => registry.close());
  afterAll(() => server.close());

  const send = (message: PushMessage = PUSH, serviceAccount = account('a@demo.example')): Promise<SendResult> =>
    registry.send('push', 'fcm', message, { credentials: { serviceAccount }, idempotencyKey: 'k' });
  const paths = (): string[] => server.requests.map(({ path }) => path);

  it('should ask Google for a token with a signed assertion', async () => {
    await send();
    const form = new URLSearchParams(server.requests[0]?.body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, { currentDate: now });
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT' });
    expect(payload).toEqual({
      iss: 'a@demo.example',
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      iat: now.getTime() / 1_000,
      exp: now.getTime() / 1_000 + 3_600,
    });
  });

  it('should use a token until shortly before it ends, one for each account', async () => {
    await Promise.all([send(), send()]);
    await send();
    expect(paths().filter((path) => path === '/token')).toHaveLength(1);
    await send(PUSH, account('b@demo.example'));
    expect(paths().filter((path) => path === '/token')).toHaveLength(2);
    now = new Date(now.getTime() + 3_590_000);
    await send();
    expect(paths().filter((path) => path === '/token')).toHaveLength(3);
  });

  it('should fetch a token again after a failure', async () => {
    server.answer = () => ({ status: 503, body: {} });
    await expect(send()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    server.answer = () => ({
      status: 401,
      body: { error: 'invalid_client', error_description: 'The account is gone' },
    });
    await expect(send()).rejects.toMatchObject({
      code: 'unauthorized',
      retryable: false,
      message: expect.stringContaining('The account is gone') as string,
    });
    server.answer = ({ path }) => (path === '/token' ? { body: { access_token: 'T' } } : answer);
    await expect(send()).resolves.toMatchObject({ id: 'projects/demo/messages/1' });
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['no key', '{"project_id":"demo"}'],
    ['no PEM', '{"project_id":"demo","client_email":"a","private_key":"abc"}'],
  ])('should say what is wrong with a service account (%s)', async (_name, serviceAccount) => {
    await expect(send(PUSH, serviceAccount)).rejects.toMatchObject({
      code: 'credentials_incomplete',
      message: expect.stringContaining('credentials.serviceAccount') as string,
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    [404, 'UNREGISTERED', 'Requested entity was not found.', ['token-1']],
    [400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token', ['token-1']],
    [403, 'SENDER_ID_MISMATCH', 'SenderId mismatch', undefined],
  ])('should recognise a dead token by %s %s', async (status, code, message, invalidTokens) => {
    answer = { status, body: fcmError(code, message) };
    const failure = await failureOf(send());
    expect(failure).toMatchObject({ code: 'invalid_target', retryable: false });
    expect(failure.invalidTokens).toEqual(invalidTokens);
  });

  it('should not blame the token for other invalid arguments', async () => {
    answer = { status: 400, body: fcmError('INVALID_ARGUMENT', 'Message too big') };
    const failure = await failureOf(send());
    expect([failure.code, failure.invalidTokens]).toEqual(['rejected', undefined]);
  });

  it('should send to each token and name the dead ones', async () => {
    server.answer = ({ path, body }) => {
      if (path === '/token') return { body: { access_token: 'T' } };
      if (body.includes('dead')) return { status: 404, body: fcmError('UNREGISTERED', 'gone') };
      return answer;
    };
    const result = await send({ ...PUSH, target: ['alive', 'dead', 'alive-2'] });
    expect(result).toMatchObject({ id: 'projects/demo/messages/1', invalidTokens: ['dead'] });
    expect(paths()).toHaveLength(4);
  });

  it('should take a key whose line breaks are two characters', async () => {
    const pasted = account('pasted@demo.example').replaceAll(String.raw`\n`, String.raw`\\n`);
    await expect(send(PUSH, pasted)).resolves.toMatchObject({ id: 'projects/demo/messages/1' });
  });

  it('should refuse before the call what is too long for Google', async () => {
    const size = Buffer.byteLength(PUSH.title);
    await send({ ...PUSH, content: 'x'.repeat(4_096 - size) });
    server.requests.splice(0);
    const tooLong = { ...PUSH, content: 'x'.repeat(4_097 - size) };
    await expect(send(tooLong)).rejects.toMatchObject({ code: 'message_incomplete', retryable: false });
    await expect(send({ ...PUSH, overrides: { data: { text: '✓'.repeat(1_400) } } })).rejects.toThrow(/4,096/);
    expect(paths()).toEqual([]);
  });

  it('should send data alone when the overrides say so', async () => {
    await send({ ...PUSH, overrides: { type: 'data', data: { deep: { a: 1 } } } });
    expect(JSON.parse(server.requests.at(-1)?.body.toString() ?? '')).toEqual({
      message: {
        token: 'token-1',
        data: { order: '7', deep: '{"a":1}', title: 'Hi', body: 'Hello Ada', message: 'Hello Ada' },
      },
    });
  });
});
