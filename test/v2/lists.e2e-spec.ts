import type { TestSession } from '../harness/index.js';
import { faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

interface LinkedPage {
  readonly data: Json[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly totalCount: number;
  readonly totalCountCapped: boolean;
}

const pageOf = async (path: string, query: Readonly<Record<string, string | null>> = {}): Promise<LinkedPage> => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return (await session.get(`${path}?${new URLSearchParams(given).toString()}`).expect(200)).body as LinkedPage;
};

const people = (caller: TestSession, ids: readonly string[], more: Json = {}): Promise<unknown> =>
  caller
    .post('/v1/subscribers/bulk', { subscribers: ids.map((subscriberId) => ({ ...more, subscriberId })) })
    .expect(201);
const topics = async (caller: TestSession, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await caller.post('/v2/topics', { key }).expect(201);
};
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Each list with seven rows, which it shows by these letters, `g` first. */
const LISTS: Readonly<
  Record<
    string,
    {
      path: string;
      fill: () => Promise<unknown>;
      nameOf: (row: Json) => unknown;
      remove: (name: string) => Promise<unknown>;
      add: (name: string) => Promise<unknown>;
    }
  >
> = {
  subscribers: {
    path: '/v2/subscribers',
    fill: async () => {
      for (const id of LETTERS) await people(session, [id]);
    },
    nameOf: ({ subscriberId }) => subscriberId,
    remove: (id) => session.delete(`/v2/subscribers/${id}`).expect(200),
    add: (id) => people(session, [id]),
  },
  topics: {
    path: '/v2/topics',
    fill: () => topics(session, LETTERS),
    nameOf: ({ key }) => key,
    remove: (key) => session.delete(`/v2/topics/${key}`).expect(200),
    add: (key) => topics(session, [key]),
  },
  'subscriptions of a topic': {
    path: '/v2/topics/all/subscriptions',
    fill: async () => {
      await people(session, [...LETTERS, 'h']);
      await session.post('/v2/topics/all/subscriptions', { subscriptions: LETTERS }).expect(201);
    },
    nameOf: ({ identifier }) => identifier,
    remove: (id) => session.delete('/v2/topics/all/subscriptions', { subscriptions: [id] }).expect(200),
    add: (id) => session.post('/v2/topics/all/subscriptions', { subscriptions: [id] }).expect(201),
  },
  'subscriptions of a subscriber': {
    path: '/v2/subscribers/ada/subscriptions',
    fill: async () => {
      await people(session, ['ada']);
      for (const key of LETTERS) await session.post(`/v2/topics/${key}/subscriptions`, { subscriptions: ['ada'] });
    },
    nameOf: ({ topic }) => (topic as Json)['key'],
    remove: (key) => session.delete(`/v2/topics/${key}/subscriptions`, { subscriptions: ['ada'] }).expect(200),
    add: (key) => session.post(`/v2/topics/${key}/subscriptions`, { subscriptions: ['ada'] }).expect(201),
  },
};

describe.each(Object.entries(LISTS))('the list of %s', (_name, { path, fill, nameOf, remove, add }) => {
  const namesOf = ({ data }: LinkedPage): unknown[] => data.map(nameOf);

  it('should lead through all pages and back, in both orders', async () => {
    await fill();
    const first = await pageOf(path, { limit: '3' });
    const second = await pageOf(path, { limit: '3', after: first.next });
    const third = await pageOf(path, { limit: '3', after: second.next });
    expect([first, second, third].map(namesOf)).toEqual([['g', 'f', 'e'], ['d', 'c', 'b'], ['a']]);
    expect([first.previous, third.next]).toEqual([null, null]);
    expect(third).toMatchObject({ totalCount: 7, totalCountCapped: false });
    const back = await pageOf(path, { limit: '3', before: third.previous });
    const start = await pageOf(path, { limit: '3', before: back.previous });
    expect([namesOf(back), namesOf(start), start.previous]).toEqual([['d', 'c', 'b'], ['g', 'f', 'e'], null]);
    const oldest = await pageOf(path, { limit: '2', orderDirection: 'ASC' });
    const older = await pageOf(path, { limit: '2', orderDirection: 'ASC', after: oldest.next, includeCursor: 'true' });
    expect([oldest, older].map(namesOf)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('should neither repeat nor miss rows while others come and go', async () => {
    await fill();
    const first = await pageOf(path, { limit: '3' });
    await remove('e');
    await remove('c');
    await add('h');
    const second = await pageOf(path, { limit: '3', after: first.next });
    expect(namesOf(second)).toEqual(['d', 'b', 'a']);
    expect(namesOf(await pageOf(path, { limit: '3', before: second.previous }))).toEqual(['h', 'g', 'f']);
  });

  it('should refuse cursors of other orders, and two at once', async () => {
    await fill();
    const { next } = await pageOf(path, { limit: '3' });
    const wrong = ['after must be the `next`, or before the `previous`, of a page in the same order'];
    for (const query of [`after=${next}&orderDirection=ASC`, 'before=64f0c1a2b3c4d5e6f7a8b9c0', 'after=x'])
      expect(await faultsOf(session.get(`${path}?${query}`))).toEqual(wrong);
    expect(await faultsOf(session.get(`${path}?after=${next}&before=${next}`))).toEqual([
      'before and after cannot be given together',
    ]);
    expect(await faultsOf(session.get(`${path}?orderBy=updatedAt&orderDirection=UP&limit=0&includeCursor=1`))).toEqual([
      expect.stringMatching(/^orderBy must be one of the following values: /),
      'limit must not be less than 1',
      'orderDirection must be one of the following values: ASC, DESC',
      'includeCursor must be a boolean value',
    ]);
  });

  it('should show nothing of another environment', async () => {
    await fill();
    const { next } = await pageOf(path, { limit: '3' });
    const stranger = await api.session();
    await people(stranger, ['ada']);
    await topics(stranger, ['all']);
    const { body } = await stranger.get(`${path}?after=${next}`).expect(200);
    expect(body).toMatchObject({ next: null, totalCount: expect.any(Number) });
    expect(namesOf(body as LinkedPage).filter((name) => LETTERS.includes(String(name)))).toEqual([]);
  });
});

describe('filters', () => {
  const idsOf = async (query: Readonly<Record<string, string>>): Promise<unknown[]> =>
    (await pageOf('/v2/subscribers', query)).data.map(({ subscriberId }) => subscriberId);

  it('should find subscribers by each field, and by the beginning of a name', async () => {
    await people(session, ['ada'], { firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@example.com' });
    await people(session, ['bob'], { firstName: 'Bob', lastName: 'Adams', phone: '+15551230100' });
    expect(await idsOf({ email: 'ada@EXAMPLE.com' })).toEqual(['ada']);
    expect(await idsOf({ phone: '+15551230100' })).toEqual(['bob']);
    expect(await idsOf({ subscriberId: 'ada' })).toEqual(['ada']);
    expect(await idsOf({ name: 'ad' })).toEqual(['bob', 'ada']);
    const first = await pageOf('/v2/subscribers', { name: 'ad', limit: '1' });
    expect(first).toMatchObject({ totalCount: 2, data: [{ subscriberId: 'bob' }] });
    expect(await idsOf({ name: 'ad', limit: '1', after: String(first.next) })).toEqual(['ada']);
    expect(await idsOf({ name: 'ad', email: 'ada@example.com' })).toEqual(['ada']);
    expect(await idsOf({ name: 'nobody' })).toEqual([]);
  });
});
