import { wordsOfFault } from '../../apps/console/src/shell/provider-words.js';
import { FLOW_SECONDS } from '../../src/people/users/oidc-sign-ins.js';
import { LINK_USED } from '../../src/people/users/one-time-links.js';
import { OIDC_FAULTS } from '../../src/people/users/oidc-faults.js';
import { CREDENTIALS_CHANGED } from '../../src/people/users/user-sessions.service.js';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ManualClock } from '#libs/common';
import { databaseOf } from '#libs/persistence';
import { newEmail, unique } from '../factories/ids.js';
import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { type LoginProvider, startLoginProvider } from '../support/login-provider.mjs';
import { PLATFORMS } from '../support/platforms.js';
import { joined, PASSWORD, type SignedIn, SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { startTestApi, useApi, useSession, useTestApi } from '../support/test-api.js';
import { BEGIN, CALLBACK, PUBLIC_URL, Visitor } from '../support/visitor.js';

const DONE = '/console';
const failedWith = (fault: string): string => `/console#sign-in=${fault}`;

let provider: LoginProvider;
beforeAll(async () => {
  provider = await startLoginProvider({ redirectUri: CALLBACK });
});
afterAll(() => provider.close());

/** Somebody whom the provider knows. */
function known(claims: Json = {}): { sub: string; email: string } {
  const [sub, email] = [unique('sub'), newEmail()];
  provider.people.set(sub, { email, email_verified: true, name: 'Ada Lovelace', ...claims });
  return { sub, email };
}

const settings = (more: Record<string, string> = {}) => ({ PUBLIC_URL, ...provider.settings, ...more });
const invite = (by: TestSession, email: string, role = 'editor'): Promise<{ url: string }> =>
  dataOf<{ url: string }>(by.post('/v1/users/invitations', { email, role }), 201);
const meOf = async (url: string, visitor: Visitor): Promise<SignedIn & Json> => {
  const browser = new SignedInBrowser(url);
  browser.cookie = visitor.sessionCookie;
  return dataOf<SignedIn & Json>(browser.get('/v1/users/session'), 200);
};

describe.each(PLATFORMS)('single sign-on on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi(() => settings({ ...platform, OIDC_NAME: 'Keycloak' }));
  const session = useSession(api);
  const visitor = (): Visitor => new Visitor(api.url);

  it('should be offered', async () => {
    const options = await dataOf(new SignedInBrowser(api.url).get('/v1/users/session/options'), 200);
    expect(options).toMatchObject({ provider: 'Keycloak', takesPasswords: true });
  });

  it('should let somebody in who was invited, once by the invitation and then without', async () => {
    const { sub, email } = known();
    const ada = visitor();
    expect(await ada.signIn(sub)).toBe(failedWith('not_invited'));
    expect(ada.sessionCookie).toBeUndefined();
    const { url } = await invite(session, email);
    expect(await ada.signIn(sub)).toBe(DONE);
    const me = await meOf(api.url, ada);
    expect(me).toMatchObject({
      email,
      name: 'Ada Lovelace',
      hasPassword: false,
      hasSingleSignOn: true,
      environments: [{ _id: session.environmentId, role: 'editor' }],
    });
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toEqual([]);
    const used = new SignedInBrowser(api.url).post('/v1/users/invitations/look', { token: tokenOf(url) });
    expect(await codeOf(used, 404)).toBe('invitation_invalid');
    const again = visitor();
    expect(await again.signIn(sub)).toBe(DONE);
    expect((await meOf(api.url, again))._id).toBe(me._id);
    expect(again.sessionCookie).not.toBe(ada.sessionCookie);
    const signIns = session.get('/v1/audit-log?action=signInWithProvider');
    const { entries } = await dataOf<{ entries: Json[] }>(signIns, 200);
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ outcome: 'done', actor: { id: me._id, email } });
  });

  it('should bind what it began to the browser, and end the session that the browser had', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = visitor();
    await ada.signIn(sub);
    const former = ada.sessionCookie;
    const begun = await ada.go(BEGIN);
    expect(begun.cookies).toEqual([
      expect.stringMatching(
        /^herald_oidc=v2\.[\w.-]+; Path=\/base\/sign-in\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/,
      ),
    ]);
    expect(await ada.signIn(sub)).toBe(DONE);
    const browser = new SignedInBrowser(api.url);
    browser.cookie = former;
    await browser.get('/v1/users/session').expect(401);
  });

  it('should take an answer of the provider once, in the browser that asked for it, and only the last one', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = visitor();
    const callback = await ada.toCallback(sub);
    const cookies = new Map(ada.jar.get('herald.example'));
    expect(await visitor().land(callback)).toBe(failedWith('expired'));
    const other = visitor();
    await other.go(BEGIN);
    expect(await other.land(callback)).toBe(failedWith('expired'));
    const head = await ada.go(callback, { method: 'HEAD' });
    expect([head.status, head.location]).toEqual([200, undefined]);
    expect(await ada.land(callback)).toBe(DONE);
    expect(await ada.land(callback)).toBe(failedWith('expired'));
    const copy = visitor();
    copy.jar.set('herald.example', cookies);
    expect(await copy.land(callback)).toBe(failedWith('expired'));
    expect(copy.sessionCookie).toBeUndefined();
  });

  it('should take an answer once, also for two that bring it at the same time', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = visitor();
    const callback = await ada.toCallback(sub);
    const copies = [0, 1].map(() => {
      const copy = visitor();
      copy.jar.set('herald.example', new Map(ada.jar.get('herald.example')));
      return copy;
    });
    const ends = await Promise.all(copies.map((copy) => copy.land(callback)));
    expect(ends.sort()).toEqual([DONE, failedWith('expired')]);
  });

  it('should lead to no address that somebody sends, and ask for none that the Host header says', async () => {
    const elsewhere = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const { location = '' } = await visitor().go(`${BEGIN}?returnTo=https://evil.example`, { headers: elsewhere });
    const asked = new URL(location);
    expect(asked.origin).toBe(provider.issuer);
    expect(asked.searchParams.get('redirect_uri')).toBe(CALLBACK);
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const end = await visitor().land(`${CALLBACK}?returnTo=https://evil.example&state=https://evil.example`);
    expect(end).toBe(failedWith('expired'));
  });

  it('should say what the provider says: refused by the person, and answers of others', async () => {
    const { sub, email } = known();
    await invite(session, email);
    expect(await visitor().signIn({ refuse: true })).toBe(failedWith('denied'));
    const ada = visitor();
    const callback = new URL(await ada.toCallback(sub));
    callback.searchParams.set('iss', 'https://other.example');
    expect(await ada.land(callback.href)).toBe(failedWith('unverified'));
    const spoilt = new URL(await ada.toCallback(sub));
    spoilt.searchParams.set('code', 'a-code-that-the-provider-did-not-give-and-is-long-enough');
    expect(await ada.land(spoilt.href)).toBe(failedWith('expired'));
    expect(ada.sessionCookie).toBeUndefined();
  });

  it('should know people by what the provider calls them, and not by their address', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = visitor();
    await ada.signIn(sub);
    const { _id } = await meOf(api.url, ada);
    provider.people.set(sub, { email: newEmail(), email_verified: true });
    expect(await ada.signIn(sub)).toBe(DONE);
    expect(await meOf(api.url, ada)).toMatchObject({ _id, email });
    // The address of a former colleague, which somebody new has got.
    const heir = unique('sub');
    provider.people.set(heir, { email, email_verified: true });
    expect(await visitor().signIn(heir)).toBe(failedWith('taken'));
  });

  it('should take an account over from a password by a verified address alone, which ends all that opened them before', async () => {
    const before = await joined(session, 'editor');
    const sub = unique('sub');
    for (const claims of [{ email_verified: false }, { email_verified: 'false' }, {}]) {
      provider.people.set(sub, { email: before.email, ...claims });
      expect(await visitor().signIn(sub)).toBe(failedWith('email_unverified'));
    }
    await before.get('/v1/feeds').expect(200);
    provider.people.set(sub, { email: before.email.toUpperCase(), email_verified: true });
    const ada = visitor();
    expect(await ada.signIn(sub)).toBe(DONE);
    expect(await meOf(api.url, ada)).toMatchObject({ email: before.email, hasPassword: false });
    await before.get('/v1/feeds').expect(401);
    const old = new SignedInBrowser(api.url).post('/v1/users/session', { email: before.email, password: PASSWORD });
    expect(await codeOf(old, 401)).toBe('sign_in_failed');
    await session.get('/v1/users').expect(200);
  });

  it('should end the sessions of a password also if the process dies before it has done so', async () => {
    const before = await joined(session, 'editor');
    const sub = unique('sub');
    provider.people.set(sub, { email: before.email, email_verified: true });
    CREDENTIALS_CHANGED.armOnce(() => Promise.reject(new Error('dies here')));
    const ada = visitor();
    await expect(ada.signIn(sub)).rejects.toThrow('500');
    expect(ada.sessionCookie).toBeUndefined();
    // Fresh from the store, as another process reads it.
    await before.get('/v1/users').expect(401);
    expect(await ada.signIn(sub)).toBe(DONE);
    expect(await meOf(api.url, ada)).toMatchObject({ email: before.email });
  });

  it('should leave the sessions of the identity that an account belongs to', async () => {
    const { email } = await joined(session, 'editor');
    const sub = unique('sub');
    provider.people.set(sub, { email, email_verified: true });
    const [first, second] = [visitor(), visitor()];
    CREDENTIALS_CHANGED.armOnce(async () => expect(await second.signIn(sub)).toBe(DONE));
    expect(await first.signIn(sub)).toBe(DONE);
    for (const one of [first, second]) expect(await meOf(api.url, one)).toMatchObject({ email });
  });

  it('should give further roles by invitations, and none from those of other addresses', async () => {
    const [development, production] = await api.siblings();
    const { sub, email } = known();
    await invite(development, email, 'viewer');
    const ada = visitor();
    await ada.signIn(sub);
    await invite(production, email, 'owner');
    await invite(production, newEmail(), 'owner');
    expect(await ada.signIn(sub)).toBe(DONE);
    const { environments } = await meOf(api.url, ada);
    expect(environments.map(({ name, role }) => [name, role])).toEqual([
      ['Development', 'viewer'],
      ['Production', 'owner'],
    ]);
  });

  it('should give nothing by the invitations of those who are owners no longer, also if that changes meanwhile', async () => {
    const owner = await joined(session, 'owner');
    const { _id: ownerId } = await dataOf<SignedIn>(owner.get('/v1/users/session'), 200);
    const change = async (role: string) => session.patch(`/v1/users/${ownerId}`, { role }).expect(200);
    const { sub, email } = known();
    await dataOf(owner.post('/v1/users/invitations', { email, role: 'owner' }), 201);
    LINK_USED.armOnce(() => change('viewer'));
    expect(await visitor().signIn(sub)).toBe(failedWith('not_invited'));
    const emails = async () =>
      (await dataOf<{ email: string }[]>(session.get('/v1/users'), 200)).map((one) => one.email);
    expect(await emails()).toEqual([owner.email]);
    await change('owner');
    const [development, production] = await api.siblings();
    const second = await joined(production, 'owner');
    const { _id } = await dataOf<SignedIn>(second.get('/v1/users/session'), 200);
    await invite(development, email, 'viewer');
    await dataOf(second.post('/v1/users/invitations', { email, role: 'owner' }), 201);
    LINK_USED.armOnce(async () => production.delete(`/v1/users/${_id}`).expect(204));
    const ada = visitor();
    expect(await ada.signIn(sub)).toBe(DONE);
    const { environments } = await meOf(api.url, ada);
    expect(environments.map(({ name, role }) => [name, role])).toEqual([['Development', 'viewer']]);
  });

  it('should need an address of those who are new', async () => {
    const sub = unique('sub');
    provider.people.set(sub, { email_verified: true });
    expect(await visitor().signIn(sub)).toBe(failedWith('email_missing'));
    provider.people.set(sub, { email: 'no address', email_verified: true });
    expect(await visitor().signIn(sub)).toBe(failedWith('email_unverified'));
  });

  it('should not let in those who were removed', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = visitor();
    await ada.signIn(sub);
    const { _id } = await meOf(api.url, ada);
    await session.delete(`/v1/users/${_id}`).expect(204);
    expect(await ada.signIn(sub)).toBe(failedWith('not_invited'));
  });
});

describe('a sign-in that takes its time', () => {
  const clock = new ManualClock(new Date());
  const api = useApi(() => startTestApi(settings(), undefined, clock));
  const session = useSession(api);

  it('should be taken until the last moment, and not at the end of its time', async () => {
    const { sub, email } = known();
    await invite(session, email);
    const ada = new Visitor(api.url);
    const late = await ada.toCallback(sub);
    clock.advance(FLOW_SECONDS * 1_000);
    expect(await ada.land(late)).toBe(failedWith('expired'));
    expect(ada.sessionCookie).toBeUndefined();
    const inTime = await ada.toCallback(sub);
    clock.advance(FLOW_SECONDS * 1_000 - 1);
    expect(await ada.land(inTime)).toBe(DONE);
  });
});

describe('roles that the provider decides', () => {
  const roles = 'admins=owner,staff=viewer,staff=editor@Development,*=viewer@Nowhere';
  const api = useTestApi(() =>
    settings({ OIDC_ROLES: roles, OIDC_SCOPES: 'openid email profile groups', OIDC_DOMAINS: 'example.com' }),
  );
  const rolesOf = async (visitor: Visitor): Promise<string[]> =>
    (await meOf(api.url, visitor)).environments.map(({ name, role }) => `${name}: ${role}`);

  it('should follow the claim at each sign-in', async () => {
    const { sub, email } = known({ groups: ['staff', 'chess'] });
    const ada = new Visitor(api.url);
    expect(await ada.signIn(sub)).toBe(DONE);
    expect(await rolesOf(ada)).toEqual(['Development: editor', 'Production: viewer']);
    provider.people.set(sub, { email, email_verified: true, groups: 'admins' });
    expect(await ada.signIn(sub)).toBe(DONE);
    expect(await rolesOf(ada)).toEqual(['Development: owner', 'Production: owner']);
  });

  it('should end with the group, and come back with it', async () => {
    const { sub, email } = known({ groups: ['admins'] });
    const ada = new Visitor(api.url);
    await ada.signIn(sub);
    const { _id } = await meOf(api.url, ada);
    const open = new SignedInBrowser(api.url);
    open.cookie = ada.sessionCookie;
    provider.people.set(sub, { email, email_verified: true });
    expect(await new Visitor(api.url).signIn(sub)).toBe(failedWith('no_role'));
    await open.get('/v1/feeds').expect(401);
    const users = databaseOf(api.app.get<Connection>(getConnectionToken())).collection('users');
    const stored = (): Promise<Json | null> => users.findOne({ email });
    const { expireAt, ...left } = (await stored()) ?? {};
    expect(left).toMatchObject({ memberships: [], networks: [] });
    expect(Number(expireAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    provider.people.set(sub, { email, email_verified: true, groups: ['staff'] });
    expect(await ada.signIn(sub)).toBe(DONE);
    expect((await meOf(api.url, ada))._id).toBe(_id);
    expect(await stored()).not.toHaveProperty('expireAt');
  });

  it('should be for the domains that are allowed', async () => {
    const { sub } = known({ groups: ['admins'], email: `${unique('eve')}@example.com.evil.example` });
    expect(await new Visitor(api.url).signIn(sub)).toBe(failedWith('wrong_domain'));
  });
});

describe('single sign-on alone', () => {
  const api = useTestApi(() =>
    settings({ PASSWORD_SIGN_IN: 'off', OIDC_DEFAULT_ROLE: 'viewer', OIDC_TRUST_EMAIL: '1' }),
  );

  it('should take no passwords', async () => {
    const session = await api.session();
    const browser = new SignedInBrowser(api.url);
    const password = browser.post('/v1/users/session', { email: newEmail(), password: PASSWORD });
    expect(await codeOf(password, 403)).toBe('passwords_off');
    const { url } = await invite(session, newEmail());
    const accept = browser.post('/v1/users/invitations/accept', { token: tokenOf(url), password: PASSWORD });
    expect(await codeOf(accept, 403)).toBe('passwords_off');
    const options = await dataOf(browser.get('/v1/users/session/options'), 200);
    expect(options).toMatchObject({ takesPasswords: false, provider: 'single sign-on' });
  });

  it('should give new people the role of all, also two at the same time as one account', async () => {
    const [sub, email] = [unique('sub'), newEmail()];
    // Not said to be verified, which this Herald trusts.
    provider.people.set(sub, { email });
    const visitors = [0, 1, 2].map(() => new Visitor(api.url));
    expect(await Promise.all(visitors.map((one) => one.signIn(sub)))).toEqual([DONE, DONE, DONE]);
    const seen = await Promise.all(visitors.map((one) => meOf(api.url, one)));
    expect(new Set(seen.map(({ _id }) => _id)).size).toBe(1);
    expect(seen[0]?.environments.map(({ role }) => role)).toEqual(['viewer', 'viewer']);
    const other = unique('sub');
    provider.people.set(other, { email: newEmail(), email_verified: false });
    expect(await new Visitor(api.url).signIn(other)).toBe(failedWith('email_unverified'));
  });
});

it.each(OIDC_FAULTS)('the console should have words for %s', (fault) => {
  expect(wordsOfFault(fault, 'Keycloak')).not.toBe(wordsOfFault('nothing of this kind'));
});

describe('a Herald without a provider', () => {
  const api = useTestApi();

  it('should say so', async () => {
    const browser = new SignedInBrowser(api.url);
    for (const path of ['', '/callback?state=x&code=y']) {
      const { headers } = await browser.get(`/sign-in/oidc${path}`).expect(302);
      expect(headers['location']).toBe(failedWith('off'));
    }
  });
});
