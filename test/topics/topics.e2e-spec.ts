import { itBehavesLikeAResource } from '../harness/index.js';
import { dataOf, faultsOf, fieldsOf, type Json, pageOf } from '../support/answers.js';
import { unique } from '../factories/ids.js';
import { createSubscribers, createTopic, topicFactory, topicPath } from '../factories/topic.factory.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

describe('/v1/topics', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/topics',
    create: createTopic,
    itemPath: topicPath,
    list: { shape: 'page' },
    remove: { path: topicPath, status: 204 },
    writes: [{ method: 'patch', path: topicPath, body: { name: 'Changed' } }],
    unknownPath: '/v1/topics/unknown',
  });

  describe('POST', () => {
    it('should answer with every field', async () => {
      const session = await api.session();
      const made = await createTopic(session, { key: 'orders', name: 'Orders' });
      expect(made).toEqual({
        _id: expect.any(String) as string,
        id: made['_id'],
        key: 'orders',
        name: 'Orders',
        subscribers: [],
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it('should list every fault at once', async () => {
      const session = await api.session();
      const faults = faultsOf(await session.post('/v1/topics', { key: { $ne: 1 }, name: '' }).expect(400));
      expect(new Set(fieldsOf(faults))).toEqual(new Set(['key', 'name']));
    });

    it('should make one topic when the same key comes many times at once', async () => {
      const session = await api.session();
      const body = topicFactory();
      const answers = await Promise.all(Array.from({ length: 10 }, () => session.post('/v1/topics', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    });
  });

  describe('GET list', () => {
    it('should page oldest first with a true total and find by key', async () => {
      const session = await api.session();
      for (const key of ['a', 'b', 'c']) await createTopic(session, { key });
      const { body } = await session.get('/v1/topics?pageSize=2').expect(200);
      expect(body).toMatchObject({ totalCount: 3, page: 0, pageSize: 2, hasMore: true });
      expect(dataOf<Json[]>({ body }).map(({ key }) => key)).toEqual(['a', 'b']);
      const found = await session.get('/v1/topics?key=b').expect(200);
      expect(found.body).toMatchObject({ totalCount: 1, data: [{ key: 'b', subscribers: [] }] });
      expect((await session.get('/v1/topics?key=B').expect(200)).body).toMatchObject({ totalCount: 0, data: [] });
    });

    it.each(['pageSize=0', 'pageSize=101', 'pageSize=x', 'pageSize=1.5'])('should refuse ?%s', async (query) => {
      const session = await api.session();
      await session.get(`/v1/topics?${query}`).expect(400);
    });
  });

  describe('PATCH', () => {
    it('should rename and keep the subscribers', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const ids = await createSubscribers(session, 2);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers: ids }).expect(200);
      const renamed = dataOf(await session.patch(topicPath(topic), { name: 'New', key: 'ignored' }).expect(200));
      expect(renamed).toMatchObject({ key: topic['key'], name: 'New', subscribers: ids });
      await session.patch(topicPath(topic), {}).expect(400);
    });
  });

  describe('POST subscribers', () => {
    it('should add those that exist once each and name the others', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const [a = '', b = ''] = await createSubscribers(session, 2);
      const path = `${topicPath(topic)}/subscribers`;
      const first = await session.post(path, { subscribers: [a, 'nobody', a] }).expect(200);
      expect(dataOf(first)).toEqual({ succeeded: [a], failed: { notFound: ['nobody'] } });
      expect(dataOf(await session.post(path, { subscribers: [a, b] }).expect(200))).toEqual({ succeeded: [a, b] });
      expect(dataOf(await session.get(topicPath(topic)).expect(200))['subscribers']).toEqual([a, b]);
    });

    it('should make the topic if there is none, once', async () => {
      const session = await api.session();
      const key = unique('made');
      const ids = await createSubscribers(session, 3);
      const path = `/v1/topics/${key}/subscribers`;
      const answers = await Promise.all(Array.from({ length: 10 }, () => session.post(path, { subscribers: ids })));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      const { body } = await session.get(`/v1/topics?key=${key}`).expect(200);
      expect(body).toMatchObject({ totalCount: 1, data: [{ name: `Autogenerated-${key}`, subscribers: ids }] });
    });

    it('should take 500 in one call', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const ids = await createSubscribers(session, 500);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers: ids }).expect(200);
      expect(dataOf(await session.get(topicPath(topic)).expect(200))['subscribers']).toHaveLength(500);
    });

    it('should not add subscribers of another environment', async () => {
      const [session, sibling] = await api.siblings();
      const topic = await createTopic(session);
      const [foreign] = await createSubscribers(sibling, 1);
      const answer = await session.post(`${topicPath(topic)}/subscribers`, { subscribers: [foreign] }).expect(200);
      expect(dataOf(answer)).toEqual({ succeeded: [], failed: { notFound: [foreign] } });
    });

    it.each([
      ['nothing', {}, /^subscribers is required and must/],
      ['null', { subscribers: null }, /^subscribers must/],
      ['a text', { subscribers: 'abc' }, /^subscribers must/],
      ['no ids', { subscribers: [] }, /^subscribers must/],
      ['501 ids', { subscribers: Array.from({ length: 501 }, (_, index) => `s${index}`) }, /^subscribers must/],
      ['an operator', { subscribers: ['ok', { $gt: '' }] }, /^subscribers\.1 must/],
      ['an empty id', { subscribers: [''] }, /^subscribers\.0 must/],
    ])('should refuse %s, as removal does', async (_case, body, fault) => {
      const session = await api.session();
      const path = `${topicPath(await createTopic(session))}/subscribers`;
      for (const route of [path, `${path}/removal`]) {
        expect(faultsOf(await session.post(route, body).expect(400))[0]).toMatch(fault);
      }
    });

    it('should refuse a key that no topic could have', async () => {
      const session = await api.session();
      const ids = await createSubscribers(session, 1);
      await session.post(`/v1/topics/${'x'.repeat(256)}/subscribers`, { subscribers: ids }).expect(400);
    });
  });

  describe('subscribers of a topic', () => {
    it('should show one with its link', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const [id = ''] = await createSubscribers(session, 1);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers: [id] }).expect(200);
      const link = dataOf(await session.get(`${topicPath(topic)}/subscribers/${id}`).expect(200));
      expect(link).toMatchObject({
        _topicId: topic['_id'],
        topicKey: topic['key'],
        externalSubscriberId: id,
        _subscriberId: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        _environmentId: session.environmentId,
      });
      const stranger = await session.get(`${topicPath(topic)}/subscribers/stranger`).expect(404);
      expect(stranger.body).toMatchObject({ code: 'topic_subscriber_not_found' });
      expect((await session.get(`/v1/topics/none/subscribers/${id}`).expect(404)).body).toMatchObject({
        code: 'topic_not_found',
      });
    });

    it('should be removed, unknown ones and unknown topics included', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const [a = '', b = ''] = await createSubscribers(session, 2);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers: [a, b] }).expect(200);
      const removal = await session.post(`${topicPath(topic)}/subscribers/removal`, { subscribers: [a, 'nobody'] });
      expect([removal.status, removal.text]).toEqual([204, '']);
      expect(dataOf(await session.get(topicPath(topic)).expect(200))['subscribers']).toEqual([b]);
      await session.post('/v1/topics/none/subscribers/removal', { subscribers: [a] }).expect(204);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers: [a] }).expect(200);
    });

    it('should leave all topics when they are deleted', async () => {
      const session = await api.session();
      const [a = '', b = ''] = await createSubscribers(session, 2);
      const topics = [await createTopic(session), await createTopic(session)];
      for (const topic of topics) {
        await session.post(`${topicPath(topic)}/subscribers`, { subscribers: [a, b] }).expect(200);
      }
      await session.delete(`/v1/subscribers/${a}`).expect(200);
      for (const topic of topics) {
        expect(dataOf(await session.get(topicPath(topic)).expect(200))['subscribers']).toEqual([b]);
      }
    });
  });

  describe('DELETE', () => {
    it('should refuse while there are subscribers, and free the key afterwards', async () => {
      const session = await api.session();
      const topic = await createTopic(session);
      const subscribers = await createSubscribers(session, 1);
      await session.post(`${topicPath(topic)}/subscribers`, { subscribers }).expect(200);
      expect((await session.delete(topicPath(topic)).expect(409)).body).toMatchObject({
        code: 'topic_has_subscribers',
      });
      await session.post(`${topicPath(topic)}/subscribers/removal`, { subscribers }).expect(204);
      await session.delete(topicPath(topic)).expect(204);
      expect(await createTopic(session, { key: topic['key'] })).toMatchObject({ subscribers: [] });
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: topics', () => {
  const session = useSession(api);

  it('should refuse an empty body, create once, and delete an empty one only', async () => {
    const faults = await faultsOf(session.post('/v1/topics', {}));
    expect(fieldsOf(faults)).toEqual(expect.arrayContaining(['key', 'name']));
    await session.post('/v1/topics', { key: 'k', name: 'n' }).expect(201);
    await session.post('/v1/topics', { key: 'k', name: 'n' }).expect(409);
    const [ann = ''] = await createSubscribers(session, 1);
    await session.post('/v1/topics/k/subscribers', { subscribers: [ann] }).expect(200);
    await session.delete('/v1/topics/k').expect(409);
    await session.post('/v1/topics/k/subscribers/removal', { subscribers: [ann] }).expect(204);
    expect((await session.delete('/v1/topics/k').expect(204)).text).toBe('');
    await session.delete('/v1/topics/k').expect(404);
  });

  it('should name a topic that subscribers made, and count nobody twice', async () => {
    const [ann = ''] = await createSubscribers(session, 1);
    for (let i = 0; i < 2; i++) {
      const added = await dataOf(session.post('/v1/topics/new/subscribers', { subscribers: [ann, 'nobody'] }), 200);
      expect(added).toEqual({ succeeded: [ann], failed: { notFound: ['nobody'] } });
    }
    expect(await dataOf(session.get('/v1/topics/new'), 200)).toMatchObject({
      name: 'Autogenerated-new',
      subscribers: [ann],
    });
    await session.get('/v1/topics/new/subscribers/nobody').expect(404);
  });

  it('should list by page and key, and refuse pages that are none (deviation: up to 100 a page)', async () => {
    for (const key of ['a', 'b', 'c']) await session.post('/v1/topics', { key, name: key }).expect(201);
    const first = await pageOf(session.get('/v1/topics?page=0&pageSize=2'));
    expect([first.data.length, first.totalCount, first.pageSize]).toEqual([2, 3, 2]);
    expect((await pageOf(session.get('/v1/topics?key=b'))).data).toMatchObject([{ key: 'b' }]);
    await session.get('/v1/topics?pageSize=100').expect(200);
    for (const query of ['pageSize=101', 'page=x&pageSize=x', 'page=1.5', 'page=-1']) {
      const named = query.split('&').map((part) => part.split('=')[0]);
      expect(new Set(fieldsOf(await faultsOf(session.get(`/v1/topics?${query}`))))).toEqual(new Set(named));
    }
  });
});
