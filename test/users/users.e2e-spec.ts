import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { databaseOf } from '#libs/persistence';
import { MIGRATIONS } from '../../src/bootstrap/migrations.js';
import { SignInsService } from '../../src/people/users/sign-ins.service.js';
import { CREDENTIALS_CHANGED } from '../../src/people/users/user-sessions.service.js';
import { SignInFailed } from '../../src/people/users/users.errors.js';
import { newEmail, unique } from '../factories/ids.js';
import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf } from '../support/answers.js';
import { joined, PASSWORD, SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi();
const session = useSession(api);

interface Invitation {
  readonly _id: string;
  readonly url: string;
  readonly mail: string;
}

const invite = (by: Pick<TestSession, 'post'>, body: object): Promise<Invitation> =>
  dataOf<Invitation>(by.post('/v1/users/invitations', { email: newEmail(), role: 'editor', ...body }), 201);
const browser = (): SignedInBrowser => new SignedInBrowser(api.url);

describe('a session', () => {
  const from = { ip: '192.0.2.7', userAgent: '' };
  const signIns = (): SignInsService => api.app.get(SignInsService, { strict: false });
  const sessionsOf = (person: SignedInBrowser): Promise<unknown[]> =>
    dataOf<unknown[]>(person.get('/v1/users/me/sessions'), 200);

  it('should not be opened by a password that is changed meanwhile', async () => {
    const person = await joined(session, 'editor');
    const proved = await signIns().prove({ email: person.email, password: PASSWORD }, from);
    const body = { currentPassword: PASSWORD, newPassword: 'other river oval 48' };
    await person.put('/v1/users/me/password', body).expect(204);
    await expect(signIns().open(proved, 'password', from)).rejects.toThrow(SignInFailed);
    expect(await sessionsOf(person)).toHaveLength(1);
  });
});

describe('invitations', () => {
  it('should let a person join, with the role in the environment of the key', async () => {
    const email = newEmail();
    const { url, mail } = await invite(session, { email });
    expect(mail).toBe('no_integration');
    expect(new URL(url).pathname).toBe('/console/invitation');
    const person = browser();
    const known = await dataOf(person.post('/v1/users/invitations/look', { token: tokenOf(url) }), 200);
    expect(known).toMatchObject({ email, hasAccount: false, isRecovery: false });
    const me = await person.accept(tokenOf(url), { name: 'Ada Lovelace' });
    expect(me).toMatchObject({
      email,
      name: 'Ada Lovelace',
      environments: [{ _id: session.environmentId, name: 'Development', role: 'editor' }],
    });
    expect(await dataOf(session.get('/v1/users'), 200)).toEqual([
      expect.objectContaining({ email, name: 'Ada Lovelace', role: 'editor', isYou: false }),
    ]);
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toEqual([]);
  });

  it('should work once, also for two who use them at the same time', async () => {
    const { url } = await invite(session, {});
    const accept = { token: tokenOf(url), password: PASSWORD };
    const answers = await Promise.all([0, 1].map(() => browser().post('/v1/users/invitations/accept', accept)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    expect(await codeOf(browser().post('/v1/users/invitations/accept', accept), 404)).toBe('invitation_invalid');
    expect(await dataOf<unknown[]>(session.get('/v1/users'), 200)).toHaveLength(1);
  });

  it('should be listed until they are withdrawn, and not work then', async () => {
    const { _id, url } = await invite(session, { role: 'viewer' });
    expect(await dataOf(session.get('/v1/users/invitations'), 200)).toEqual([
      expect.objectContaining({ _id, role: 'viewer', invitedBy: 'API key test' }),
    ]);
    await session.delete(`/v1/users/invitations/${_id}`).expect(204);
    await session.delete(`/v1/users/invitations/${_id}`).expect(404);
    await browser()
      .post('/v1/users/invitations/look', { token: tokenOf(url) })
      .expect(404);
  });

  it('should refuse weak passwords, and keep the link', async () => {
    const { url } = await invite(session, {});
    const token = tokenOf(url);
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', '12 3 12 3 123']) {
      const accept = browser().post('/v1/users/invitations/accept', { token, password });
      expect(await codeOf(accept, 400)).toBe('password_too_weak');
    }
    await browser().accept(token);
  });

  it('should ask somebody who has an account for its password, so that a link opens no account of others', async () => {
    const [development, production] = await api.siblings();
    const ada = await joined(development, 'viewer');
    const { url } = await invite(production, { email: ada.email, role: 'owner' });
    const thief = browser();
    expect(await dataOf(thief.post('/v1/users/invitations/look', { token: tokenOf(url) }), 200)).toMatchObject({
      hasAccount: true,
    });
    const wrong = { token: tokenOf(url), password: 'bridge maple quiet 12' };
    expect(await codeOf(thief.post('/v1/users/invitations/accept', wrong), 401)).toBe('sign_in_failed');
    const { environments } = await browser().accept(tokenOf(url));
    expect(environments.map(({ name, role }) => [name, role])).toEqual([
      ['Development', 'viewer'],
      ['Production', 'owner'],
    ]);
  });

  it('should not reach beyond the rights of whoever invites', async () => {
    const [development, production] = await api.siblings();
    const both = { environmentIds: [development.environmentId, production.environmentId] };
    const refused = development.post('/v1/users/invitations', { email: newEmail(), role: 'viewer', ...both });
    expect(await codeOf(refused, 403)).toBe('not_your_environment');
    const owner = await joined(development, 'owner');
    expect(await codeOf(owner.post('/v1/users/invitations', { email: newEmail(), role: 'viewer', ...both }), 403)).toBe(
      'not_your_environment',
    );
    const { url } = await invite(production, { email: owner.email, role: 'owner' });
    await owner.accept(tokenOf(url));
    expect(await invite(owner, both)).toMatchObject({ role: 'editor' });
  });

  it('should refuse to invite somebody who is there already', async () => {
    const { email } = await joined(session, 'viewer');
    expect(await codeOf(session.post('/v1/users/invitations', { email, role: 'owner' }), 409)).toBe('already_member');
  });
});

describe('roles', () => {
  it('should allow what the scopes of the role allow', async () => {
    const [viewer, editor, owner] = await Promise.all(
      ['viewer', 'editor', 'owner'].map((role) => joined(session, role)),
    );
    for (const person of [viewer, editor, owner]) await person?.get('/v1/feeds').expect(200);
    await viewer?.post('/v1/feeds', { name: unique('feed') }).expect(403);
    await editor?.post('/v1/feeds', { name: unique('feed') }).expect(201);
    await editor?.get('/v1/environments/api-keys/all').expect(403);
    await editor?.get('/v1/users').expect(403);
    await owner?.get('/v1/users').expect(200);
    await owner?.post('/v1/environments/api-keys', { name: 'by a person', scopes: ['read'] }).expect(201);
    const shown = await owner?.get('/v1/environments/api-keys').expect(200);
    expect(shown && dataOf<{ key: string }[]>(shown).map(({ key }) => key)).toEqual(['********', '********']);
  });

  it('should count in the environment that the request names', async () => {
    const [development, production] = await api.siblings();
    const person = await joined(development, 'owner');
    const { url } = await invite(production, { email: person.email, role: 'viewer' });
    await person.accept(tokenOf(url));
    await person.post('/v1/feeds', { name: 'in-development' }).expect(201);
    person.environmentId = production.environmentId;
    expect(await dataOf(person.get('/v1/feeds'), 200)).toEqual([]);
    await person.post('/v1/feeds', { name: 'in-production' }).expect(403);
    const other = await api.session();
    person.environmentId = other.environmentId;
    expect(await codeOf(person.get('/v1/feeds'), 403)).toBe('environment_closed');
  });

  it('should change at once, and not by the person', async () => {
    const person = await joined(session, 'owner');
    const [me] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    const path = `/v1/users/${me?._id}`;
    expect(await codeOf(person.patch(path, { role: 'viewer' }), 409)).toBe('own_role');
    expect(await dataOf(session.patch(path, { role: 'viewer' }), 200)).toMatchObject({ role: 'viewer' });
    await person.get('/v1/users').expect(403);
    await person.get('/v1/feeds').expect(200);
  });

  it('should end with the removal, and the account with the last one', async () => {
    const person = await joined(session, 'editor');
    const [me] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    await session.post(`/v1/users/${me?._id}/recovery`).expect(201);
    await session.delete(`/v1/users/${me?._id}`).expect(204);
    await person.get('/v1/feeds').expect(401);
    await session.delete(`/v1/users/${me?._id}`).expect(404);
    const signIn = { email: person.email, password: PASSWORD };
    await browser().post('/v1/users/session', signIn).expect(401);
    // Nothing is left of the account.
    const database = databaseOf(api.app.get<Connection>(getConnectionToken()));
    expect(await database.collection('users').findOne({ email: person.email })).toBeNull();
    expect(await database.collection('userInvitations').findOne({ email: person.email })).toBeNull();
    expect(await database.collection('userSessions').findOne({ _userId: new Types.ObjectId(me?._id) })).toBeNull();
    // The address can be invited again.
    const { url } = await invite(session, { email: person.email });
    await browser().accept(tokenOf(url), { password: 'bridge maple quiet 12' });
  });
});

describe('people whom earlier versions removed', () => {
  it('should leave nothing after the upgrade', async () => {
    const stays = await joined(session, 'viewer');
    const database = databaseOf(api.app.get<Connection>(getConnectionToken()));
    const users = database.collection('users');
    const email = newEmail();
    const removed = {
      email,
      name: 'Ada',
      memberships: [],
      networks: ['192.0.2.0/24'],
      passwordHash: 'x',
      deleted: true,
    };
    await users.insertOne(removed);
    await MIGRATIONS.find(({ name }) => name === 'nothing of removed people')?.run(database);
    expect(await users.findOne({ email })).toBeNull();
    await stays.get('/v1/feeds').expect(200);
  });
});

describe('recovery', () => {
  it('should set a new password by a link, and end what was open', async () => {
    const person = await joined(session, 'viewer');
    const [me] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    const { url } = await dataOf<{ url: string }>(session.post(`/v1/users/${me?._id}/recovery`), 201);
    const password = 'bridge maple quiet 12';
    await browser().accept(tokenOf(url), { password });
    await person.get('/v1/feeds').expect(401);
    await browser().post('/v1/users/session', { email: person.email, password: PASSWORD }).expect(401);
    await browser().signIn(person.email, password);
  });

  it('should end what was open also if the process dies right after it', async () => {
    const { email } = await joined(session, 'viewer');
    const open = browser();
    const { _id } = await open.signIn(email);
    const { url } = await dataOf<{ url: string }>(session.post(`/v1/users/${_id}/recovery`), 201);
    CREDENTIALS_CHANGED.armOnce(() => Promise.reject(new Error('dies here')));
    const accept = { token: tokenOf(url), password: 'bridge maple quiet 12' };
    await browser().post('/v1/users/invitations/accept', accept).expect(500);
    await open.get('/v1/feeds').expect(401);
  });

  it('should not be for those who do not rule all that the person may', async () => {
    const [development, production] = await api.siblings();
    const person = await joined(development, 'viewer');
    const { url } = await invite(production, { email: person.email, role: 'owner' });
    await person.accept(tokenOf(url));
    const [me] = await dataOf<{ _id: string }[]>(development.get('/v1/users'), 200);
    for (const call of [
      development.post(`/v1/users/${me?._id}/recovery`),
      development.get(`/v1/users/${me?._id}/sessions`),
      development.delete(`/v1/users/${me?._id}/sessions`),
    ]) {
      expect(await codeOf(call, 403)).toBe('not_your_environment');
    }
  });
});

describe('accounts', () => {
  it('should list sessions and end one, the others, or all', async () => {
    const first = await joined(session, 'viewer');
    const [second, third] = [browser(), browser()];
    const { _id } = await second.signIn(first.email);
    await third.signIn(first.email);
    const sessions = await dataOf<{ _id: string; current: boolean; method: string }[]>(
      second.get('/v1/users/me/sessions'),
      200,
    );
    expect(sessions.map(({ method, current }) => [method, current])).toEqual([
      ['password', false],
      ['password', true],
      ['invitation', false],
    ]);
    await second.delete(`/v1/users/me/sessions/${sessions[0]?._id}`).expect(204);
    await third.get('/v1/feeds').expect(401);
    await second.delete('/v1/users/me/sessions').expect(204);
    await first.get('/v1/feeds').expect(401);
    await second.get('/v1/feeds').expect(200);
    await session.delete(`/v1/users/${_id}/sessions`).expect(204);
    await second.get('/v1/feeds').expect(401);
  });

  it('should sign out: the cookie is taken back and worth nothing', async () => {
    const person = await joined(session, 'viewer');
    const answer = await person.delete('/v1/users/session').expect(204);
    expect(String(answer.headers['set-cookie'])).toMatch(/^herald_session=; .*Max-Age=0/);
    await person.get('/v1/users/session').expect(401);
  });

  it('should change the password with the current one, and end the other sessions', async () => {
    const person = await joined(session, 'viewer');
    const other = browser();
    await other.signIn(person.email);
    const change = (currentPassword: string, newPassword: string) =>
      person.put('/v1/users/me/password', { currentPassword, newPassword });
    expect(await codeOf(change('not the password', 'bridge maple quiet 12'), 403)).toBe('password_wrong');
    expect(await codeOf(change(PASSWORD, 'short'), 400)).toBe('password_too_weak');
    await change(PASSWORD, 'bridge maple quiet 12').expect(204);
    await person.get('/v1/feeds').expect(200);
    await other.get('/v1/feeds').expect(401);
    await browser().signIn(person.email, 'bridge maple quiet 12');
  });

  it('should end other sessions with the change of a password also if the process dies right after it', async () => {
    const person = await joined(session, 'viewer');
    const others = [browser(), browser()];
    for (const other of others) await other.signIn(person.email);
    // One of a version that did not know the field.
    const sessions = databaseOf(api.app.get<Connection>(getConnectionToken())).collection('userSessions');
    const [latest] = await sessions.find({}).sort({ _id: -1 }).limit(1).toArray();
    await sessions.updateOne({ _id: latest?._id }, { $unset: { credentialsVersion: '' } });
    const changed = { currentPassword: PASSWORD, newPassword: 'bridge maple quiet 12' };
    CREDENTIALS_CHANGED.armOnce(() => Promise.reject(new Error('dies here')));
    await person.put('/v1/users/me/password', changed).expect(500);
    for (const other of others) await other.get('/v1/feeds').expect(401);
    await browser().signIn(person.email, changed.newPassword);
  });

  it('should say who is signed in, and that an API key is nobody', async () => {
    const person = await joined(session, 'editor');
    await person.patch('/v1/users/me', { name: 'Grace' }).expect(204);
    expect(await dataOf(person.get('/v1/users/session'), 200)).toMatchObject({ email: person.email, name: 'Grace' });
    expect(await codeOf(session.get('/v1/users/session'), 403)).toBe('person_needed');
  });
});
