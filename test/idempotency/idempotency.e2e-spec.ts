import { getModelToken } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import request from 'supertest';
import { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from '../factories/ids.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi();
/** Another process on the same store. */
const other = useTestApi();

const withKey = (test: request.Test, key: string): request.Test => test.set('Idempotency-Key', key);
const feedsOf = async (session: TestSession): Promise<Json[]> =>
  dataOf<Json[]>(await session.get('/v1/feeds').expect(200));
const records = (): Model<Record<string, unknown>> => api.app.get(getModelToken('IdempotencyRecord'));
/** Changes the records of an environment behind the back of the service. */
const tamper = async (session: TestSession, $set: Json, $unset: Json = {}): Promise<void> => {
  const filter = { _environmentId: new Types.ObjectId(session.environmentId) };
  await records().collection.updateMany(filter, { $set, ...(Object.keys($unset).length > 0 && { $unset }) });
};

describe('Idempotency-Key', () => {
  it('should carry out a request once and give the same answer again', async () => {
    const session = await api.session();
    const [key, body] = [unique('key'), { name: 'News' }];
    const first = await withKey(session.post('/v1/feeds', body), key).expect(201);
    const second = await withKey(session.post('/v1/feeds', body), key).expect(201);
    expect(second.body).toEqual(first.body);
    expect(first.headers['idempotency-key']).toBe(key);
    expect(first.headers['idempotency-replay']).toBeUndefined();
    expect(second.headers).toMatchObject({ 'idempotency-key': key, 'idempotency-replay': 'true' });
    expect(await feedsOf(session)).toHaveLength(1);
  });

  it('should work for PATCH', async () => {
    const session = await api.session();
    const subscriberId = unique('ann');
    await session.post('/v1/subscribers', { subscriberId }).expect(201);
    const path = `/v1/subscribers/${subscriberId}/preferences`;
    const key = unique('key');
    const first = await withKey(session.patch(path, { enabled: false }), key).expect(200);
    await session.patch(path, { enabled: true }).expect(200);
    const again = await withKey(session.patch(path, { enabled: false }), key).expect(200);
    expect(again.body).toEqual(first.body);
    expect(dataOf(await session.get(`${path}/global`))).toMatchObject([{ preference: { enabled: true } }]);
  });

  it('should give a refusal again', async () => {
    const session = await api.session();
    const key = unique('key');
    const first = await withKey(session.post('/v1/feeds', { name: '' }), key).expect(400);
    const second = await withKey(session.post('/v1/feeds', { name: '' }), key).expect(400);
    expect(second.headers['idempotency-replay']).toBe('true');
    expect(second.body).toEqual({ ...(first.body as Json), timestamp: expect.any(String) as string });
  });

  it('should give a conflict again although it would succeed by now', async () => {
    const session = await api.session();
    const made = dataOf(await session.post('/v1/feeds', { name: 'News' }).expect(201));
    const key = unique('key');
    await withKey(session.post('/v1/feeds', { name: 'News' }), key).expect(409);
    await session.delete(`/v1/feeds/${String(made['_id'])}`).expect(200);
    const again = await withKey(session.post('/v1/feeds', { name: 'News' }), key).expect(409);
    expect(again.body).toMatchObject({ code: 'feed_already_exists' });
  });

  it('should give an answer to the API key only that it was given to', async () => {
    const session = await api.session();
    const issued = await session.post('/v1/environments/api-keys', { name: 'other' }).expect(201);
    const other = new TestSession(api.url, { ...session, apiKey: dataOf<{ key: string }>(issued).key });
    const [key, path, body] = [unique('key'), '/v1/environments/api-keys', { name: 'ci' }];
    const first = await withKey(session.post(path, body), key).expect(201);
    const { text } = await withKey(other.post(path, body), key).expect(422);
    expect(text).not.toContain(dataOf<{ key: string }>(first).key);
    await withKey(session.post(path, body), key).expect(201).expect('Idempotency-Replay', 'true');
  });

  it('should refuse another body with 422', async () => {
    const session = await api.session();
    const key = unique('key');
    await withKey(session.post('/v1/feeds', { name: 'a' }), key).expect(201);
    const { body } = await withKey(session.post('/v1/feeds', { name: 'b' }), key).expect(422);
    expect(body).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await feedsOf(session)).toHaveLength(1);
  });

  it('should let one of many at once through, in whichever process they arrive', async () => {
    const session = await api.session();
    const key = unique('key');
    const send = (url: string): request.Test =>
      withKey(request(url).post('/v1/feeds'), key)
        .set('Authorization', `ApiKey ${session.apiKey}`)
        .send({ name: 'Race' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 ? api.url : other.url)));
    const fresh = answers.filter(
      ({ status, headers }) => status === 201 && headers['idempotency-replay'] === undefined,
    );
    expect(fresh).toHaveLength(1);
    for (const { status, headers, body } of answers) {
      expect([201, 409]).toContain(status);
      if (status === 201) expect(body).toEqual(fresh[0]?.body);
      if (status === 409) expect(body).toMatchObject({ code: 'idempotency_key_in_progress' });
      if (status === 409) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(10);
    }
    expect(await feedsOf(session)).toHaveLength(1);
  });

  it.each([
    ['another key', '/v1/feeds', 'other'],
    ['another path', '/v1/notification-groups', 'same'],
  ])('should not confuse %s', async (_case, path, key) => {
    const session = await api.session();
    await withKey(session.post('/v1/feeds', { name: 'News' }), 'same').expect(201);
    const answer = await withKey(session.post(path, { name: 'News' }), key);
    expect(answer.headers['idempotency-replay']).toBeUndefined();
  });

  it('should not confuse environments', async () => {
    const [session, sibling] = await api.siblings();
    const first = await withKey(session.post('/v1/feeds', { name: 'News' }), 'key').expect(201);
    const second = await withKey(sibling.post('/v1/feeds', { name: 'News' }), 'key').expect(201);
    expect(dataOf(second)['_id']).not.toBe(dataOf(first)['_id']);
  });

  it('should not matter to other methods', async () => {
    const session = await api.session();
    const { headers } = await withKey(session.get('/v1/feeds'), unique('key')).expect(200);
    expect(headers['idempotency-key']).toBeUndefined();
    expect(await records().countDocuments({ _environmentId: session.environmentId })).toBe(0);
  });

  it('should refuse a key of more than 255 characters and take one of 255', async () => {
    const session = await api.session();
    await withKey(session.post('/v1/feeds', { name: 'a' }), 'k'.repeat(255)).expect(201);
    const { body } = await withKey(session.post('/v1/feeds', { name: 'b' }), 'k'.repeat(256)).expect(400);
    expect((body as { message: string[] }).message[0]).toMatch(/^Idempotency-Key must be at most 255/);
  });

  it('should not show itself to a caller without a valid key of the API', async () => {
    const { headers } = await withKey(request(api.url).post('/v1/feeds').send({ name: 'a' }), 'key').expect(401);
    expect(headers['idempotency-key']).toBeUndefined();
  });

  it('should keep answers sealed', async () => {
    const session = await api.session();
    await withKey(session.post('/v1/feeds', { name: 'Very private name' }), unique('key')).expect(201);
    const stored = await records().findOne({ _environmentId: session.environmentId }).lean();
    expect(stored).toMatchObject({ sealed: expect.any(String) as string });
    expect(JSON.stringify(stored)).not.toContain('Very private name');
  });

  describe('when a process died in the middle', () => {
    it('should say for how long the key is blocked, and let it through then', async () => {
      const session = await api.session();
      const send = (): request.Test => withKey(session.post('/v1/feeds', { name: 'News' }), 'key');
      await send().expect(201);
      await tamper(session, { runningUntil: new Date(Date.now() + 600_000) }, { sealed: 1 });
      const blocked = await send().expect(409);
      const seconds = Number(blocked.headers['retry-after']);
      expect(seconds).toBeGreaterThan(300);
      expect(seconds).toBeLessThanOrEqual(600);
      expect((blocked.body as { message: string }).message).toContain(`Send it again in ${seconds} s`);
      await tamper(session, { runningUntil: new Date(Date.now() - 1) });
      // the feed is there already: the request is really carried out again
      const { headers, body } = await send().expect(409);
      expect(body).toMatchObject({ code: 'feed_already_exists' });
      expect(headers['idempotency-replay']).toBeUndefined();
    });
  });

  describe('when a day has passed', () => {
    it('should take the key for another request', async () => {
      const session = await api.session();
      await withKey(session.post('/v1/feeds', { name: 'a' }), 'key').expect(201);
      await tamper(session, { expireAt: new Date(Date.now() - 1) });
      const { headers } = await withKey(session.post('/v1/feeds', { name: 'b' }), 'key').expect(201);
      expect(headers['idempotency-replay']).toBeUndefined();
      expect(await feedsOf(session)).toHaveLength(2);
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: idempotency', () => {
  const session = useSession(api);
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
