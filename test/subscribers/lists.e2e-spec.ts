import { subscriberFactory } from '../factories/subscriber.factory.js';
import { dataOf, faultsOf, fieldsOf, type Json } from '../support/answers.js';
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

describe('/v1/subscribers', () => {
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
        const [field = ''] = query.split(/[[=]/);
        expect(new Set(fieldsOf(await faultsOf(session.get(`${PATH}?${query}`))))).toEqual(new Set([field]));
      });
    });
  });

  describe('POST /bulk', () => {
    const bulk = (subscribers: unknown): Promise<Json> => dataOf(session.post(`${PATH}/bulk`, { subscribers }), 201);

    it('should create, update and repeat, and say which', async () => {
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
        created: [{ subscriberId: 'new-1' }, { subscriberId: 'new-2' }, { subscriberId: 'dead' }],
        updated: [{ subscriberId: 'old' }, { subscriberId: 'new-1' }],
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
      expect((await dataOf<unknown[]>(session.get(`${PATH}?limit=100&subscriberId=crowd-`), 200)).length).toBe(20);
    });

    it.each([
      ['nothing', undefined, 'subscribers is required and must be an array'],
      ['an object', {}, 'subscribers must be an array'],
      ['an empty list', [], 'subscribers should not be empty'],
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

    it('should refuse wrong entries, each with its faults, and write the others', async () => {
      const wrong = [{ subscriberId: 5 }, { subscriberId: 'x', email: 'no', data: 'no' }, 'text', [], null, {}];
      const { created, updated, failed } = await bulk([{ subscriberId: 'fine' }, ...wrong, { subscriberId: 'last' }]);
      expect(created).toEqual([{ subscriberId: 'fine' }, { subscriberId: 'last' }]);
      expect(updated).toEqual([]);
      expect(failed).toEqual([
        { message: expect.stringContaining('subscribers.1.subscriberId must be a string') as string },
        { subscriberId: 'x', message: 'subscribers.2.email must be an email; subscribers.2.data must be an object' },
        { message: 'subscribers.3 must be an object' },
        { message: 'subscribers.4 must be an object' },
        { message: 'subscribers.5 must be an object' },
        { message: expect.stringContaining('subscribers.6.subscriberId is required') as string },
      ]);
      await session.get(one('fine')).expect(200);
      await session.get(one('x')).expect(404);
    });

    it('should write what 499 have beside one that is wrong', async () => {
      const many = Array.from({ length: 500 }, (_, i) => subscriberFactory(i === 250 ? { email: 'none' } : {}));
      const { created, failed } = await bulk(many);
      expect([(created as unknown[]).length, failed]).toEqual([
        499,
        [{ subscriberId: many[250]?.subscriberId, message: 'subscribers.250.email must be an email' }],
      ]);
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
      ['nothing', {}, 'isOnline is required and must be a boolean value'],
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
