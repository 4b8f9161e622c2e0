import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { databaseOf } from '#libs/persistence';
import { LINK_USED } from '../../src/people/users/one-time-links.js';
import { newEmail } from '../factories/ids.js';
import { TestSession } from '../harness/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { joined, PASSWORD, SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { useSession, useTestApi } from '../support/test-api.js';

const OTHER_PASSWORD = 'bridge maple quiet 12';

const api = useTestApi();
const session = useSession(api);

type By = Pick<TestSession, 'get' | 'post' | 'patch' | 'delete'>;

const browser = (): SignedInBrowser => new SignedInBrowser(api.url);
const invite = (by: Pick<By, 'post'>, body: object = {}): Promise<{ _id: string; url: string; email: string }> =>
  dataOf(by.post('/v1/users/invitations', { email: newEmail(), role: 'editor', ...body }), 201);
const peopleOf = (by: By): Promise<(Json & { _id: string; email: string })[]> => dataOf(by.get('/v1/users'), 200);
async function idOf({ email }: { email: string }, by: By = session): Promise<string> {
  return (await peopleOf(by)).find((one) => one.email === email)?._id ?? '';
}
const recovery = async (by: By, id: string): Promise<string> =>
  tokenOf((await dataOf<{ url: string }>(by.post(`/v1/users/${id}/recovery`), 201)).url);
const accept = (token: string, password = PASSWORD) =>
  browser().post('/v1/users/invitations/accept', { token, password });
const look = (token: string) => browser().post('/v1/users/invitations/look', { token });

/** Neither shown nor usable. */
async function expectEnded(token: string, password?: string): Promise<void> {
  expect(await codeOf(look(token), 404)).toBe('invitation_invalid');
  expect(await codeOf(accept(token, password), 404)).toBe('invitation_invalid');
}

/** A caller with another key of the same environment. */
async function keyOf(body: object, by: TestSession = session): Promise<TestSession & { id: string }> {
  const issued = await dataOf<{ key: string; _id: string }>(
    by.post('/v1/environments/api-keys', { name: 'k', ...body }),
    201,
  );
  const { organizationId, environmentId, baseUrl } = by;
  const caller = new TestSession(baseUrl, { apiKey: issued.key, organizationId, environmentId });
  return Object.assign(caller, { id: issued._id });
}
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

describe('a link for a new password', () => {
  it('should end when the person gets a role in another environment, also when it is being used', async () => {
    const [development, production] = await api.siblings();
    const ada = await joined(development, 'viewer');
    const id = await idOf(ada, development);
    const [before, meanwhile] = [await recovery(development, id), await recovery(development, id)];
    const { url } = await invite(production, { email: ada.email, role: 'owner' });
    LINK_USED.armOnce(() => ada.accept(tokenOf(url)));
    expect(await codeOf(accept(meanwhile, OTHER_PASSWORD), 404)).toBe('invitation_invalid');
    await expectEnded(before, OTHER_PASSWORD);
    await browser().signIn(ada.email);
  });

  it('should end with a new password, with another link that is used, and with codes that are taken away', async () => {
    const ada = await joined(session, 'viewer');
    const id = await idOf(ada);
    const first = await recovery(session, id);
    const change = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    await ada.put('/v1/users/me/password', change).expect(204);
    await expectEnded(first, 'other river oval 48');
    const [second, third] = [await recovery(session, id), await recovery(session, id)];
    await browser().accept(second, { password: 'other river oval 48' });
    await expectEnded(third, OTHER_PASSWORD);
    const fourth = await recovery(session, id);
    await session.delete(`/v1/users/${id}/totp`).expect(204);
    await expectEnded(fourth, OTHER_PASSWORD);
  });

  it.each(['demoted', 'removed'])('should end when whoever made it is %s', async (how) => {
    const [ada, owner] = [await joined(session, 'viewer'), await joined(session, 'owner')];
    const [id, ownerId] = [await idOf(ada), await idOf(owner)];
    const [first, second] = [await recovery(owner, id), await recovery(owner, id)];
    const end = () =>
      how === 'demoted'
        ? session.patch(`/v1/users/${ownerId}`, { role: 'editor' }).expect(200)
        : session.delete(`/v1/users/${ownerId}`).expect(204);
    LINK_USED.armOnce(async () => end());
    expect(await codeOf(accept(first, OTHER_PASSWORD), 404)).toBe('invitation_invalid');
    await expectEnded(second, OTHER_PASSWORD);
    await browser().signIn(ada.email);
  });

  it('should end with the key that made it', async () => {
    const ada = await joined(session, 'viewer');
    const key = await keyOf({});
    const token = await recovery(key, await idOf(ada));
    await look(token).expect(200);
    await session.delete(`/v1/environments/api-keys/${key.id}`).expect(204);
    await expectEnded(token, OTHER_PASSWORD);
  });

  it('should not work any more if an earlier version made it', async () => {
    const ada = await joined(session, 'viewer');
    const token = await recovery(session, await idOf(ada));
    const links = databaseOf(api.app.get<Connection>(getConnectionToken())).collection('userInvitations');
    const $unset = { issuer: '', issuedBy: '', credentialsVersion: '' };
    await links.updateOne({ email: ada.email }, { $unset, $set: { memberships: [] } });
    await expectEnded(token, OTHER_PASSWORD);
  });
});

describe('an invitation', () => {
  it.each(['demoted', 'removed'])('should end when whoever made it is %s', async (how) => {
    const owner = await joined(session, 'owner');
    const id = await idOf(owner);
    const { url } = await invite(owner, { role: 'owner' });
    if (how === 'demoted') await session.patch(`/v1/users/${id}`, { role: 'editor' }).expect(200);
    else await session.delete(`/v1/users/${id}`).expect(204);
    await expectEnded(tokenOf(url));
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toEqual([]);
  });

  it('should give nothing if whoever made it is demoted while it is accepted', async () => {
    const owner = await joined(session, 'owner');
    const id = await idOf(owner);
    const demote = () => session.patch(`/v1/users/${id}`, { role: 'viewer' }).expect(200);
    const { url, email } = await invite(owner, { role: 'owner' });
    LINK_USED.armOnce(async () => demote());
    expect(await codeOf(accept(tokenOf(url)), 404)).toBe('invitation_invalid');
    expect((await peopleOf(session)).map((one) => one.email)).toEqual([owner.email]);
    expect(await codeOf(browser().post('/v1/users/session', { email, password: PASSWORD }), 401)).toBe(
      'sign_in_failed',
    );
  });

  it('should give an account nothing more if whoever made it is removed while it is accepted', async () => {
    const [development, production] = await api.siblings();
    const [ada, owner] = [await joined(development, 'viewer'), await joined(production, 'owner')];
    const { url } = await invite(owner, { email: ada.email, role: 'owner' });
    const id = await idOf(owner, production);
    LINK_USED.armOnce(async () => production.delete(`/v1/users/${id}`).expect(204));
    expect(await codeOf(accept(tokenOf(url)), 404)).toBe('invitation_invalid');
    const { environments } = await browser().signIn(ada.email);
    expect(environments.map(({ name, role }) => [name, role])).toEqual([['Development', 'viewer']]);
  });

  it('should end with the key that made it, and not be listed then', async () => {
    const key = await keyOf({});
    const { url } = await invite(key);
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toHaveLength(1);
    await session.delete(`/v1/environments/api-keys/${key.id}`).expect(204);
    await expectEnded(tokenOf(url));
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toEqual([]);
  });

  it('should not work any more if an earlier version made it', async () => {
    const { url, email } = await invite(session);
    const links = databaseOf(api.app.get<Connection>(getConnectionToken())).collection('userInvitations');
    await links.updateOne({ email }, { $unset: { issuer: '', issuedBy: '' } });
    await expectEnded(tokenOf(url));
  });
});

describe('a key', () => {
  it('should give no role of which it lacks a scope, in any way', async () => {
    const viewer = await joined(session, 'viewer');
    const [owner, id] = [await joined(session, 'owner'), await idOf(viewer)];
    const admin = await keyOf({ scopes: ['admin'] });
    const reader = await keyOf({ scopes: ['admin', 'read'] });
    for (const [key, role] of [
      [admin, 'viewer'],
      [admin, 'owner'],
      [reader, 'editor'],
      [reader, 'owner'],
    ] as const) {
      expect(await codeOf(key.post('/v1/users/invitations', { email: newEmail(), role }), 403)).toBe('rights_exceeded');
    }
    expect(await codeOf(reader.patch(`/v1/users/${id}`, { role: 'editor' }), 403)).toBe('rights_exceeded');
    expect(await codeOf(admin.post(`/v1/users/${id}/recovery`), 403)).toBe('rights_exceeded');
    const ownerId = await idOf(owner);
    expect(await codeOf(reader.post(`/v1/users/${ownerId}/recovery`), 403)).toBe('rights_exceeded');
    expect(await codeOf(reader.delete(`/v1/users/${ownerId}/totp`), 403)).toBe('rights_exceeded');
    expect(await codeOf(reader.patch('/v1/users/0123456789abcdef01234567', { role: 'owner' }), 404)).toBe(
      'user_not_found',
    );
    // What it has, and less than there was.
    await invite(reader, { role: 'viewer' });
    await recovery(reader, id);
    expect(await dataOf(admin.patch(`/v1/users/${ownerId}`, { role: 'viewer' }), 200)).toMatchObject({
      role: 'viewer',
    });
  });

  it('should give nothing that lasts if it has an end', async () => {
    const [editor, id] = await joined(session, 'editor').then(async (one) => [one, await idOf(one)] as const);
    const key = await keyOf({ expiresAt: inAnHour() });
    const refused = [
      key.post('/v1/users/invitations', { email: newEmail(), role: 'viewer' }),
      key.patch(`/v1/users/${id}`, { role: 'owner' }),
      key.post(`/v1/users/${id}/recovery`),
      key.delete(`/v1/users/${id}/totp`),
    ];
    for (const call of refused) expect(await codeOf(call, 403)).toBe('rights_exceeded');
    await key.patch(`/v1/users/${id}`, { role: 'viewer' }).expect(200);
    await key.delete(`/v1/users/${id}/sessions`).expect(204);
    await editor.get('/v1/feeds').expect(401);
    await key.delete(`/v1/users/${id}`).expect(204);
  });

  it('should open no more by a link than it has, also if the person has got more since', async () => {
    const viewer = await joined(session, 'viewer');
    const id = await idOf(viewer);
    const key = await keyOf({ scopes: ['admin', 'read'] });
    const [first, second] = [await recovery(key, id), await recovery(key, id)];
    const promote = async () => session.patch(`/v1/users/${id}`, { role: 'owner' }).expect(200);
    LINK_USED.armOnce(promote);
    expect(await codeOf(accept(first, OTHER_PASSWORD), 404)).toBe('invitation_invalid');
    await expectEnded(second, OTHER_PASSWORD);
    await browser().signIn(viewer.email);
  });

  it('should be found by what it has made: people, roles and invitations', async () => {
    const key = await keyOf({});
    const byKey = await joined(key, 'viewer');
    const other = await joined(session, 'viewer');
    await key.patch(`/v1/users/${await idOf(other)}`, { role: 'editor' }).expect(200);
    const untouched = await joined(session, 'viewer');
    await invite(key);
    const people = (await peopleOf(session)).filter(({ issuedBy }) => issuedBy === key.id);
    expect(people.map(({ email }) => email).sort()).toEqual([byKey.email, other.email].sort());
    expect(people.map(({ email }) => email)).not.toContain(untouched.email);
    const invitations = await dataOf<Json[]>(session.get('/v1/users/invitations'), 200);
    expect(invitations.map(({ issuedBy }) => issuedBy)).toEqual([key.id]);
  });
});
