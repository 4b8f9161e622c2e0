import request from 'supertest';
import { ManualClock } from '#libs/common';
import type { TestApp, TestSession } from '#libs/testing';
import { startTestApi } from '../support/test-api.js';

/** Replays what the compatible system's own tests expect of authentication, limits and idempotency. */
describe('compatibility: platform', () => {
  let api: TestApp;
  let session: TestSession;

  beforeAll(async () => {
    api = await startTestApi();
    session = await api.session();
  });
  afterAll(() => api.close());

  describe('authentication', () => {
    const status = async (header?: string): Promise<number> => {
      const call = request(api.url).get('/v1/notification-groups');
      return (await (header === undefined ? call : call.set('Authorization', header))).status;
    };

    it('should refuse a missing header, another scheme, an empty key and an unknown key', async () => {
      const bad = [undefined, 'Bearer abc', `Token ${session.apiKey}`, 'ApiKey ', 'ApiKey unknown'];
      expect(await Promise.all(bad.map(status))).toEqual(bad.map(() => 401));
    });

    it('should accept a valid key', async () => {
      expect(await status(`ApiKey ${session.apiKey}`)).toBe(200);
    });

    it('should answer the health check without a key', async () => {
      const { body } = await request(api.url).get('/v1/health-check').expect(200);
      expect(body).toMatchObject({ data: { status: 'ok' } });
    });
  });

  describe('rate limits', () => {
    it('should set no headers where limits are off', async () => {
      const { headers } = await session.get('/v1/feeds').expect(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    });

    it('should set the headers, and refuse what is over the limit', async () => {
      const limited = await startTestApi({ RATE_LIMIT: '1', RATE_LIMIT_GLOBAL: '1' }, undefined, new ManualClock());
      try {
        const caller = await limited.session();
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
        const anonymous = await request(limited.url).get('/v1/feeds').expect(401);
        expect(Object.keys(anonymous.headers)).not.toContain('ratelimit-limit');
      } finally {
        await limited.close();
      }
    });
  });

  describe('idempotency', () => {
    const create = (name: string, key: string): ReturnType<TestSession['post']> =>
      session.post('/v1/feeds', { name }).set('Idempotency-Key', key);

    it('should replay the answer of the same key and body', async () => {
      const first = await create('First', 'key-1').expect(201);
      const again = await create('First', 'key-1').expect(201);
      expect(again.body).toEqual(first.body);
      expect(again.headers).toMatchObject({ 'idempotency-key': 'key-1', 'idempotency-replay': 'true' });
      expect(first.headers['idempotency-replay']).toBeUndefined();
    });

    it('should refuse the same key with another body', async () => {
      await create('Second', 'key-2').expect(201);
      const { body, headers } = await create('Other', 'key-2').expect(422);
      expect(body).toMatchObject({ code: 'idempotency_key_reused' });
      expect(headers['idempotency-replay']).toBeUndefined();
    });

    it('should carry two at once out only once', async () => {
      const both = await Promise.all([create('Third', 'key-3'), create('Third', 'key-3')]);
      expect([201, 409]).toEqual(expect.arrayContaining(both.map(({ status }) => status)));
      expect(both.some(({ status }) => status === 201)).toBe(true);
    });

    it('should replay errors, take a fresh key afresh, and leave GET alone', async () => {
      await create('Fourth', 'key-4').expect(201);
      const refused = await create('Fourth', 'key-5').expect(409);
      const again = await create('Fourth', 'key-5').expect(409);
      expect(again.body).toMatchObject({ message: (refused.body as { message: string }).message });
      await create('Fourth-b', 'key-6').expect(201);
      const { headers } = await session.get('/v1/feeds').set('Idempotency-Key', 'key-4').expect(200);
      expect(headers['idempotency-key']).toBeUndefined();
    });

    it('should refuse a key of 256 characters, and say nothing of keys to strangers', async () => {
      await create('Long', 'k'.repeat(256)).expect(400);
      const { headers } = await request(api.url).post('/v1/feeds').set('Idempotency-Key', 'key-7').send({}).expect(401);
      expect(headers['idempotency-key']).toBeUndefined();
    });
  });
});
