import { itBehavesLikeAResource } from '../harness/index.js';
import { fullSubscriberFactory, subscriberFactory } from '../factories/subscriber.factory.js';
import { codeOf, dataOf, faultsOf, fieldsOf, type Json } from '../support/answers.js';
import { callsOf } from '../support/resource-calls.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v1/subscribers';
const { one, make } = callsOf(
  PATH,
  () => session,
  (id) => id,
);

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

    it('should make another subscriber of a deleted id', async () => {
      const before = await make(subscriberFactory({ subscriberId: 'phoenix', firstName: 'Ann' }));
      await session.delete(one('phoenix')).expect(200);
      const after = await make({ subscriberId: 'phoenix', lastName: 'Lee' });
      expect(after).toMatchObject({ deleted: false, lastName: 'Lee', channels: [] });
      expect(after['_id']).not.toBe(before['_id']);
      expect(after).not.toHaveProperty('firstName');
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
      expect(new Set(answers.map((answer) => dataOf(answer)['_id'])).size).toBe(1);
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
      ['nothing', {}, 'subscriberId is required and must be a string'],
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
      ['email', { $gt: '' }],
      ['email', `${'x'.repeat(250)}@example.com`],
      ['phone', 'x'.repeat(256)],
      ['phone', 15551230100],
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
      'should take "%s" as avatar',
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
      expect(fieldsOf(faults)).toEqual(expect.arrayContaining(['email', 'avatar', 'data', 'locale']));
    });

    it('should reach an id with characters that paths encode', async () => {
      const subscriberId = 'a/b c?d#é%';
      await make({ subscriberId });
      expect(await dataOf(session.put(one(subscriberId), { firstName: 'Odd' }), 200)).toMatchObject({ subscriberId });
    });
  });

  describe('DELETE /{subscriberId}', () => {
    it('should say so', async () => {
      await make({ subscriberId: 'gone' });
      expect(await dataOf(session.delete(one('gone')), 200)).toEqual({ acknowledged: true, status: 'deleted' });
    });
  });
});
