import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { codeOf } from '../support/answers.js';
import { cookieOf, joined, PASSWORD, SignedInBrowser } from '../support/signed-in-browser.js';
import { PLATFORMS } from '../support/platforms.js';
import { useSession, useTestApi } from '../support/test-api.js';

describe.each(PLATFORMS)('attacks on $HTTP_PLATFORM', (platform) => {
  // The tests are many addresses behind a proxy.
  const api = useTestApi({ ...platform, TRUST_PROXY: 'loopback', CORS_ORIGINS: 'https://app.example' });
  const session = useSession(api);
  const browser = (): SignedInBrowser => new SignedInBrowser(api.url);
  const guess = guessesAt(api);

  it('should give a cookie that scripts cannot read and other sites do not send', async () => {
    const { email } = await joined(session, 'viewer');
    const answer = await guess(email, '192.0.2.1', PASSWORD).expect(201);
    expect(cookieOf(answer)).toMatch(/^herald_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const secure = await guess(email, '192.0.2.1', PASSWORD).set('X-Forwarded-Proto', 'https').expect(201);
    expect(cookieOf(secure)).toMatch(/; Secure$/);
  });

  it('should refuse changes without the CSRF token of the session', async () => {
    const person = await joined(session, 'editor');
    const other = await joined(session, 'editor');
    for (const token of [undefined, '', 'x', other.csrfToken]) {
      person.csrfToken = token;
      expect(await codeOf(person.post('/v1/feeds', { name: 'forged' }), 403)).toBe('csrf_token_invalid');
      expect(await codeOf(person.delete('/v1/users/session'), 403)).toBe('csrf_token_invalid');
    }
    await person.get('/v1/feeds').expect(200);
  });

  it('should not let forms of other sites sign in: a form sends no JSON, and no other site may ask', async () => {
    const { email } = await joined(session, 'viewer');
    const body = JSON.stringify({ email, password: PASSWORD });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await request(api.url).post('/v1/users/session').set('Content-Type', type).send(body);
      expect([answer.status, cookieOf(answer)]).toEqual([415, undefined]);
    }
    const asked = await request(api.url)
      .options('/v1/users/session')
      .set('Origin', 'https://app.example')
      .set('Access-Control-Request-Method', 'POST');
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('should give a new session at each sign-in, and end the one that the browser had (fixation)', async () => {
    const planted = await joined(session, 'viewer');
    const victim = browser();
    victim.cookie = planted.cookie;
    await victim.signIn(planted.email);
    expect(victim.cookie).not.toBe(planted.cookie);
    await planted.get('/v1/feeds').expect(401);
    const invented = browser();
    invented.cookie = 'herald_session=an-invented-token';
    await invented.signIn(planted.email);
    expect(invented.cookie).not.toContain('invented');
    await victim.get('/v1/feeds').expect(200);
  });

  it('should prefer a key to a cookie, so that a cookie never adds rights', async () => {
    const owner = await joined(session, 'owner');
    await owner.get('/v1/feeds').set('Authorization', 'ApiKey not-a-key-of-anyone').expect(401);
  });
});

describe('password hashes', () => {
  const api = useTestApi({ TRUST_PROXY: 'loopback', PASSWORD_HASH_COST: '15' });
  const session = useSession(api);
  const guess = guessesAt(api);

  it('should take as long for an address of nobody as for a wrong password', async () => {
    const { email } = await joined(session, 'viewer');
    const cpuOf = async (address: string, ip: string): Promise<number> => {
      const before = process.cpuUsage();
      await guess(address, ip).expect(401);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const medianOf = async (address: string, net: string): Promise<number> => {
      const all: number[] = [];
      for (let at = 1; at <= 3; at++) all.push(await cpuOf(address, `${net}.${at}`));
      return all.sort((a, b) => a - b)[1] ?? 0;
    };
    const known = await medianOf(email, '198.51.100');
    const unknown = await medianOf('nobody-at-all@example.com', '203.0.113');
    expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(2);
  });

  it('should keep neither passwords nor tokens as they are', async () => {
    const person = await joined(session, 'viewer');
    const connection = api.app.get<Connection>(getConnectionToken());
    const texts = await Promise.all(
      ['users', 'userSessions', 'userInvitations'].map(async (name) =>
        JSON.stringify(await connection.collection(name).find({}).toArray()),
      ),
    );
    expect(texts.join('')).toContain(person.email);
    expect(texts.join('')).not.toContain(PASSWORD);
    expect(texts.join('')).not.toContain(person.cookie?.split('=')[1]);
    expect(texts.join('')).toContain('$scrypt$ln=15,r=8,p=3$');
  });
});

describe('guesses', () => {
  const api = useTestApi({ TRUST_PROXY: 'loopback' });
  const session = useSession(api);
  const guess = guessesAt(api);

  it('should answer the same for an address of nobody and for a wrong password', async () => {
    const { email } = await joined(session, 'viewer');
    const bodies = await Promise.all(
      [email, 'nobody-at-all@example.com'].map(async (address) => {
        const { body } = await guess(address, '192.0.2.9').expect(401);
        return { ...(body as object), timestamp: '' };
      }),
    );
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it('should stop guesses of one network without locking out the person, also when they come at once', async () => {
    const { email } = await joined(session, 'viewer');
    const attacker = '198.51.100.7';
    const answers = await Promise.all(Array.from({ length: 14 }, () => guess(email, attacker)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    // The right password does not help there, and works elsewhere.
    await guess(email, attacker, PASSWORD).expect(429);
    await guess(email, '192.0.2.20', PASSWORD).expect(201);
  });

  it('should stop guesses of many networks, but not the person where they signed in before', async () => {
    const { email } = await joined(session, 'viewer');
    await guess(email, '192.0.2.30', PASSWORD).expect(201);
    let refused = 0;
    for (let at = 0; at < 40 && refused === 0; at++) {
      const { status } = await guess(email, `203.0.113.${at}`);
      if (status === 429) refused = at;
    }
    expect(refused).toBe(20);
    await guess(email, '203.0.113.200', PASSWORD).expect(429);
    await guess(email, '192.0.2.30', PASSWORD).expect(201);
  });
});

/** Attempts to sign in, each from an address of its own behind a proxy. */
function guessesAt(api: { readonly url: string }) {
  return (email: string, ip: string, password = 'not the password') =>
    request(api.url).post('/v1/users/session').set('X-Forwarded-For', ip).send({ email, password });
}
