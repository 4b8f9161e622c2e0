import type { TestSession } from '../harness/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const PATH = '/v1/subscribers';

/** Replays what the compatible system's own tests expect of subscribers, their messages and their preferences. */
describe('compatibility: subscribers', () => {
  const api = useHerald();
  const session = useSession(api);

  const profile = { firstName: 'Ann', email: 'ann@example.com', phone: '+4930', locale: 'en', data: { test: 1 } };
  const create = (body: Json = {}): Promise<Json> => dataOf(session.post(PATH, { subscriberId: 'ann', ...body }), 201);
  const get = (id = 'ann'): Promise<Json> => dataOf(session.get(`${PATH}/${id}`), 200);

  describe('profile', () => {
    it('should create, read back, and update by creating again, replacing data whole', async () => {
      await create(profile);
      expect(await get()).toMatchObject(profile);
      await create({ firstName: 'Anna', email: 'anna@example.com', locale: 'de', data: { other: 2 } });
      const again = await get();
      expect(again).toMatchObject({ firstName: 'Anna', email: 'anna@example.com', locale: 'de' });
      expect(again['data']).toEqual({ other: 2 });
    });

    it('should update what is given and unset null (deviation: an unset value is left out, not null)', async () => {
      await create(profile);
      await session.put(`${PATH}/ann`, { lastName: 'Miller', data: { key: 'v' }, email: null }).expect(200);
      const shown = await get();
      expect(shown).toMatchObject({ firstName: 'Ann', lastName: 'Miller', data: { key: 'v' } });
      expect(Object.keys(shown)).not.toContain('email');
    });

    it('should tell online from offline', async () => {
      await create();
      const offline = await dataOf(session.patch(`${PATH}/ann/online-status`, { isOnline: false }), 200);
      expect(offline).toMatchObject({ isOnline: false, lastOnlineAt: expect.any(String) });
      expect(await dataOf(session.patch(`${PATH}/ann/online-status`, { isOnline: true }), 200)).toMatchObject({
        isOnline: true,
      });
      for (const body of [{ isOnline: 'yes', online: false }, { isOnline: null, online: 0 }, { isOnline: {} }, {}]) {
        await session.patch(`${PATH}/ann/online-status`, body).expect(400);
      }
    });

    it('should delete a subscriber and take it out of all topics', async () => {
      await create();
      const keys = Array.from({ length: 10 }, (_, i) => `topic-${i}`);
      for (const key of keys) await session.post(`/v1/topics/${key}/subscribers`, { subscribers: ['ann'] }).expect(200);
      await session.delete(`${PATH}/ann`).expect(200);
      await session.get(`${PATH}/ann`).expect(404);
      const topics = await Promise.all(keys.map((key) => dataOf(session.get(`/v1/topics/${key}`), 200)));
      expect(topics.map(({ subscribers }) => subscribers)).toEqual(keys.map(() => []));
    });
  });

  describe('bulk', () => {
    const bulk = (ids: string[]): ReturnType<TestSession['post']> =>
      session.post(`${PATH}/bulk`, { subscribers: ids.map((subscriberId) => ({ subscriberId })) });

    it('should tell created from updated, a repeat in the list included', async () => {
      await create();
      expect(await dataOf(bulk(['new-1', 'ann', 'new-2', 'new-1']), 201)).toMatchObject({
        created: [{ subscriberId: 'new-1' }, { subscriberId: 'new-2' }],
        updated: [{ subscriberId: 'ann' }, { subscriberId: 'new-1' }],
        failed: [],
      });
    });

    it('should refuse 501 at once', async () => {
      const [fault] = await faultsOf(bulk(Array.from({ length: 501 }, (_, i) => `s-${i}`)));
      expect(fault).toContain('subscribers must contain no more than 500 elements');
    });

    it('should make new ones of deleted ids (deviation: they were brought back as updated)', async () => {
      const ids = ['a', 'b', 'c'];
      await bulk(ids).expect(201);
      for (const id of ids) await session.delete(`${PATH}/${id}`).expect(200);
      const { created } = await dataOf<{ created: unknown[] }>(bulk(ids), 201);
      expect(created).toHaveLength(3);
      expect(await get('a')).toMatchObject({ deleted: false });
    });
  });

  describe('feed and marks', () => {
    let inbox: Inbox;
    beforeEach(async () => {
      inbox = await createInbox(api, session);
    });
    const messages = (path: string, body: object): ReturnType<TestSession['post']> =>
      session.post(`${inbox.path}/messages/${path}`, body);

    it('should answer 404 for an unknown subscriber (deviation: the feed and the count answered 400)', async () => {
      for (const path of ['notifications/feed', 'notifications/unseen', 'preferences']) {
        expect(await codeOf(session.get(`${PATH}/nobody/${path}`), 404)).toBe('subscriber_not_found');
      }
      await session.post(`${PATH}/nobody/messages/mark-all`, { markAs: 'read' }).expect(404);
    });

    it('should filter the feed by payload, flat and nested, and refuse what is none', async () => {
      await inbox.deliver({ payload: { a: 1 } }, { payload: { a: 2, deep: { b: 3 } } });
      const find = async (payload: object): Promise<number> => {
        const encoded = Buffer.from(JSON.stringify(payload)).toString('base64');
        return (await dataOf<Json[]>(session.get(`${inbox.path}/notifications/feed?payload=${encoded}`), 200)).length;
      };
      expect([await find({ a: 1 }), await find({ deep: { b: 3 } }), await find({ a: 9 })]).toEqual([1, 1, 0]);
      await session.get(`${inbox.path}/notifications/feed?payload=nonsense`).expect(400);
    });

    it('should mark all five, and none the second time', async () => {
      await inbox.deliver({}, {}, {}, {}, {});
      expect(await dataOf(messages('mark-all', { markAs: 'read' }), 201)).toBe(5);
      expect(await dataOf(messages('mark-all', { markAs: 'read' }), 201)).toBe(0);
      const feed = await dataOf<Json[]>(session.get(`${inbox.path}/notifications/feed`), 200);
      for (const message of feed) {
        expect(message).toMatchObject({ seen: true, read: true, lastSeenDate: expect.any(String) });
      }
    });

    it.each([
      ['seen', { seen: true, read: false }],
      ['read', { seen: true, read: true }],
      ['unread', { seen: true, read: false }],
      ['unseen', { seen: false, read: false }],
    ])('should mark as %s', async (markAs, state) => {
      const [messageId] = await inbox.deliver({});
      expect(await dataOf(messages('mark-as', { messageId, markAs }), 201)).toMatchObject([state]);
    });

    it('should refuse a mark without messages', async () => {
      await messages('mark-as', { markAs: 'read' }).expect(400);
      await messages('mark-as', { messageId: '', markAs: 'read' }).expect(400);
      await messages('mark-as', { messageId: ['64f0c1a2b3c4d5e6f7a8b9c0'], markAs: 'gone' }).expect(400);
    });
  });

  describe('preferences', () => {
    const steps = [
      { template: { type: 'in_app', content: 'x' } },
      { template: { type: 'email', subject: 's', content: 'x' } },
    ];
    let inbox: Inbox;
    let path: string;
    beforeEach(async () => {
      inbox = await createInbox(api, session, { workflow: { steps } });
      path = `${inbox.path}/preferences`;
    });

    it('should be on for all channels of the workflow', async () => {
      const [preference] = await dataOf<Json[]>(session.get(path), 200);
      expect(preference).toMatchObject({ preference: { enabled: true, channels: { email: true, in_app: true } } });
    });

    it('should refuse faulty bodies and unknown workflows', async () => {
      const workflow = `${path}/${inbox.workflow._id}`;
      await session.patch(workflow, { enabled: 'maybe' }).expect(400);
      await session.patch(workflow, { channel: { type: 'email', enabled: 'maybe' } }).expect(400);
      await session.patch(`${path}/64f0c1a2b3c4d5e6f7a8b9c0`, { enabled: true }).expect(404);
      await session.patch(path, { preferences: 'none' }).expect(400);
    });

    it('should ignore a channel that the workflow has not, and switch the whole apart from channels', async () => {
      const workflow = `${path}/${inbox.workflow._id}`;
      const sms = await dataOf(session.patch(workflow, { channel: { type: 'sms', enabled: false } }), 200);
      expect((sms['preference'] as Json)['channels']).toEqual({ email: true, in_app: true });
      const off = await dataOf(session.patch(workflow, { enabled: false }), 200);
      expect(off).toMatchObject({ preference: { enabled: false, channels: { email: true, in_app: true } } });
      await dataOf(session.patch(workflow, { enabled: true, channel: {} }), 200);
      expect(await dataOf(session.get(path), 200)).toMatchObject([{ preference: { enabled: true } }]);
    });

    it('should keep a channel off everywhere by the global preference', async () => {
      const preferences = [{ type: 'in_app', enabled: false }];
      const changed = await dataOf(session.patch(path, { enabled: true, preferences }), 200);
      expect(changed).toMatchObject({
        preference: { enabled: true, channels: { in_app: false, email: true, sms: true, chat: true, push: true } },
      });
      const [global] = await dataOf<Json[]>(session.get(`${path}/global`), 200);
      expect(global).toMatchObject(changed);
      await session.get(`${path}/planet`).expect(400);
    });
  });
});
