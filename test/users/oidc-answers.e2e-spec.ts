import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { Visitor, BEGIN, CALLBACK, PUBLIC_URL } from '../support/visitor.js';
import { startTestApi, useApi } from '../support/test-api.js';

/** A provider that answers as a test says. */
interface Answer {
  readonly status?: number;
  readonly body?: object | string;
  readonly claims?: JWTPayload;
  readonly sign?: (claims: JWTPayload) => Promise<string> | string;
  readonly info?: object;
}

let server: Server;
let issuer: string;
let answer: Answer = {};
const requests: { authorization: string | undefined; body: string }[] = [];

const keys = generateKeyPair('RS256', { extractable: true });
const others = generateKeyPair('RS256');
const seconds = (): number => Math.floor(Date.now() / 1_000);

beforeAll(async () => {
  server = createServer((request, response) => {
    void respond(request.url ?? '').then(async ({ status = 200, body }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.url === '/token')
        requests.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  const { port } = await listen(0);
  issuer = `http://127.0.0.1:${port}`;
  await close();
});
afterAll(close);

async function listen(port: number): Promise<AddressInfo> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function close(): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

async function respond(path: string): Promise<{ status?: number; body: object | string }> {
  const at = (name: string): string => `${issuer}/${name}`;
  if (path === '/.well-known/openid-configuration')
    return {
      body: {
        issuer,
        authorization_endpoint: at('authorize'),
        token_endpoint: at('token'),
        userinfo_endpoint: at('info'),
        jwks_uri: at('keys'),
        id_token_signing_alg_values_supported: ['RS256'],
      },
    };
  if (path === '/keys')
    return { body: { keys: [{ ...(await exportJWK((await keys).publicKey)), alg: 'RS256', kid: 'one' }] } };
  if (path === '/info') return { body: { sub: 'ada', ...answer.info } };
  const { status, body } = answer;
  if (status !== undefined || body !== undefined) return { status: status ?? 200, body: body ?? {} };
  const sign = answer.sign ?? signed;
  return { body: { access_token: 'x', token_type: 'Bearer', id_token: await sign(answer.claims ?? {}) } };
}

async function signed(claims: JWTPayload, pair = keys): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign((await pair).privateKey);
}

const api = useApi(() =>
  startTestApi({ PUBLIC_URL, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'herald', OIDC_CLIENT_SECRET: 'secret' }),
);

/** Signs in; the provider answers with these changes of what is right. */
async function signIn(more: JWTPayload, others: Omit<Answer, 'claims'> = {}): Promise<string> {
  const visitor = new Visitor(api.url);
  const { location = '' } = await visitor.go(BEGIN);
  const { searchParams } = new URL(location);
  const right = { iss: issuer, aud: 'herald', sub: 'ada', nonce: searchParams.get('nonce'), iat: seconds() };
  answer = { ...others, claims: { ...right, exp: seconds() + 60, email: 'ada@example.org', ...more } };
  const end = await visitor.land(`${CALLBACK}?code=a&state=${searchParams.get('state')}`);
  expect(visitor.sessionCookie).toBeUndefined();
  return end.replace('/console#sign-in=', '');
}

describe('a provider', () => {
  it('should not keep Herald from starting where it is away, and be used as soon as it is there', async () => {
    const { location } = await new Visitor(api.url).go(BEGIN);
    expect(location).toBe(`${PUBLIC_URL}/console#sign-in=unavailable`);
    await listen(Number(new URL(issuer).port));
    expect(await signIn({ email_verified: true })).toBe('not_invited');
  });
});

describe('answers of a provider', () => {
  it('should be taken if they are right; nobody has verified the address then', async () => {
    expect(await signIn({ email_verified: true })).toBe('not_invited');
    expect(await signIn({})).toBe('email_unverified');
  });

  it('should not mix the address of one answer with the word of another', async () => {
    const info = { email: 'other@example.org', email_verified: true };
    expect(await signIn({}, { info })).toBe('email_unverified');
    expect(await signIn({ email: undefined }, { info })).toBe('not_invited');
    expect(await signIn({ email: undefined }, { info: { ...info, sub: 'eve' } })).toBe('unverified');
  });

  it('should be refused with another nonce, audience, issuer or key, or without a signature', async () => {
    expect(await signIn({ nonce: 'other' })).toBe('unverified');
    expect(await signIn({ nonce: undefined })).toBe('unverified');
    expect(await signIn({ aud: 'other' })).toBe('unverified');
    expect(await signIn({ iss: 'https://other.example' })).toBe('unverified');
    expect(await signIn({ sub: undefined })).toBe('unverified');
    expect(await signIn({ sub: '', email_verified: true })).toBe('unverified');
    expect(await signIn({ sub: ' ', email_verified: true }, { info: { sub: ' ' } })).toBe('unverified');
    expect(await signIn({}, { sign: (claims) => signed(claims, others) })).toBe('unverified');
    expect(await signIn({}, { sign: (claims) => new UnsecuredJWT(claims).encode() })).toBe('unverified');
    expect(await signIn({}, { body: { access_token: 'x', token_type: 'Bearer' } })).toBe('unverified');
  });

  it('should be refused when clocks differ by more than a minute, and not by less', async () => {
    expect(await signIn({ exp: seconds() - 120 })).toBe('clock');
    expect(await signIn({ exp: seconds() - 30 })).toBe('email_unverified');
    expect(await signIn({ nbf: seconds() + 120 })).toBe('clock');
  });

  it('should say what the operator can do', async () => {
    expect(await signIn({}, { status: 401, body: { error: 'invalid_client' } })).toBe('misconfigured');
    expect(await signIn({}, { status: 400, body: { error: 'invalid_grant' } })).toBe('expired');
    expect(await signIn({}, { status: 400, body: { error: 'invalid_scope' } })).toBe('refused');
    expect(await signIn({}, { status: 503, body: { error: 'server_error' } })).toBe('unavailable');
    expect(await signIn({}, { status: 502, body: '<h1>Bad gateway</h1>' })).toBe('unavailable');
    expect(await signIn({}, { body: '<h1>Hello</h1>' })).toBe('unavailable');
  });

  it('should be asked for with the verifier and the secret of the client', async () => {
    requests.length = 0;
    await signIn({});
    const [request] = requests;
    expect(request?.authorization).toBe(`Basic ${Buffer.from('herald:secret').toString('base64')}`);
    const sent = new URLSearchParams(request?.body);
    expect(sent.get('redirect_uri')).toBe(CALLBACK);
    expect(sent.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });
});
