import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { createSegment, segmentFactory, where } from '../factories/segment.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();

const pathOf = (segment: Json): string => `/v1/segments/${encodeURIComponent(String(segment['segmentId']))}`;

describe('/v1/segments', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/segments',
    create: createSegment,
    itemPath: pathOf,
    list: { shape: 'page' },
    remove: { path: pathOf, status: 204 },
    writes: [{ method: 'patch', path: pathOf, body: { name: 'Changed' } }],
    unknownPath: '/v1/segments/unknown',
  });

  const session = useSession(api);

  it('should refuse an id twice, and change a segment', async () => {
    const made = await createSegment(session, { segmentId: 'trials' });
    const again = await session.post('/v1/segments', segmentFactory({ segmentId: 'trials' })).expect(409);
    expect(again.body).toMatchObject({ code: 'segment_already_exists' });
    const conditions = where('data.plan', 'EQUAL', 'pro');
    const changed = dataOf(await session.patch(pathOf(made), { conditions }).expect(200));
    expect(changed).toMatchObject({ segmentId: 'trials', name: 'People on trial', conditions });
  });

  it.each([
    ['an unknown field', where('password', 'EQUAL', 'x'), 'conditions.0.children.0.field must be one of subscriberId'],
    ['credentials', where('channels.credentials.webhookUrl', 'LIKE', 'h'), 'conditions.0.children.0.field must be'],
    ['data as a whole', where('data', 'IS_DEFINED'), 'conditions.0.children.0.field must be one of'],
    ['an operator of the store', where('data.$where', 'EQUAL', 'x'), 'conditions.0.children.0.field must be one of'],
    ['a part of a text', where('email', 'EQUAL', undefined), 'conditions.0.children.0.value is required'],
    ['a wildcard within', where('email', 'LIKE', 'a%b'), 'conditions.0.children.0.value must be a text, with % at'],
    ['a variable', where('data.plan', 'EQUAL', '{{plan}}'), 'is not a valid template: a segment has no variables'],
    ['the payload', [{ children: [{ on: 'payload', field: 'a', operator: 'IS_DEFINED' }] }], 'children.0.on must be'],
    ['an object', { children: [] }, 'conditions must be an array of condition groups'],
  ])('should refuse %s', async (_case, conditions, fault) => {
    const [found] = faultsOf(await session.post('/v1/segments', segmentFactory({ conditions })).expect(400));
    expect(found).toContain(fault);
  });

  describe('who belongs to it', () => {
    const PEOPLE: Json[] = [
      {
        subscriberId: 'ann',
        email: 'Ann@acme.example',
        locale: 'en',
        data: { plan: 'trial', seats: 3, tags: ['a', 'b'] },
      },
      {
        subscriberId: 'bob',
        email: 'bob@acme.example',
        data: { plan: 'pro', seats: 10, vip: true, ends: '2026-03-01' },
      },
      { subscriberId: 'eve', firstName: 'Eve', data: { plan: 'TRIAL', seats: '7', tags: ['b'], 'a.b': 1 } },
      { subscriberId: 'ida', data: { plan: null, address: { city: 'Oslo' } } },
    ];

    const idsOf = async (conditions: unknown): Promise<string[]> => {
      const shown = dataOf<{ count: number; isExact: boolean; subscribers: { subscriberId: string }[] }>(
        await session.post('/v1/segments/preview', { conditions }).expect(200),
      );
      const ids = shown.subscribers.map(({ subscriberId }) => subscriberId);
      expect(shown).toMatchObject({ count: ids.length, isExact: true });
      return ids;
    };

    beforeEach(async () => {
      for (const person of PEOPLE) await session.post('/v1/subscribers', person).expect(201);
      await session.patch('/v1/subscribers/bob/online-status', { isOnline: true }).expect(200);
      await session.patch('/v1/subscribers/eve/online-status', { isOnline: false }).expect(200);
    });

    it('should be decided by conditions as those of steps', async () => {
      const rows: [Json[], string[]][] = [
        [where('data.plan', 'EQUAL', 'trial'), ['ann']],
        [where('data.plan', 'NOT_EQUAL', 'trial'), ['bob', 'eve', 'ida']],
        [where('data.plan', 'IN', ['trial', 'pro']), ['ann', 'bob']],
        [where('data.plan', 'IN', 'trial, pro'), ['ann', 'bob']],
        [where('data.plan', 'NOT_IN', ['trial', 'pro']), ['eve', 'ida']],
        [where('data.plan', 'LIKE', 'TRIAL'), ['ann', 'eve']],
        [where('data.plan', 'IS_DEFINED'), ['ann', 'bob', 'eve']],
        [where('data.seats', 'EQUAL', '3'), ['ann']],
        [where('data.seats', 'LARGER', '3'), ['bob']],
        [where('data.seats', 'LARGER_EQUAL', 3), ['ann', 'bob']],
        [where('data.seats', 'BETWEEN', '1,5'), ['ann']],
        [where('data.seats', 'NOT_BETWEEN', [1, 5]), ['bob', 'eve', 'ida']],
        [where('data.tags', 'ALL_IN', ['a', 'b']), ['ann']],
        [where('data.tags', 'ANY_IN', ['a', 'b']), ['ann', 'eve']],
        [where('data.vip', 'EQUAL', 'true'), ['bob']],
        [where('data.ends', 'SMALLER', '2026-03-02'), ['bob']],
        [where('data.address.city', 'EQUAL', 'Oslo'), ['ida']],
        [where('email', 'LIKE', '%@acme.example'), ['ann', 'bob']],
        [where('email', 'LIKE', 'ann%'), ['ann']],
        [where('email', 'LIKE', 'acme%'), []],
        [where('email', 'NOT_LIKE', '%.example'), ['eve', 'ida']],
        [where('email', 'LIKE', '.cme'), []],
        [where('subscriberId', 'ANY_IN', ['ann', 'nobody']), ['ann']],
        [[{ children: [{ on: 'isOnline', value: true }] }], ['bob']],
        [[{ children: [{ on: 'isOnline', value: false }] }], ['eve']],
        [[{ children: [{ on: 'isOnlineInLast', value: 5, timeOperator: 'minutes' }] }], ['bob', 'eve']],
        [[], ['ann', 'bob', 'eve', 'ida']],
        [
          [...where('data.plan', 'EQUAL', 'pro'), ...where('firstName', 'EQUAL', 'Eve')],
          ['bob', 'eve'],
        ],
        [[{ isNegated: true, ...where('data.plan', 'EQUAL', 'trial')[0] }], ['bob', 'eve', 'ida']],
        [[bothOf('AND')], []],
        [[bothOf('OR')], ['ann', 'bob']],
      ];
      for (const [conditions, ids] of rows)
        expect({ conditions, ids: await idsOf(conditions) }).toEqual({ conditions, ids });
    });

    it('should follow what is stored, and show nobody of another environment', async () => {
      await createSegment(session, { segmentId: 'trials' });
      await session.put('/v1/subscribers/eve', { data: { plan: 'trial' } }).expect(200);
      await session.delete('/v1/subscribers/ann').expect(200);
      const shown = dataOf(await session.get('/v1/segments/trials/preview').expect(200));
      expect(shown).toMatchObject({ count: 1, isExact: true, subscribers: [{ subscriberId: 'eve' }] });
      const stranger: TestSession = await api.session();
      await createSegment(stranger, { segmentId: 'trials' });
      expect(dataOf(await stranger.get('/v1/segments/trials/preview').expect(200))).toMatchObject({ count: 0 });
      await stranger.get('/v1/segments/none/preview').expect(404);
    });
  });
});

const bothOf = (value: 'AND' | 'OR'): Json => ({
  value,
  children: [...where('data.plan', 'EQUAL', 'trial'), ...where('data.seats', 'EQUAL', 10)].flatMap(
    ({ children }) => children as Json[],
  ),
});
