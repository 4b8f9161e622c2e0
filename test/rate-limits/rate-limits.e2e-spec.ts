import request from 'supertest';
import { ManualClock } from '#libs/common';
import type { TestApp, TestSession } from '../harness/index.js';
import { RateLimitsService } from '../../src/http/rate-limits/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { openSession } from '../support/browser-session.js';
import { startTestApi, useApi, useTestApi } from '../support/test-api.js';

const SETTINGS = {
  RATE_LIMIT: '1',
  RATE_LIMIT_GLOBAL: '1',
  RATE_LIMIT_CONFIGURATION: '25',
  RATE_LIMIT_TRIGGER: '20',
  RATE_LIMIT_SUBSCRIBER: '2',
};
/** Stands still, so that no bucket fills up while a test is at work. */
const clock = new ManualClock();
const startLimited = (): Promise<TestApp> => startTestApi(SETTINGS, undefined, clock);
const api = useApi(startLimited);
/** Another process on the same store. */
const other = useApi(startLimited);
const unlimited = useTestApi({});

const headersOf = async (test: request.Test): Promise<Record<string, string>> => (await test).headers;
const get = (url: string, { apiKey }: TestSession, path = '/v1/feeds'): request.Test =>
  request(url).get(path).set('Authorization', `ApiKey ${apiKey}`);

describe('rate limits', () => {
  it('should tell the limit with every counted answer', async () => {
    const headers = await headersOf((await api.session()).get('/v1/feeds'));
    expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4', 'ratelimit-reset': '1' });
    expect(headers['ratelimit-policy']).toBe(
      '5;w=5;burst=5;comment="token bucket";category="global";cost="single";serviceLevel="unlimited"',
    );
  });

  it('should refuse what is beyond, and say when to come again', async () => {
    const session = await api.session();
    const answers = await Promise.all(Array.from({ length: 30 }, () => session.get('/v1/feeds')));
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused?.body).toMatchObject({ statusCode: 429, error: 'Too Many Requests', code: 'rate_limited' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(refused?.headers).toHaveProperty('ratelimit-policy');
  });

  it('should share one bucket among processes, whatever comes at once', async () => {
    const session = await api.session();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => get(i % 2 ? api.url : other.url, session)));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBe(5);
  });

  it('should count the calls of each subscriber apart from those of the environment', async () => {
    const session = await unlimited.session();
    const call = (token: string): request.Test =>
      request(api.url).get('/v1/inbox/preferences/global').set('Authorization', `Bearer ${token}`);
    const [ada, bob] = [await openSession(unlimited, session, 'ada'), await openSession(unlimited, session, 'bob')];
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(ada)));
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(refused?.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await call(bob).expect(200);
    const answer = await get(api.url, session);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'ratelimit-remaining': '4' });
  });

  it('should keep environments and categories apart', async () => {
    const [session, sibling] = await api.siblings();
    for (let i = 0; i < 8; i++) await session.get('/v1/feeds');
    expect((await sibling.get('/v1/feeds')).status).toBe(200);
    const headers = await headersOf(session.get('/v1/subscribers'));
    expect(headers).toMatchObject({ 'ratelimit-limit': '125', 'ratelimit-remaining': '136' });
    expect(headers['ratelimit-policy']).toContain('category="configuration"');
  });

  it('should count a bulk call as a hundred', async () => {
    const session = await api.session();
    const headers = await headersOf(session.post('/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'a' }] }));
    expect(headers['ratelimit-remaining']).toBe('37');
    expect(headers['ratelimit-policy']).toContain('cost="bulk"');
  });

  it('should not count callers without a key, nor public routes', async () => {
    expect(await headersOf(request(api.url).get('/v1/feeds'))).not.toHaveProperty('ratelimit-limit');
    expect(await headersOf(request(api.url).get('/v1/health-check'))).not.toHaveProperty('ratelimit-limit');
  });

  it('should be off unless the settings say otherwise', async () => {
    const session = await unlimited.session();
    expect(await headersOf(session.get('/v1/feeds'))).not.toHaveProperty('ratelimit-limit');
  });

  describe('take', () => {
    it('should refill with time, up to the burst', async () => {
      const session = await api.session();
      const tenant = { ...session, userId: UNKNOWN_ID, apiKeyId: UNKNOWN_ID };
      const limits = api.app.get(RateLimitsService);
      const at = (ms: number): Date => new Date(1_700_000_000_000 + ms);
      expect(await limits.take(tenant, 'trigger', 100, at(0))).toMatchObject({ allowed: true, tokens: 10 });
      expect(await limits.take(tenant, 'trigger', 100, at(1000))).toMatchObject({ allowed: false, tokens: 30 });
      expect(await limits.take(tenant, 'trigger', 30, at(1000))).toMatchObject({ allowed: true, tokens: 0 });
      // a clock that is behind neither gives nor takes
      expect(await limits.take(tenant, 'trigger', 1, at(0))).toMatchObject({ allowed: false, tokens: 0 });
      expect(await limits.take(tenant, 'trigger', 1, at(1050))).toMatchObject({ allowed: true, tokens: 0 });
      expect(await limits.take(tenant, 'trigger', 1, at(60_000))).toMatchObject({ allowed: true, tokens: 109 });
      // The clock was set back by an hour: tokens come again from then on.
      expect(await limits.take(tenant, 'trigger', 109, at(-3_600_000))).toMatchObject({ allowed: true, tokens: 0 });
      expect(await limits.take(tenant, 'trigger', 20, at(-3_599_000))).toMatchObject({ allowed: true, tokens: 0 });
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: rate limits', () => {
  it('should set no headers where limits are off', async () => {
    const { headers } = await (await unlimited.session()).get('/v1/feeds').expect(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });

  it('should set the headers, and refuse what is over the limit', async () => {
    const caller = await api.session();
    const { headers } = await caller.get('/v1/feeds').expect(200);
    expect(headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
    });
    const policy = String(headers['ratelimit-policy']).split(';');
    expect(policy).toHaveLength(7);
    expect(policy).toEqual(expect.arrayContaining(['w=5', 'category="global"', 'cost="single"']));
    let last = await caller.get('/v1/feeds');
    for (let calls = 0; last.status === 200 && calls < 20; calls++) last = await caller.get('/v1/feeds');
    expect(last.status).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const anonymous = await request(api.url).get('/v1/feeds').expect(401);
    expect(Object.keys(anonymous.headers)).not.toContain('ratelimit-limit');
  });
});
