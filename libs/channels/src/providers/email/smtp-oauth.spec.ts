import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { createChannelRegistry, type SendResult } from '../../index.js';
import { EMAIL } from '../../../test/provider-case.js';
import { startRecordingServer, type RecordingServer } from '../../../test/recording-server.js';
import { smtpRefusal, startSmtpCatcher, type SmtpCatcher } from '../../../test/smtp-catcher.js';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('SMTP with OAuth2', () => {
  const registry = createChannelRegistry({ allowPrivateUrls: true, timeoutMs: 120_000 });
  let tokens: RecordingServer;
  let mail: SmtpCatcher;
  let given: number;
  let logins: { user: string; token: string }[];
  let refused: string[];
  /** As Google does, and Microsoft does not: the reason comes before the refusal. */
  let saysMore: boolean;

  beforeAll(async () => {
    tokens = await startRecordingServer();
    mail = await startSmtpCatcher({
      authOptional: false,
      authMethods: ['XOAUTH2'],
      onAuth: ({ username, accessToken }, _session, done) => {
        const login = { user: username ?? '', token: accessToken ?? '' };
        logins.push(login);
        if (refused.includes(login.token) && saysMore) done(null, { data: { status: '401', schemes: 'bearer' } });
        else if (refused.includes(login.token)) done(smtpRefusal(535, 'the token has expired'));
        else done(null, { user: login.user });
      },
    });
  });
  beforeEach(() => {
    given = 0;
    logins = [];
    refused = [];
    saysMore = false;
    mail.mails.splice(0);
    tokens.requests.splice(0);
    tokens.answer = () => ({
      body: { access_token: `token-${(given += 1)}`, expires_in: 3_600, token_type: 'Bearer' },
    });
  });
  afterAll(async () => {
    await registry.close();
    await Promise.all([tokens.close(), mail.close()]);
  });

  let account = 0;
  /** A new account for each test: pools and tokens are kept by account. */
  const keysOf = (more: Record<string, unknown>): Record<string, unknown> => ({
    host: '127.0.0.1',
    port: String(mail.port),
    from: 'news@herald.example',
    senderName: 'News',
    user: `account-${(account += 1)}@herald.example`,
    tokenUrl: `${tokens.url}/token`,
    ...more,
  });
  const CLIENT = { clientId: 'client', clientSecret: 'client-secret' };
  const send = (credentials: Record<string, unknown>): Promise<SendResult> =>
    registry.send('email', 'nodemailer', EMAIL, { credentials, idempotencyKey: EMAIL.id });
  const forms = (): Record<string, string>[] =>
    tokens.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body.toString())));

  it('should log in with a token for a refresh token, and keep both', async () => {
    const credentials = keysOf({ ...CLIENT, refreshToken: 'refresh-1' });
    await send(credentials);
    await send(credentials);
    expect(forms()).toEqual([
      { grant_type: 'refresh_token', client_id: 'client', client_secret: 'client-secret', refresh_token: 'refresh-1' },
    ]);
    expect(logins).toEqual([{ user: credentials['user'], token: 'token-1' }]);
    expect(mail.mails).toHaveLength(2);
  });

  it('should log in as an application of Microsoft', async () => {
    await registry.check('email', 'nodemailer', keysOf(CLIENT));
    expect(forms()).toMatchObject([
      { grant_type: 'client_credentials', client_id: 'client', scope: 'https://outlook.office365.com/.default' },
    ]);
    expect(logins.map(({ token }) => token)).toEqual(['token-1']);
    expect(mail.mails).toHaveLength(0);
  });

  it('should log in for a person with a service account of Google', async () => {
    const file = { project_id: 'p', client_email: 'herald@p.example', private_key: privateKey };
    const credentials = keysOf({ serviceAccount: JSON.stringify(file) });
    await send(credentials);
    const [{ assertion = '', grant_type }] = forms() as [Record<string, string>];
    expect(grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect(decodeJwt(assertion)).toMatchObject({
      iss: 'herald@p.example',
      sub: credentials['user'],
      scope: 'https://mail.google.com/',
    });
    expect(mail.mails).toHaveLength(1);
  });

  it.each([true, false])('should fetch another token when the server takes the first one no more: %s', async (says) => {
    refused = ['token-1'];
    saysMore = says;
    await send(keysOf({ ...CLIENT, refreshToken: 'refresh-2' }));
    expect(logins.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
    expect(mail.mails).toHaveLength(1);
  });

  it('should give up when no token is taken', async () => {
    refused = ['token-1', 'token-2', 'token-3'];
    const sending = send(keysOf({ ...CLIENT, refreshToken: 'refresh-5' }));
    await expect(sending).rejects.toMatchObject({ code: 'unauthorized', retryable: false, outcome: 'not_sent' });
    expect(mail.mails).toHaveLength(0);
  });

  it.each([
    [
      400,
      { error: 'invalid_grant', error_description: 'Token has been revoked' },
      { code: 'unauthorized', retryable: false },
    ],
    [503, { error: 'temporarily_unavailable' }, { code: 'unavailable', retryable: true }],
  ])('should say why there is no token: %s', async (status, body, expected) => {
    tokens.answer = () => ({ status, body });
    const words = 'error_description' in body ? body.error_description : body.error;
    await expect(send(keysOf({ ...CLIENT, refreshToken: 'refresh-3' }))).rejects.toMatchObject({
      ...expected,
      outcome: 'not_sent',
      message: expect.stringContaining(words) as string,
    });
    expect(logins).toEqual([]);
  });

  it('should not fetch tokens from private addresses unless they are allowed', async () => {
    const guarded = createChannelRegistry({ allowPrivateUrls: false, privateHosts: [] });
    const credentials = keysOf({ ...CLIENT, refreshToken: 'refresh-4' });
    const sending = guarded.send('email', 'nodemailer', EMAIL, { credentials, idempotencyKey: 'k' });
    await expect(sending).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(tokens.requests).toEqual([]);
    await guarded.close();
  });
});
