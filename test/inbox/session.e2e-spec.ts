import request from 'supertest';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { allowSessionsWithoutHmac, hmacOf, identifierOf } from '../support/browser-session.js';
import { openInbox } from '../support/inbox-client.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi({});
const limited = useTestApi({ SESSION_LIMIT_PER_ADDRESS: '1', SNOOZE_MAX_HOURS: '24' });
const session = useSession(api);
let applicationIdentifier: string;
beforeEach(async () => {
  applicationIdentifier = await identifierOf(session);
});

const call = (body: Json, url = api.url): request.Test => request(url).post('/v1/inbox/session').send(body);
/** With the HMAC that the server of a page computes, unless the body says otherwise. */
const create = (body: Json, url = api.url, as = session): request.Test => {
  const named = (body['subscriber'] as Json | undefined)?.['subscriberId'] ?? body['subscriberId'];
  return call({ subscriberHash: hmacOf(as, String(named)), ...body }, url);
};

describe('POST /v1/inbox/session', () => {
  it('should answer with a token, counts and settings', async () => {
    const { subscriber, deliver, client } = await openInbox(api, session);
    const ids = await deliver({}, { severity: 'high' }, { severity: 'low' }, { severity: 'high' }, {}, {});
    await client.change(ids[4] ?? '', 'read');
    await client.change(ids[5] ?? '', 'archive');
    const opened = create({
      applicationIdentifier,
      subscriber: { subscriberId: subscriber.subscriberId, timezone: 'Etc/Unknown' },
      contextHash: 'unknown fields are ignored',
    });
    expect(await dataOf(opened, 201)).toEqual({
      token: expect.any(String) as string,
      unreadCount: { total: 4, severity: { high: 2, medium: 0, low: 1, none: 1 } },
      totalUnreadCount: 4,
      removeNovuBranding: true,
      isDevelopmentMode: false,
      maxSnoozeDurationHours: 2_160,
    });
  });

  it('should create the subscriber with profile and time zone', async () => {
    const profile = { firstName: 'Ada', email: 'ada@example.com', timezone: 'Europe/London' };
    await create({ applicationIdentifier, subscriber: { subscriberId: 'ada', ...profile } }).expect(201);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject(profile);
  });

  it('should accept the identifier in the place of older clients', async () => {
    await create({ applicationIdentifier, subscriberId: 'ada' }).expect(201);
    await session.get('/v1/subscribers/ada').expect(200);
  });

  it('should change the profile of an existing subscriber only with an HMAC', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', timezone: 'Asia/Tokyo' }).expect(201);
    const sent = { applicationIdentifier, subscriber: { subscriberId: 'ada', timezone: 'Europe/London' } };
    await allowSessionsWithoutHmac(session);
    await call(sent).expect(201);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject({ timezone: 'Asia/Tokyo' });
    await create(sent).expect(201);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject({ timezone: 'Europe/London' });
  });

  it('should demand the HMAC where the integration does', async () => {
    const integration = { channel: 'in_app', providerId: 'novu', active: true, credentials: { hmac: true } };
    await session.post('/v1/integrations', integration).expect(201);
    const sent = { applicationIdentifier, subscriber: { subscriberId: 'ada' } };
    expect(await codeOf(create({ ...sent, subscriberHash: 'wrong' }), 400)).toBe('hmac_invalid');
    await create(sent).expect(201);
  });

  it.each([
    ['nothing', {}, /^subscriber/],
    ['a blank identifier', { subscriber: { subscriberId: ' ' } }, /^subscriber\.subscriberId/],
    ['an operator', { subscriberId: { $gt: '' } }, /subscriberId/],
    ['a list', { subscriber: [] }, /^subscriber/],
  ])('should refuse %s', async (_case, sent, fault) => {
    expect((await faultsOf(create({ applicationIdentifier, ...sent }))).join('\n')).toMatch(fault);
  });

  it('should refuse an unknown application identifier', async () => {
    const unknown = create({ applicationIdentifier: 'unknown', subscriberId: 'ada' });
    expect(await codeOf(unknown, 400)).toBe('application_identifier_unknown');
  });

  it('should count towards the sessions of an address', async () => {
    const sent = { applicationIdentifier, subscriberId: 'ada' };
    expect(await dataOf(create(sent, limited.url), 201)).toMatchObject({ maxSnoozeDurationHours: 24 });
    expect(await codeOf(create(sent, limited.url), 429)).toBe('too_many_sessions');
  });
});
