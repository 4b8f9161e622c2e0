import { createHash, createSecretKey } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { SignJWT } from 'jose';
import type { Connection, mongo } from 'mongoose';
import request from 'supertest';
import { ManualClock } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { startTestApi, useApi, useTestApi } from '../support/test-api.js';
import {
  allowSessionsWithoutHmac,
  BELL,
  clientWith,
  hmacOf as proofOf,
  identifierOf,
  initialize,
  openSession,
} from '../support/browser-session.js';

const SECRET = 'the first secret of this test with 32 characters';
const OTHER_SECRET = 'the other secret of this test with 32 characters';
const DAY_MS = 86_400_000;

const api = useTestApi({ SESSION_SECRET: SECRET });
let session: TestSession;
let applicationIdentifier: string;
beforeEach(async () => {
  session = await api.session();
  applicationIdentifier = await identifierOf(session);
});

const environments = (): mongo.Collection => {
  const { db } = api.app.get<Connection>(getConnectionToken());
  if (db === undefined) throw new Error('not connected');
  return db.collection('environments');
};
const claimsOf = (token: string): Json =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Json;
const hmacOf = (text: string, apiKey = session.apiKey): string => proofOf({ apiKey } as TestSession, text);
const demandHmac = (): Promise<Json> =>
  dataOf(
    session.post('/v1/integrations', {
      channel: 'in_app',
      providerId: 'novu',
      active: true,
      credentials: { hmac: true },
    }),
    201,
  );

describe('POST /v1/widgets/session/initialize', () => {
  it('should create the subscriber and answer with a token and the profile', async () => {
    const { body } = await initialize(api, {
      applicationIdentifier,
      subscriberId: ' ada ',
      hmacHash: hmacOf('ada'),
      firstName: 'Ada',
      email: 'ada@example.com',
      colour: 'unknown fields are ignored',
    }).expect(201);
    const { data } = body as { data: { token: string } };
    const subscriber = await dataOf(session.get('/v1/subscribers/ada'), 200);
    expect(data).toEqual({
      token: expect.any(String) as string,
      profile: { _id: subscriber['_id'], firstName: 'Ada' },
    });
    const { iat, exp, ...claims } = claimsOf(data.token);
    expect(claims).toEqual({
      iss: 'novu_api',
      aud: 'widget_user',
      _id: subscriber['_id'],
      subscriberId: 'ada',
      organizationId: session.organizationId,
      environmentId: session.environmentId,
    });
    expect(Number(exp) - Number(iat)).toBe((15 * DAY_MS) / 1_000);
  });

  it('should not change the profile of an existing subscriber without an HMAC', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', email: 'ada@example.com' }).expect(201);
    await allowSessionsWithoutHmac(session);
    await openSession(api, session, 'ada', { email: 'mallory@example.com', hmacHash: null });
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject({ email: 'ada@example.com' });
    const proof = { email: 'ada@example.org', hmacHash: hmacOf('ada') };
    await openSession(api, session, 'ada', proof);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject({ email: 'ada@example.org' });
  });

  it('should refuse an unknown application identifier with 400', async () => {
    const call = initialize(api, { applicationIdentifier: 'unknown', subscriberId: 'ada' });
    expect(await codeOf(call, 400)).toBe('application_identifier_unknown');
  });

  it('should refuse with 404 where the in-app integration is not active', async () => {
    await session.post('/v1/integrations', { channel: 'in_app', providerId: 'novu', active: false }).expect(201);
    const call = initialize(api, { applicationIdentifier, subscriberId: 'ada' });
    expect(await codeOf(call, 404)).toBe('in_app_integration_inactive');
    expect(await codeOf(session.get('/v1/subscribers/ada'), 404)).toBe('subscriber_not_found');
  });

  it('should demand the HMAC where the integration does', async () => {
    await demandHmac();
    await openSession(api, session, 'ada', { hmacHash: hmacOf('ada') });
    const wrong = [undefined, null, '', hmacOf('bob'), hmacOf('ada').toUpperCase(), hmacOf('ada', 'another key')];
    for (const hmacHash of wrong) {
      const call = initialize(api, { applicationIdentifier, subscriberId: 'ada', hmacHash });
      expect(await codeOf(call, 400)).toBe('hmac_invalid');
    }
  });

  it.each([
    ['nothing', {}, 'subscriberId is required and must be a string'],
    ['an operator', { subscriberId: { $gt: '' } }, 'subscriberId must be a string'],
    ['blanks', { subscriberId: '  ' }, 'subscriberId must be longer than or equal to 1 characters'],
    ['no email', { subscriberId: 'ada', email: 'none' }, 'email must be an email'],
  ])('should refuse %s', async (_case, sent, fault) => {
    expect(await faultsOf(initialize(api, { applicationIdentifier, ...sent }))).toContain(fault);
  });

  it('should refuse a large body', async () => {
    const call = initialize(api, { applicationIdentifier, subscriberId: 'ada', firstName: 'x'.repeat(20_000) });
    expect(await codeOf(call, 413)).toBe('body_too_large');
  });
});

describe('a session without proof', () => {
  const stranger = (subscriberId: string, more: Json = {}): Promise<Json> =>
    dataOf(initialize(api, { applicationIdentifier, subscriberId, hmacHash: null, ...more }), 201);

  it('should be refused in a new environment, with what to do', async () => {
    const call = initialize(api, { applicationIdentifier, subscriberId: 'ada', hmacHash: null });
    const { message } = (await call.expect(400)).body as { message: string };
    expect(message).toContain('take it as subscriberHash');
    expect(message).toContain('set hmac to false in the credentials of the in-app integration');
  });

  it('should be opened where the in-app integration says so', async () => {
    await allowSessionsWithoutHmac(session);
    await stranger('ada');
  });

  it('should be opened in an environment of an earlier version', async () => {
    await environments().updateOne({ identifier: applicationIdentifier }, { $unset: { demandsHmac: 1 } });
    await stranger('ada');
    await demandHmac();
    expect(await codeOf(initialize(api, { applicationIdentifier, subscriberId: 'ada' }), 400)).toBe('hmac_invalid');
  });

  it('should store nothing of what it sends, and make nobody whom a key or a broadcast reaches', async () => {
    await allowSessionsWithoutHmac(session);
    const profile = { email: 'evil@attacker.example', phone: '+15550009999', firstName: 'Eve', lastName: 'Il' };
    const { token, profile: shown } = await stranger('newuser', profile);
    expect(Object.keys(shown as Json)).toEqual(['_id']);
    const inbox = { applicationIdentifier, subscriber: { subscriberId: 'newuser', ...profile, data: { a: 'evil' } } };
    await request(api.url).post('/v1/inbox/session').send(inbox).expect(201);
    const browser = clientWith(api, String(token));
    await browser.get('/v1/inbox/notifications').expect(200);
    await browser.get('/v1/inbox/preferences').expect(200);
    expect(await codeOf(session.get('/v1/subscribers/newuser'), 404)).toBe('subscriber_not_found');
    expect(await codeOf(session.put('/v1/subscribers/newuser', { firstName: 'x' }), 404)).toBe('subscriber_not_found');
    expect(await dataOf<unknown[]>(session.get('/v1/subscribers'), 200)).toEqual([]);

    const named = await dataOf(session.post('/v1/subscribers', { subscriberId: 'newuser' }), 201);
    for (const field of ['email', 'phone', 'firstName', 'lastName', 'data']) expect(named).not.toHaveProperty(field);
    expect(named['_id']).toBe((shown as Json)['_id']);
    await browser.get('/v1/inbox/notifications').expect(200);
  });

  it('should learn nothing of an existing subscriber', async () => {
    await allowSessionsWithoutHmac(session);
    const known = {
      subscriberId: 'ada',
      firstName: 'Ada',
      lastName: 'L',
      email: 'ada@example.com',
      phone: '+15550001',
    };
    const { _id } = await dataOf(session.post('/v1/subscribers', known), 201);
    const { token, profile } = await stranger('ada');
    expect(profile).toEqual({ _id });
    expect(Object.keys(claimsOf(String(token))).sort()).toEqual(
      ['_id', 'aud', 'environmentId', 'exp', 'iat', 'iss', 'organizationId', 'subscriberId'].sort(),
    );
  });

  it('should not bring back a deleted subscriber', async () => {
    await allowSessionsWithoutHmac(session);
    await session.post('/v1/subscribers', { subscriberId: 'gone', email: 'gone@example.com' }).expect(201);
    const old = await stranger('gone');
    await session.delete('/v1/subscribers/gone').expect(200);
    const { profile } = await stranger('gone');
    expect(profile).not.toEqual(old['profile']);
    expect(await codeOf(session.get('/v1/subscribers/gone'), 404)).toBe('subscriber_not_found');
    expect(await codeOf(clientWith(api, String(old['token'])).get(BELL), 401)).toBe('unauthorized');
  });
});

describe('the end of sessions', () => {
  const isValid = async (token: string): Promise<boolean> => (await clientWith(api, token).get(BELL)).status === 200;

  it('should end those of one subscriber, and leave room for new ones', async () => {
    const [ada, again, bob] = [
      await openSession(api, session, 'ada'),
      await openSession(api, session, 'ada'),
      await openSession(api, session, 'bob'),
    ];
    expect(await isValid(ada)).toBe(true);
    await session.delete('/v1/subscribers/ada/sessions').expect(204);
    expect([await isValid(ada), await isValid(again), await isValid(bob)]).toEqual([false, false, true]);
    const later = await openSession(api, session, 'ada');
    expect([await isValid(later), await isValid(ada)]).toEqual([true, false]);
    expect(await codeOf(session.delete('/v1/subscribers/none/sessions'), 404)).toBe('subscriber_not_found');
  });

  it('should end those of an environment, and no others', async () => {
    const other = await api.session();
    const [ada, elsewhere] = [await openSession(api, session, 'ada'), await openSession(api, other, 'ada')];
    await session.delete('/v1/environments/me/sessions').expect(204);
    expect([await isValid(ada), await isValid(elsewhere)]).toEqual([false, true]);
    const later = await openSession(api, session, 'ada');
    await session.delete('/v1/subscribers/ada/sessions').expect(204);
    expect(await isValid(later)).toBe(false);
    expect(await isValid(await openSession(api, session, 'ada'))).toBe(true);
  });
});

describe('a session token', () => {
  const get = (token: string): request.Test => request(api.url).get(BELL).set('Authorization', `Bearer ${token}`);

  it('should be accepted by routes for subscribers only', async () => {
    const token = await openSession(api, session, 'ada');
    await get(token).expect(200);
    for (const path of ['/v1/subscribers/ada', '/v1/subscribers/ada/notifications/feed', '/v1/environments/me']) {
      for (const header of [`Bearer ${token}`, `ApiKey ${token}`, token]) {
        const call = request(api.url).get(path).set('Authorization', header);
        expect(await codeOf(call, 401)).toBe('unauthorized');
      }
    }
  });

  it('should not be replaced by an API key', async () => {
    for (const header of [`ApiKey ${session.apiKey}`, `Bearer ${session.apiKey}`, session.apiKey, '', 'Bearer']) {
      expect(await codeOf(request(api.url).get(BELL).set('Authorization', header), 401)).toBe('unauthorized');
    }
    expect(await codeOf(request(api.url).get(BELL).set('X-Api-Key', session.apiKey), 401)).toBe('unauthorized');
  });

  it('should be refused when a part of it was changed', async () => {
    const token = await openSession(api, session, 'ada');
    const [head = '', claims = '', signature = ''] = token.split('.');
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const other = encode({ ...claimsOf(token), subscriberId: 'bob' });
    const unsigned = encode({ alg: 'none', typ: 'JWT' });
    for (const forged of [
      [head, other, signature],
      [head, claims, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
      [unsigned, claims, ''],
      [head, claims],
    ]) {
      expect(await codeOf(get(forged.join('.')), 401)).toBe('unauthorized');
    }
  });

  it('should be refused with another audience, issuer or key', async () => {
    const token = await openSession(api, session, 'ada');
    const head = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg: string };
    const forge = (claims: Json, key: string): Promise<string> =>
      new SignJWT({ ...claimsOf(token), ...claims }).setProtectedHeader(head).sign(createSecretKey(keyOf(key)));
    await get(await forge({}, SECRET)).expect(200);
    for (const [claims, key] of [
      [{ aud: 'user' }, SECRET],
      [{ aud: undefined }, SECRET],
      [{ iss: 'another' }, SECRET],
      [{ exp: undefined }, SECRET],
      [{ exp: 1 }, SECRET],
      [{}, OTHER_SECRET],
    ] as const) {
      expect(await codeOf(get(await forge(claims, key)), 401)).toBe('unauthorized');
    }
  });

  it('should end when its subscriber is deleted', async () => {
    const token = await openSession(api, session, 'ada');
    await get(token).expect(200);
    await session.delete('/v1/subscribers/ada').expect(200);
    expect(await codeOf(get(token), 401)).toBe('unauthorized');
  });

  it('should not work in another environment', async () => {
    const [main, sibling] = await api.siblings();
    await sibling.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    const token = await openSession(api, main, 'ada');
    const forged = await new SignJWT({ ...claimsOf(token), environmentId: sibling.environmentId })
      .setProtectedHeader(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg: string })
      .sign(createSecretKey(keyOf(SECRET)));
    // Even signed with the right key: the record id is that of another subscriber.
    expect(await codeOf(get(forged), 401)).toBe('unauthorized');
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'https://shop.example';

  it('should be answered before a request to a route of browser clients', async () => {
    for (const path of ['/v1/widgets/session/initialize', '//v1/widgets/organization', '/v1/inbox/session']) {
      const { headers } = await request(api.url)
        .options(path)
        .set({
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization',
        })
        .expect(204);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '86400' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(',');
      const needed = ['authorization', 'content-type', 'user-agent', 'novu-api-version', 'novu-client-version'];
      expect(allowed).toEqual(expect.arrayContaining([...needed, 'novu-application-identifier']));
    }
  });

  it('should be able to read answers, errors included, of these routes only', async () => {
    const token = await openSession(api, session, 'ada');
    const answer = await request(api.url)
      .get(BELL)
      .set({ Origin: ORIGIN, Authorization: `Bearer ${token}` });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    const refused = await request(api.url).get(BELL).set('Origin', ORIGIN).expect(401);
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    for (const path of ['/v1/feeds', '/v1/widgetsx', '/v1/inboxes']) {
      const { headers } = await session.get(path).set('Origin', ORIGIN);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('should reach the routes with a doubled slash', async () => {
    const token = await openSession(api, session, 'ada');
    await request(`${api.url}/`).get(`/${BELL}`).set('Authorization', `Bearer ${token}`).expect(200);
    await session.get('//v1/feeds').expect(404);
  });
});

describe('with other settings', () => {
  const clock = new ManualClock();
  const moving = useApi(() =>
    startTestApi({ SESSION_SECRET: OTHER_SECRET, SESSION_OLD_SECRETS: SECRET }, undefined, clock),
  );
  const limited = useTestApi({ SESSION_LIMIT_PER_ADDRESS: '2', STRICT_INPUT: '1' });
  const status = async (app: { readonly url: string }, token: string): Promise<number> =>
    (await request(app.url).get(BELL).set('Authorization', `Bearer ${token}`)).status;

  it('should accept tokens of a former secret, and refuse those of an unknown one', async () => {
    expect(await status(moving, await openSession(api, session, 'ada'))).toBe(200);
    expect(await status(api, await openSession(moving, session, 'ada'))).toBe(401);
  });

  it('should refuse a token after fifteen days', async () => {
    const token = await openSession(moving, session, 'ada');
    const start = clock.now().getTime();
    clock.moveTo(new Date(start + 15 * DAY_MS - 2_000));
    expect(await status(moving, token)).toBe(200);
    clock.moveTo(new Date(start + 15 * DAY_MS + 1_000));
    expect(await status(moving, token)).toBe(401);
  });

  it('should limit how many sessions an address creates, and ignore unknown fields', async () => {
    const sent = { applicationIdentifier, subscriberId: 'ada', colour: 'red', hmacHash: hmacOf('ada') };
    await initialize(limited, sent).expect(201);
    await initialize(limited, sent).expect(201);
    const refused = await initialize(limited, sent).expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_sessions' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

/** The key that is made of a secret. */
function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`herald-session:${secret}`).digest();
}
