import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

const PATH = '/v1/notification-groups';
const pathOf = ({ _id }: Json): string => `${PATH}/${String(_id)}`;

async function createGroup(session: TestSession, name = 'Billing'): Promise<Json> {
  return dataOf(await session.post(PATH, { name }).expect(201));
}

describe(PATH, () => {
  itBehavesLikeAResource({
    api: () => api,
    path: PATH,
    create: (session) => createGroup(session),
    itemPath: pathOf,
    list: { shape: 'array' },
    remove: { path: pathOf, status: 200 },
    writes: [{ method: 'patch', path: pathOf, body: { name: 'Changed' } }],
    unknownPath: `${PATH}/${UNKNOWN_ID}`,
  });

  it('should start with one group named General, before those that are made later', async () => {
    const session = await api.session();
    await createGroup(session);
    await createGroup(session);
    const rows = dataOf<Json[]>(await session.get(PATH).expect(200));
    expect(rows.map(({ name }) => name)).toEqual(['General', 'Billing', 'Billing']);
  });

  it('should answer a deletion as clients expect it', async () => {
    const session = await api.session();
    const { body } = await session.delete(pathOf(await createGroup(session))).expect(200);
    expect(body).toEqual({ data: { acknowledged: true, status: 'deleted' } });
  });

  it('should rename', async () => {
    const session = await api.session();
    const made = await createGroup(session);
    const changed = dataOf(await session.patch(pathOf(made), { name: 'Orders' }).expect(200));
    expect(changed).toEqual({ ...made, name: 'Orders', updatedAt: expect.any(String) as string });
  });

  it('should keep description and order until they are changed, or removed by null', async () => {
    const session = await api.session();
    const said = { description: 'Invoices and payments', order: 2 };
    const made = await dataOf(session.post(PATH, { name: 'Billing', ...said }), 201);
    const change = async (body: Json): Promise<Json> =>
      dataOf(session.patch(pathOf(made), { name: 'Billing', ...body }), 200);
    expect(made).toMatchObject(said);
    expect(await change({})).toMatchObject(said);
    expect(await change({ order: 0 })).toMatchObject({ ...said, order: 0 });
    const bare = await change({ order: null, description: null });
    expect([bare['order'], bare['description']]).toEqual([undefined, undefined]);
    expect(await dataOf(session.get(pathOf(made)), 200)).toEqual(bare);
  });

  it.each([
    [{ order: -1 }, 'order must not be less than 0'],
    [{ order: 1.5 }, 'order must be an integer number'],
    [{ order: '1' }, 'order must be an integer number'],
    [{ order: 1e9 }, 'order must not be greater than 1000000'],
    [{ description: 5 }, 'description must be a string'],
    [{ description: 'x'.repeat(1001) }, 'description must be shorter than or equal to 1000 characters'],
  ])('should refuse %j', async (more, fault) => {
    const session = await api.session();
    const path = pathOf(await createGroup(session));
    const body = { name: 'Billing', ...more };
    expect(await faultsOf(session.post(PATH, body))).toContain(fault);
    expect(await faultsOf(session.patch(path, body))).toContain(fault);
    expect(await faultsOf(session.put('/v1/definitions/notification-groups/Billing', body))).toContain(fault);
  });

  it.each([[{}], [{ name: '' }], [{ name: null }], [{ name: ['x'] }], [{ name: 'x'.repeat(256) }]])(
    'should refuse %j',
    async (body) => {
      const session = await api.session();
      const made = await createGroup(session);
      for (const response of [await session.post(PATH, body), await session.patch(pathOf(made), body)]) {
        expect(response.status).toBe(400);
        expect(faultsOf(response)[0]).toMatch(
          Object.keys(body).length === 0 ? /^name is required and must/ : /^name must/,
        );
      }
    },
  );

  it('should refuse an id that is none with 400', async () => {
    const session = await api.session();
    await session.get(`${PATH}/none`).expect(400);
    await session.patch(`${PATH}/none`, { name: 'x' }).expect(400);
    await session.delete(`${PATH}/none`).expect(400);
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: notification groups', () => {
  const session = useSession(api);

  it('should create, list, show, rename and delete', async () => {
    const made = await dataOf(session.post('/v1/notification-groups', { name: 'Test' }), 201);
    await session.post('/v1/notification-groups', { name: 'Test' }).expect(201);
    expect(made).toMatchObject({ name: 'Test', _environmentId: session.environmentId });
    expect(await dataOf(session.get('/v1/notification-groups'), 200)).toHaveLength(3);
    const path = `/v1/notification-groups/${String(made['id'])}`;
    expect(await dataOf(session.get(path), 200)).toMatchObject({ _id: made['_id'] });
    expect(await dataOf(session.patch(path, { name: 'New' }), 200)).toMatchObject({ name: 'New' });
    expect(await dataOf(session.delete(path), 200)).toEqual({ acknowledged: true, status: 'deleted' });
    for (const call of [session.get(path), session.patch(path, { name: 'x' }), session.delete(path)]) {
      expect(await codeOf(call, 404)).toBe('notification_group_not_found');
    }
  });
});
