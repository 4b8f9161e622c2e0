import { SignInsService } from '../../src/people/users/sign-ins.service.js';
import { CREDENTIALS_CHANGED } from '../../src/people/users/user-sessions.service.js';
import { SignInFailed } from '../../src/people/users/users.errors.js';
import { TOTP } from 'otpauth';
import { ManualClock } from '#libs/common';
import { codeOf, dataOf } from '../support/answers.js';
import { joined, PASSWORD, SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { startTestApi, useApi, useSession } from '../support/test-api.js';

const clock = new ManualClock(new Date());
const api = useApi(() => startTestApi({}, undefined, clock));
const session = useSession(api);
const SESSION = '/v1/users/session';

interface Protected {
  readonly person: SignedInBrowser & { email: string };
  readonly secret: string;
  readonly recoveryCodes: string[];
}

const codeNow = (secret: string): string => new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
const nextPeriod = (): void => clock.advance(30_000);
const browser = (): SignedInBrowser => new SignedInBrowser(api.url);
const signIn = (email: string, code?: string) =>
  browser().post(SESSION, { email, password: PASSWORD, ...(code !== undefined && { code }) });

/** Somebody whose account needs codes. */
async function withCodes(): Promise<Protected> {
  const person = await joined(session, 'viewer');
  const { secret } = await dataOf<{ secret: string }>(person.post('/v1/users/me/totp', { password: PASSWORD }), 201);
  const confirm = person.post('/v1/users/me/totp/confirm', { code: codeNow(secret) });
  const { recoveryCodes } = await dataOf<{ recoveryCodes: string[] }>(confirm, 201);
  nextPeriod();
  return { person, secret, recoveryCodes };
}

describe('codes of authenticator apps', () => {
  it('should be needed once they are confirmed, and not before', async () => {
    const person = await joined(session, 'viewer');
    const begin = (): ReturnType<typeof person.post> => person.post('/v1/users/me/totp', { password: PASSWORD });
    expect(await codeOf(person.post('/v1/users/me/totp', { password: 'wrong' }), 403)).toBe('password_wrong');
    expect(await codeOf(person.post('/v1/users/me/totp/confirm', { code: '000000' }), 409)).toBe('totp_not_begun');
    const { secret, uri } = await dataOf<{ secret: string; uri: string }>(begin(), 201);
    expect(uri).toContain(`secret=${secret}`);
    const other = browser();
    other.keep(await signIn(person.email).expect(201));
    expect(await codeOf(person.post('/v1/users/me/totp/confirm', { code: 'abc' }), 400)).toBe('totp_code_wrong');
    await person.post('/v1/users/me/totp/confirm', { code: codeNow(secret) }).expect(201);
    await other.get('/v1/feeds').expect(401);
    await person.get('/v1/feeds').expect(200);
    expect(await codeOf(begin(), 409)).toBe('totp_already_on');
    expect(await codeOf(signIn(person.email), 401)).toBe('code_needed');
    nextPeriod();
    const { body } = await signIn(person.email, codeNow(secret)).expect(201);
    expect(dataOf({ body: body as unknown })).toMatchObject({ hasTotp: true });
    expect(await dataOf(session.get('/v1/users'), 200)).toEqual([expect.objectContaining({ hasTotp: true })]);
  });

  it('should end sessions without one, also those that are being opened, and if the process dies right after it', async () => {
    const person = await joined(session, 'viewer');
    const other = browser();
    other.keep(await signIn(person.email).expect(201));
    const from = { ip: '192.0.2.7', userAgent: '' };
    const signIns = api.app.get(SignInsService, { strict: false });
    const proved = await signIns.prove({ email: person.email, password: PASSWORD }, from);
    const { secret } = await dataOf<{ secret: string }>(person.post('/v1/users/me/totp', { password: PASSWORD }), 201);
    CREDENTIALS_CHANGED.armOnce(() => Promise.reject(new Error('dies here')));
    await person.post('/v1/users/me/totp/confirm', { code: codeNow(secret) }).expect(500);
    await other.get('/v1/feeds').expect(401);
    await expect(signIns.open(proved, 'password', from)).rejects.toThrow(SignInFailed);
  });

  it('should work once, also for two who send one at the same time', async () => {
    const { person, secret } = await withCodes();
    const code = codeNow(secret);
    const answers = await Promise.all([signIn(person.email, code), signIn(person.email, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect(await codeOf(signIn(person.email, code), 401)).toBe('code_wrong');
  });

  it('should not be asked for after a wrong password: that would tell that it is right', async () => {
    const { person } = await withCodes();
    const wrong = browser().post(SESSION, { email: person.email, password: 'not the password' });
    expect(await codeOf(wrong, 401)).toBe('sign_in_failed');
  });

  it('should be guessed no more often than passwords', async () => {
    const { person, secret } = await withCodes();
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++) statuses.push((await signIn(person.email, `00000${at % 10}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await signIn(person.email, codeNow(secret))).status).toBe(429);
  });

  it('should be guessed no more often where they are set up or switched off', async () => {
    const guess = async (person: SignedInBrowser, path: string, body: object): Promise<number[]> => {
      const statuses: number[] = [];
      for (let at = 0; at < 12; at++) {
        statuses.push((await person.post(path, { ...body, code: `00000${at % 10}` })).status);
      }
      return statuses;
    };
    const limited = [...Array<number>(10).fill(400), 429, 429];
    const begun = await joined(session, 'viewer');
    const begin = begun.post('/v1/users/me/totp', { password: PASSWORD });
    const { secret } = await dataOf<{ secret: string }>(begin, 201);
    expect(await guess(begun, '/v1/users/me/totp/confirm', {})).toEqual(limited);
    expect((await begun.post('/v1/users/me/totp/confirm', { code: codeNow(secret) })).status).toBe(429);
    const { person } = await withCodes();
    expect(await guess(person, '/v1/users/me/totp/disable', { password: PASSWORD })).toEqual(limited);
  });

  it('should have recovery codes, each for one sign-in', async () => {
    const { person, recoveryCodes } = await withCodes();
    const [first = '', second = ''] = recoveryCodes;
    await signIn(person.email, first.toLowerCase().replaceAll('-', ' ')).expect(201);
    expect(await codeOf(signIn(person.email, first), 401)).toBe('code_wrong');
    await signIn(person.email, second).expect(201);
  });

  it('should be switched off with the password and a code, or by an owner', async () => {
    const { person, secret } = await withCodes();
    const other = browser();
    other.keep(await signIn(person.email, codeNow(secret)).expect(201));
    nextPeriod();
    const disable = (password: string, code?: string) =>
      person.post('/v1/users/me/totp/disable', { password, ...(code !== undefined && { code }) });
    await disable(PASSWORD).expect(400);
    expect(await codeOf(disable('wrong', codeNow(secret)), 403)).toBe('password_wrong');
    expect(await codeOf(disable(PASSWORD, '000000'), 400)).toBe('totp_code_wrong');
    await other.get('/v1/feeds').expect(200);
    await disable(PASSWORD, codeNow(secret)).expect(204);
    await other.get('/v1/feeds').expect(401);
    await person.get('/v1/feeds').expect(200);
    await signIn(person.email).expect(201);
    const recovered = await withCodes();
    const body = { password: PASSWORD, code: recovered.recoveryCodes[3] };
    await recovered.person.post('/v1/users/me/totp/disable', body).expect(204);
    await signIn(recovered.person.email).expect(201);
    const lost = await withCodes();
    const users = await dataOf<{ _id: string; email: string }[]>(session.get('/v1/users'), 200);
    const user = users.find(({ email }) => email === lost.person.email);
    await session.delete(`/v1/users/${user?._id}/totp`).expect(204);
    await lost.person.get('/v1/feeds').expect(401);
    await signIn(lost.person.email).expect(201);
  });

  it('should also be needed for a link that sets a new password', async () => {
    const { person, secret } = await withCodes();
    const [user] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    const { url } = await dataOf<{ url: string }>(session.post(`/v1/users/${user?._id}/recovery`), 201);
    const accept = { token: tokenOf(url), password: 'bridge maple quiet 12' };
    expect(await codeOf(browser().post('/v1/users/invitations/accept', accept), 401)).toBe('code_needed');
    await browser().accept(tokenOf(url), { ...accept, code: codeNow(secret) });
    expect(person.email).toContain('@');
  });
});
