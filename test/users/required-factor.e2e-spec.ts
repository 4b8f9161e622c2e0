import { TOTP } from 'otpauth';
import { ManualClock } from '#libs/common';
import { newEmail, unique } from '../factories/ids.js';
import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { startLoginProvider, type LoginProvider } from '../support/login-provider.mjs';
import { operationsOf, readDocument } from '../support/routes.js';
import { joined, PASSWORD, SignedInBrowser } from '../support/signed-in-browser.js';
import { startTestApi, useApi, useSession, useTestApi } from '../support/test-api.js';
import { CALLBACK, PUBLIC_URL, Visitor } from '../support/visitor.js';

/** What somebody without codes may call. */
const OPEN = ['beginMyTotp', 'confirmMyTotp', 'getSession', 'signOut'];

const clock = new ManualClock(new Date());
const codeNow = (secret: string): string => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });

async function setUp(person: SignedInBrowser): Promise<string> {
  const { secret } = await dataOf<{ secret: string }>(person.post('/v1/users/me/totp', { password: PASSWORD }), 201);
  await person.post('/v1/users/me/totp/confirm', { code: codeNow(secret) }).expect(201);
  return secret;
}

const meOf = (browser: SignedInBrowser): Promise<Json> => dataOf(browser.get('/v1/users/session'), 200);

describe('REQUIRE_TOTP=all', () => {
  const api = useApi(() => startTestApi({ REQUIRE_TOTP: 'all' }, undefined, clock));
  const session = useSession(api);

  it('should refuse every route but those that set the app up, and say what to do', async () => {
    const person = await joined(session, 'owner');
    const refused: string[] = [];
    const others: unknown[] = [];
    for (const { method, path, operation } of operationsOf(readDocument())) {
      const { operationId } = operation;
      // Neither public nor for subscribers.
      if (!('x-herald-scope' in operation) || OPEN.includes(operationId)) continue;
      const send = { GET: person.get, POST: person.post, PUT: person.put, PATCH: person.patch, DELETE: person.delete }[
        method.toUpperCase()
      ];
      const answer = await send?.(path.replace(/\{\w+\}/g, '0123456789abcdef01234567'));
      const { code } = (answer?.body ?? {}) as { code?: string };
      if (answer?.status === 403 && code === 'second_factor_required') refused.push(operationId);
      else others.push([operationId, answer?.status, code]);
    }
    expect(others).toEqual([]);
    expect(refused.length).toBeGreaterThan(150);
    expect(await codeOf(person.post('/v1/users/me/totp/disable', { password: PASSWORD }), 403)).toBe(
      'second_factor_required',
    );
    expect(await meOf(person)).toMatchObject({ hasTotp: false, requiresTotp: true, needsTotp: true });
    await person.delete('/v1/users/session').expect(204);
    await person.get('/v1/users/session').expect(401);
  });

  it('should open everything once the app is confirmed, in the same session and in later ones', async () => {
    const person = await joined(session, 'viewer');
    await person.get('/v1/feeds').expect(403);
    const { secret } = await dataOf<{ secret: string }>(person.post('/v1/users/me/totp', { password: PASSWORD }), 201);
    expect(await codeOf(person.get('/v1/feeds'), 403)).toBe('second_factor_required');
    await person.post('/v1/users/me/totp/confirm', { code: codeNow(secret) }).expect(201);
    await person.get('/v1/feeds').expect(200);
    expect(await meOf(person)).toMatchObject({ hasTotp: true, requiresTotp: true, needsTotp: false });
    clock.advance(30_000);
    const later = new SignedInBrowser(api.url);
    later.keep(
      await later
        .post('/v1/users/session', { email: person.email, password: PASSWORD, code: codeNow(secret) })
        .expect(201),
    );
    await later.get('/v1/feeds').expect(200);
  });

  it('should let nobody switch it off; after a reset by an owner, it is set up anew', async () => {
    const person = await joined(session, 'viewer');
    await setUp(person);
    const disable = person.post('/v1/users/me/totp/disable', { password: PASSWORD, code: '000000' });
    expect(await codeOf(disable, 403)).toBe('totp_required');
    await person.get('/v1/feeds').expect(200);
    const [{ _id } = { _id: '' }] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    await session.delete(`/v1/users/${_id}/totp`).expect(204);
    await person.signIn(person.email);
    expect(await codeOf(person.get('/v1/feeds'), 403)).toBe('second_factor_required');
    clock.advance(30_000);
    await setUp(person);
    await person.get('/v1/feeds').expect(200);
  });

  it('should concern no API key', async () => {
    await session.get('/v1/feeds').expect(200);
  });
});

describe('REQUIRE_TOTP=owners', () => {
  const api = useApi(() => startTestApi({ REQUIRE_TOTP: 'owners' }, undefined, clock));

  it('should concern owners of any environment, from the moment at which they are', async () => {
    const development = await api.session();
    const editor = await joined(development, 'editor');
    await editor.get('/v1/feeds').expect(200);
    expect(await meOf(editor)).toMatchObject({ requiresTotp: false, needsTotp: false });
    const owner = await joined(development, 'owner');
    expect(await codeOf(owner.get('/v1/feeds'), 403)).toBe('second_factor_required');
    const [{ _id } = { _id: '' }] = (
      await dataOf<{ _id: string; role: string }[]>(development.get('/v1/users'), 200)
    ).filter(({ role }) => role === 'editor');
    await development.patch(`/v1/users/${_id}`, { role: 'owner' }).expect(200);
    expect(await codeOf(editor.get('/v1/feeds'), 403)).toBe('second_factor_required');
  });
});

describe('REQUIRE_TOTP with single sign-on', () => {
  let provider: LoginProvider;
  beforeAll(async () => {
    provider = await startLoginProvider({ redirectUri: CALLBACK });
  });
  afterAll(() => provider.close());
  const api = useTestApi(() => ({ PUBLIC_URL, ...provider.settings, REQUIRE_TOTP: 'all' }));

  it('should leave those alone whom the provider signed in', async () => {
    const session: TestSession = await api.session();
    const [sub, email] = [unique('sub'), newEmail()];
    provider.people.set(sub, { email, email_verified: true, name: 'Ada' });
    await dataOf(session.post('/v1/users/invitations', { email, role: 'owner' }), 201);
    const ada = new Visitor(api.url);
    expect(await ada.signIn(sub)).toBe('/console');
    const browser = new SignedInBrowser(api.url);
    browser.cookie = ada.sessionCookie;
    await browser.get('/v1/feeds').expect(200);
    expect(await meOf(browser)).toMatchObject({ hasTotp: false, requiresTotp: true, needsTotp: false });
  });
});
