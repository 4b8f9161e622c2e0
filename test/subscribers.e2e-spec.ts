import { itBehavesLikeAResource, type TestApp, type TestSession } from '#libs/testing';
import { fullSubscriberFactory, subscriberFactory } from './factories/subscriber.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from './support/answers.js';
import { startTestApi } from './support/test-api.js';

let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  session = await api.session();
});
afterAll(() => api.close());

const PATH = '/v1/subscribers';
const one = (id: unknown): string => `${PATH}/${encodeURIComponent(String(id))}`;
const make = (body: object, by = session): Promise<Json> => dataOf(by.post(PATH, body), 201);

const without = (record: Json, key: string): Json =>
  Object.fromEntries(Object.entries(record).filter(([k]) => k !== key));

describe('/v1/subscribers', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: PATH,
    create: (by) => make(subscriberFactory({ firstName: 'Ann' }), by),
    itemPath: ({ subscriberId }) => one(subscriberId),
    list: { shape: 'page' },
    remove: { path: ({ subscriberId }) => one(subscriberId), status: 200 },
    writes: [
      { method: 'put', path: ({ subscriberId }) => one(subscriberId), body: { firstName: 'Eve' } },
      {
        method: 'put',
        path: ({ subscriberId }) => `${one(subscriberId)}/credentials`,
        body: { providerId: 'discord', credentials: { webhookUrl: 'https://example.com' } },
      },
      { method: 'patch', path: ({ subscriberId }) => `${one(subscriberId)}/online-status`, body: { isOnline: true } },
      { method: 'delete', path: ({ subscriberId }) => `${one(subscriberId)}/credentials/discord` },
      { method: 'delete', path: ({ subscriberId }) => `${one(subscriberId)}/address-states/email` },
    ],
    unknownPath: one('nobody'),
  });

  describe('POST', () => {
    it('should answer with every field of the interface', async () => {
      const sent = fullSubscriberFactory();
      expect(await make(sent)).toEqual({
        ...sent,
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        _organizationId: session.organizationId,
        _environmentId: session.environmentId,
        channels: [],
        deleted: false,
        createdAt: expect.stringMatching(/Z$/) as string,
        updatedAt: expect.stringMatching(/Z$/) as string,
        __v: 0,
      });
    });

    it('should leave out what is not given', async () => {
      const made = await make({ subscriberId: 'bare', email: null, data: null });
      expect(Object.keys(made).sort()).toEqual(
        ['_id', 'id', '_organizationId', '_environmentId', 'subscriberId', 'channels', 'deleted', 'createdAt', 'updatedAt', '__v'].sort(), // prettier-ignore
      );
    });

    it('should give data back exactly as sent', async () => {
      const data = { '': 1, 'a.b': { 'c.d': [[], [{}]] }, no: null, text: 'é𝄞', big: 2 ** 40, part: 0.1, yes: false };
      const made = await make(subscriberFactory({ data }));
      expect(made['data']).toEqual(data);
      expect((await dataOf(session.get(one(made['subscriberId'])), 200))['data']).toEqual(data);
    });

    it('should take blanks off the subscriberId', async () => {
      expect((await make({ subscriberId: '  spaced \n' }))['subscriberId']).toBe('spaced');
    });

    it('should update where the subscriberId exists, and answer with what is stored', async () => {
      const before = await make(fullSubscriberFactory({ subscriberId: 'twice' }));
      const after = await make({ subscriberId: 'twice', firstName: 'Bea', data: { only: 'this' }, phone: null });
      const kept = without(before, 'phone');
      expect(after).toEqual({ ...kept, firstName: 'Bea', data: { only: 'this' }, updatedAt: after['updatedAt'] });
      expect(String(after['updatedAt']) >= String(before['updatedAt'])).toBe(true);
      expect(await dataOf(session.get(one('twice')), 200)).toEqual(after);
    });

    it('should revive a deleted subscriber', async () => {
      const before = await make(subscriberFactory({ subscriberId: 'phoenix', firstName: 'Ann' }));
      await session.delete(one('phoenix')).expect(200);
      const after = await make({ subscriberId: 'phoenix', lastName: 'Lee' });
      expect(after).toMatchObject({ _id: before['_id'], deleted: false, lastName: 'Lee', channels: [] });
      expect(after).not.toHaveProperty('deletedAt');
      expect(after).not.toHaveProperty('deletedBy');
      expect(await dataOf(session.get(one('phoenix')), 200)).toEqual(after);
    });

    it('should make one subscriber when the same id comes many times at once', async () => {
      const sent = Array.from({ length: 30 }, (_, i) =>
        session.post(PATH, { subscriberId: 'race', firstName: `n${i}` }),
      );
      const answers = await Promise.all(sent);
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 201));
      expect(new Set(answers.map(({ body }) => (body as { data: Json }).data['_id'])).size).toBe(1);
    });

    it('should let different environments use the same id', async () => {
      const [here, there] = await api.siblings();
      const [a, b] = [await make({ subscriberId: 'same' }, here), await make({ subscriberId: 'same' }, there)];
      expect(a['_id']).not.toBe(b['_id']);
    });

    it('should drop fields that it does not know', async () => {
      const made = await make(subscriberFactory({ colour: 'red', _id: 'x', deleted: true, isOnline: true, __v: 9 }));
      expect(made).toMatchObject({ deleted: false, __v: 0 });
      expect(made).not.toHaveProperty('colour');
      expect(made).not.toHaveProperty('isOnline');
    });

    it('should report all faults at once, with their paths', async () => {
      const sent = {
        subscriberId: 5,
        firstName: 1,
        lastName: [],
        email: 'none',
        phone: {},
        avatar: 'ftp://x',
        locale: 'e',
        data: 'text',
        channels: [{ providerId: 'carrier-pigeon', credentials: { deviceTokens: 'abc', webhookUrl: 5 } }],
      };
      const faults = await faultsOf(session.post(PATH, sent));
      expect(faults).toEqual(
        expect.arrayContaining([
          'subscriberId must be a string',
          'firstName must be a string',
          'lastName must be a string',
          'email must be an email',
          'phone must be a string',
          'avatar must be an http or https URL',
          'locale must be locale',
          'data must be an object',
          expect.stringMatching(/^channels\.0\.providerId must be one of the following values: slack, discord/),
          'channels.0.credentials.deviceTokens must be an array',
          'channels.0.credentials.webhookUrl must be a string',
        ]),
      );
    });

    it.each([
      ['nothing', {}, 'subscriberId must be a string'],
      ['null', { subscriberId: null }, 'subscriberId must be a string'],
      ['an operator', { subscriberId: { $gt: '' } }, 'subscriberId must be a string'],
      ['blanks', { subscriberId: '   ' }, 'subscriberId must be longer than or equal to 1 characters'],
      [
        '256 characters',
        { subscriberId: 'x'.repeat(256) },
        'subscriberId must be shorter than or equal to 255 characters',
      ],
    ])('should refuse %s as subscriberId', async (_case, sent, fault) => {
      expect(await faultsOf(session.post(PATH, sent))).toContain(fault);
    });

    it.each([
      ['firstName', 'x'.repeat(256)],
      ['lastName', { $ne: 1 }],
      ['email', ''],
      ['email', { $gt: '' }],
      ['email', `${'x'.repeat(250)}@example.com`],
      ['phone', 'x'.repeat(256)],
      ['phone', 15551230100],
      ['avatar', ''],
      ['avatar', 'javascript:alert(1)'],
      ['avatar', 'data:text/html,x'],
      ['avatar', `https://example.com/${'x'.repeat(2_100)}`],
      ['avatar', ['https://example.com']],
      ['locale', 'en US'],
      ['locale', 7],
      ['data', []],
      ['data', 'text'],
      ['data', { deep: { $where: '1' } }],
      ['channels', {}],
      ['channels', [null]],
      ['channels', ['x']],
      ['channels', [{ providerId: 'fcm' }]],
    ])('should refuse %s: %p', async (field, value) => {
      const faults = await faultsOf(session.post(PATH, subscriberFactory({ [field]: value })));
      expect(faults.every((fault) => fault.startsWith(field))).toBe(true);
      expect(faults.length).toBeGreaterThan(0);
    });

    it.each(['http://localhost:3000/me.png', 'https://cdn.example.com/a.png?x=1', 'http://127.0.0.1/a'])(
      'should take %s as avatar',
      async (avatar) => {
        expect((await make(subscriberFactory({ avatar })))['avatar']).toBe(avatar);
      },
    );

    it('should refuse a key with a null character', async () => {
      expect(await faultsOf(session.post(PATH, subscriberFactory({ data: { 'a\0b': 1 } })))).toEqual([
        'data has a key with a null character',
      ]);
    });
  });

  describe('PUT /{subscriberId}', () => {
    it('should change what is given, keep what is absent and unset what is null', async () => {
      const before = await make(fullSubscriberFactory());
      const changed = { lastName: 'Ray', phone: null, data: { new: true } };
      const after = await dataOf(session.put(one(before['subscriberId']), changed), 200);
      const kept = without(before, 'phone');
      expect(after).toEqual({ ...kept, lastName: 'Ray', data: { new: true }, updatedAt: after['updatedAt'] });
      expect(await dataOf(session.get(one(before['subscriberId'])), 200)).toEqual(after);
    });

    it.each([[''], [null]])('should unset the email for %p', async (email) => {
      const { subscriberId } = await make(fullSubscriberFactory());
      expect(await dataOf(session.put(one(subscriberId), { email }), 200)).not.toHaveProperty('email');
    });

    it('should change nothing for an empty body', async () => {
      const before = await make(fullSubscriberFactory());
      const after = await dataOf(session.put(one(before['subscriberId']), {}), 200);
      expect(after).toEqual({ ...before, updatedAt: after['updatedAt'] });
    });

    it('should not change the subscriberId', async () => {
      await make({ subscriberId: 'fixed' });
      expect(await dataOf(session.put(one('fixed'), { subscriberId: 'other' }), 200)).toMatchObject({
        subscriberId: 'fixed',
      });
    });

    it('should answer 404 for an unknown subscriber', async () => {
      expect(await codeOf(session.put(one('nobody'), { firstName: 'x' }), 404)).toBe('subscriber_not_found');
    });

    it('should refuse what POST refuses', async () => {
      const { subscriberId } = await make(subscriberFactory());
      const faults = await faultsOf(session.put(one(subscriberId), { email: 'x', avatar: 5, data: 1, locale: '?' }));
      expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
        expect.arrayContaining(['email', 'avatar', 'data', 'locale']),
      );
    });

    it('should reach an id with characters that paths encode', async () => {
      const subscriberId = 'a/b c?d#é%';
      await make({ subscriberId });
      expect(await dataOf(session.put(one(subscriberId), { firstName: 'Odd' }), 200)).toMatchObject({ subscriberId });
    });
  });

  describe('GET', () => {
    const idsOf = async (query: string): Promise<unknown[]> =>
      (await dataOf<Json[]>(session.get(`${PATH}?${query}`), 200)).map(({ subscriberId }) => subscriberId);

    it('should list the newest first', async () => {
      for (const subscriberId of ['first', 'second', 'third']) await make({ subscriberId });
      expect(await idsOf('')).toEqual(['third', 'second', 'first']);
    });

    describe('when it searches', () => {
      beforeEach(async () => {
        await session.post(`${PATH}/bulk`, {
          subscribers: [
            { subscriberId: 'crm-1', firstName: 'Ann', lastName: 'Lee', email: 'Ann@Example.com', phone: '+1' },
            { subscriberId: 'crm-2', firstName: 'Anton', lastName: 'Angel', email: 'anton@example.com', phone: '+2' },
            { subscriberId: 'app-3', firstName: 'Bo', lastName: 'Anders', email: 'bo@example.com', phone: '+1' },
            { subscriberId: 'crm-4', firstName: 'Cy' },
          ],
        });
      });

      it.each([
        ['the email in any case', 'email=ANN@example.com', ['crm-1']],
        ['no part of an email', 'email=ann@', []],
        ['the phone number, newest first', 'phone=%2B1', ['app-3', 'crm-1']],
        ['the beginning of the subscriberId', 'subscriberId=crm-', ['crm-1', 'crm-2', 'crm-4']],
        ['the beginning of a name, by that name', 'name=AN', ['app-3', 'crm-2', 'crm-1']],
        ['two at once', 'name=an&phone=%2B1', ['app-3', 'crm-1']],
        ['a pattern, as text', 'name=.*', []],
        ['empty filters, as none', 'email=&name=&phone=&subscriberId=', ['crm-4', 'app-3', 'crm-2', 'crm-1']],
      ])('should find %s', async (_case, query, expected) => {
        expect(await idsOf(query)).toEqual(expected);
      });

      it('should page through a search by name without losing or doubling any', async () => {
        const pages = await Promise.all([0, 1, 2, 3].map((page) => idsOf(`name=an&limit=1&page=${page}`)));
        expect(pages).toEqual([['app-3'], ['crm-2'], ['crm-1'], []]);
        const { body } = await session.get(`${PATH}?name=an&limit=1&page=2`).expect(200);
        expect(body).toMatchObject({ hasMore: false, page: 2, pageSize: 1 });
      });

      it('should follow changes of what is searched', async () => {
        await session.put(one('crm-1'), { email: 'lee@example.com', firstName: null }).expect(200);
        expect(await idsOf('email=ann@example.com')).toEqual([]);
        expect(await idsOf('email=lee@example.com')).toEqual(['crm-1']);
        expect(await idsOf('name=ann')).toEqual([]);
      });

      it.each(['email[]=a', 'name[$gt]=a', `subscriberId=${'x'.repeat(256)}`])('should refuse ?%s', async (query) => {
        await faultsOf(session.get(`${PATH}?${query}`));
      });
    });
  });

  describe('DELETE /{subscriberId}', () => {
    it('should say so', async () => {
      await make({ subscriberId: 'gone' });
      expect(await dataOf(session.delete(one('gone')), 200)).toEqual({ acknowledged: true, status: 'deleted' });
    });
  });

  describe('POST /bulk', () => {
    const bulk = (subscribers: unknown): Promise<Json> => dataOf(session.post(`${PATH}/bulk`, { subscribers }), 201);

    it('should create, update, revive and repeat, and say which', async () => {
      await make({ subscriberId: 'old', firstName: 'Old', data: { a: 1, b: 2 } });
      await make({ subscriberId: 'dead' });
      await session.delete(one('dead')).expect(200);
      const result = await bulk([
        { subscriberId: 'new-1', firstName: 'One' },
        { subscriberId: 'new-2' },
        { subscriberId: 'old', data: { a: 3 } },
        { subscriberId: ' new-1 ', lastName: 'Again' },
        { subscriberId: 'dead', firstName: 'Back' },
      ]);
      expect(result).toEqual({
        created: [{ subscriberId: 'new-1' }, { subscriberId: 'new-2' }],
        updated: [{ subscriberId: 'old' }, { subscriberId: 'new-1' }, { subscriberId: 'dead' }],
        failed: [],
      });
      expect(await dataOf(session.get(one('new-1')), 200)).toMatchObject({ firstName: 'One', lastName: 'Again' });
      expect(await dataOf(session.get(one('old')), 200)).toMatchObject({ firstName: 'Old', data: { a: 3 } });
      expect(await dataOf(session.get(one('dead')), 200)).toMatchObject({ deleted: false, firstName: 'Back' });
    });

    it('should take 500', async () => {
      const many = Array.from({ length: 500 }, (_, i) => subscriberFactory({ data: { i } }));
      expect(((await bulk(many))['created'] as unknown[]).length).toBe(500);
    });

    it('should write one record of each id when the same call comes many times at once', async () => {
      const subscribers = Array.from({ length: 20 }, (_, i) => ({ subscriberId: `crowd-${i}` }));
      const results = await Promise.all(Array.from({ length: 5 }, () => bulk(subscribers)));
      expect(results.flatMap(({ created }) => created as unknown[]).length).toBe(20);
      const { body } = await session.get(`${PATH}?limit=100&subscriberId=crowd-`).expect(200);
      expect((body as { data: unknown[] }).data.length).toBe(20);
    });

    it.each([
      ['nothing', undefined, 'subscribers must be an array'],
      ['an object', {}, 'subscribers must be an array'],
      ['an empty list', [], 'subscribers should not be empty'],
      ['a text in the list', ['x'], 'subscribers.0 must be an object'],
    ])('should refuse %s', async (_case, subscribers, fault) => {
      expect(await faultsOf(session.post(`${PATH}/bulk`, { subscribers }))).toContain(fault);
    });

    it('should refuse 501 and tens of thousands alike', async () => {
      for (const length of [501, 30_000]) {
        const subscribers = Array.from({ length }, (_, i) => ({ subscriberId: `s${i}` }));
        expect(await faultsOf(session.post(`${PATH}/bulk`, { subscribers }))).toEqual([
          'subscribers must contain no more than 500 elements',
        ]);
      }
    });

    it('should name the fault of each, and write nothing', async () => {
      const sent = [{ subscriberId: 'fine' }, { subscriberId: 5 }, { subscriberId: 'x', email: 'no', data: 'no' }];
      const faults = await faultsOf(session.post(`${PATH}/bulk`, { subscribers: sent }));
      expect(faults).toEqual(
        expect.arrayContaining([
          'subscribers.1.subscriberId must be a string',
          'subscribers.2.email must be an email',
          'subscribers.2.data must be an object',
        ]),
      );
      await session.get(one('fine')).expect(404);
    });
  });

  describe('PATCH /{subscriberId}/online-status', () => {
    const tell = (body: object): Promise<Json> => dataOf(session.patch(`${one('seen')}/online-status`, body), 200);
    beforeEach(() => make({ subscriberId: 'seen' }));

    it.each(['isOnline', 'online'])('should take %s', async (name) => {
      const on = await tell({ [name]: true });
      expect(on).toMatchObject({ isOnline: true });
      expect(on).not.toHaveProperty('lastOnlineAt');
      const off = await tell({ [name]: false });
      expect(off).toMatchObject({ isOnline: false, lastOnlineAt: expect.stringMatching(/\.\d{3}Z$/) as string });
    });

    it.each([
      ['nothing', {}, 'isOnline must be a boolean value'],
      ['a text', { isOnline: 'true' }, 'isOnline must be a boolean value'],
      ['null', { isOnline: null }, 'isOnline must be a boolean value'],
      ['a number under the other name', { online: 1 }, 'online must be a boolean value'],
    ])('should refuse %s', async (_case, body, fault) => {
      expect(await faultsOf(session.patch(`${one('seen')}/online-status`, body))).toEqual([fault]);
    });

    it('should answer 404 for an unknown subscriber', async () => {
      await session.patch(`${one('nobody')}/online-status`, { isOnline: true }).expect(404);
    });
  });

  describe('DELETE /{subscriberId}/address-states/{channel}', () => {
    it('should refuse other channels', async () => {
      await make({ subscriberId: 'addressed' });
      expect(await faultsOf(session.delete(`${one('addressed')}/address-states/push`))).toEqual([
        'channel must be one of the following values: email, sms',
      ]);
    });
  });
});
