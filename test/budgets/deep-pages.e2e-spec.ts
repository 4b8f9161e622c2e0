import type { TestSession } from '../harness/index.js';
import { dataOf, faultsOf } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();
let session: TestSession;

beforeAll(async () => {
  session = await api.session();
  const subscribers = Array.from({ length: 60 }, (_, index) => ({
    subscriberId: `s${index}`,
    firstName: index % 3 === 0 ? `Anna ${String(index).padStart(2, '0')}` : 'Bert',
    lastName: index % 2 === 0 ? `Ann ${String(index).padStart(2, '0')}` : 'Zed',
  }));
  await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
});

describe('GET /v1/subscribers?name=', () => {
  it('should give every subscriber of a name on exactly one page, in the order of the names', async () => {
    const read = (page: number): Promise<{ subscriberId: string }[]> =>
      dataOf(session.get(`/v1/subscribers?name=ann&page=${page}&limit=7`), 200);
    const found: string[] = [];
    for (let page = 0; page < 6; page += 1) found.push(...(await read(page)).map(({ subscriberId }) => subscriberId));
    const matching = Array.from({ length: 60 }, (_, index) => index).filter(
      (index) => index % 3 === 0 || index % 2 === 0,
    );
    expect(found.sort()).toEqual(matching.map((index) => `s${index}`).sort());
    const all = await dataOf<{ subscriberId: string }[]>(session.get('/v1/subscribers?name=ann&limit=100'), 200);
    expect(all.map(({ subscriberId }) => subscriberId).slice(0, 3)).toEqual(['s0', 's2', 's4']);
  });

  it('should say whether there is more', async () => {
    await session.get('/v1/subscribers?name=ann&page=5&limit=7').expect(200, /"hasMore":false/);
    await session.get('/v1/subscribers?name=ann&page=4&limit=7').expect(200, /"hasMore":true/);
  });

  it('should refuse a page that lies too far behind, with what to do', async () => {
    await session.get('/v1/subscribers?name=ann&page=99&limit=100').expect(200);
    const faults = await faultsOf(session.get('/v1/subscribers?name=ann&page=100&limit=100'));
    expect(faults).toEqual([
      'page must be at most 99 with a limit of 100 when searching by name: a search reaches 10000 subscribers. ' +
        'Give more of the name, or add email, phone or subscriberId.',
    ]);
    await session.get('/v1/subscribers?page=1000000&limit=100').expect(200);
  });
});
