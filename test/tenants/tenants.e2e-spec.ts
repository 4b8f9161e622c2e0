import { itBehavesLikeAResource } from '../harness/index.js';
import { dataOf, faultsOf, fieldsOf, type Json, pageOf } from '../support/answers.js';
import { createTenant, tenantFactory } from '../factories/tenant.factory.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

const pathOf = (tenant: Json): string => `/v1/tenants/${encodeURIComponent(String(tenant['identifier']))}`;

describe('/v1/tenants', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/tenants',
    create: createTenant,
    itemPath: pathOf,
    list: { shape: 'page' },
    remove: { path: pathOf, status: 204 },
    writes: [{ method: 'patch', path: pathOf, body: { name: 'Changed' } }],
    unknownPath: '/v1/tenants/unknown',
  });

  describe('POST', () => {
    it('should answer with every field', async () => {
      const session = await api.session();
      const response = await session
        .post('/v1/tenants', { identifier: 'acme', name: 'Acme', data: { a: 1 } })
        .expect(201);
      expect(dataOf(response)).toEqual({
        _id: expect.any(String) as string,
        id: expect.any(String) as string,
        identifier: 'acme',
        name: 'Acme',
        data: { a: 1 },
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it('should list every fault at once', async () => {
      const session = await api.session();
      const response = await session.post('/v1/tenants', { identifier: '', data: [1] }).expect(400);
      expect(faultsOf(response)).toEqual([
        'identifier must be longer than or equal to 1 characters',
        'name is required and must be a string',
        'data must be an object',
      ]);
    });

    it.each([
      ['an operator', { $gt: 1 }, 'data.$gt'],
      ['an operator deep inside', { a: { b: [{ $where: '1' }] } }, 'data.a.b.0.$where'],
    ])('should refuse %s in data with its path', async (_case, data, path) => {
      const session = await api.session();
      const response = await session.post('/v1/tenants', tenantFactory({ data })).expect(400);
      expect(faultsOf(response)).toEqual([`${path} is not allowed: keys must not begin with $`]);
    });

    it('should give data back exactly as it was sent', async () => {
      const session = await api.session();
      const data = {
        'a.b': { 'c.d': 1 },
        '': 'no name',
        empty: {},
        none: [],
        nothing: null,
        deep: [{ list: [[], {}] }],
        toString: 'text',
        hasOwnProperty: 1,
        _id: 'mine',
        isMongooseArray: true,
        then: 'now',
        toJSON: 1,
        toBSON: 2,
        length: 5,
        'Ünïcödé 🎉': '\u0000 \u2028',
        big: 1e21,
        small: -0.5,
      };
      const made = await createTenant(session, { data });
      expect(made['data']).toEqual(data);
      expect(dataOf(await session.get(pathOf(made)).expect(200))['data']).toEqual(data);
      const changed = await session.patch(pathOf(made), { data: { changed: data } }).expect(200);
      expect(dataOf(changed)['data']).toEqual({ changed: data });
    });

    it.each([['_bsontype'], ['isMongooseBuffer'], ['__proto__'], ['constructor'], ['a\u0000b']])(
      'should refuse the key %j, which the store cannot keep',
      async (key) => {
        const session = await api.session();
        const body = `{"identifier":"x","name":"x","data":{"deep":{${JSON.stringify(key)}:"ObjectId"}}}`;
        const response = await session
          .post('/v1/tenants')
          .set('Content-Type', 'application/json')
          .send(body)
          .expect(400);
        expect(faultsOf(response)[0]).toMatch(/^data\.deep/);
      },
    );

    it('should make one tenant when the same identifier comes many times at once', async () => {
      const session = await api.session();
      const body = tenantFactory();
      const answers = await Promise.all(Array.from({ length: 20 }, () => session.post('/v1/tenants', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });

    it('should let the identifier of a deleted tenant be used again', async () => {
      const session = await api.session();
      const made = await createTenant(session, { identifier: 'again' });
      await session.delete(pathOf(made)).expect(204);
      await createTenant(session, { identifier: 'again' });
    });

    it('should let two environments use the same identifier', async () => {
      const [session, sibling] = await api.siblings();
      await createTenant(session, { identifier: 'same' });
      await createTenant(sibling, { identifier: 'same' });
    });
  });

  describe('GET', () => {
    it('should list newest first', async () => {
      const session = await api.session();
      const first = await createTenant(session);
      const second = await createTenant(session);
      const rows = dataOf<Json[]>(await session.get('/v1/tenants').expect(200));
      expect(rows.map(({ _id }) => _id)).toEqual([second['_id'], first['_id']]);
    });

    it('should find identifiers with any characters', async () => {
      const session = await api.session();
      const made = await createTenant(session, { identifier: 'a/b c?d#%$gt' });
      expect(dataOf(await session.get(pathOf(made)).expect(200))['_id']).toBe(made['_id']);
    });
  });

  describe('PATCH', () => {
    it('should change what is sent and keep the rest', async () => {
      const session = await api.session();
      const made = await createTenant(session, { identifier: 'before' });
      const changed = dataOf(await session.patch(pathOf(made), { identifier: 'after', data: { b: 2 } }).expect(200));
      expect(changed).toMatchObject({ _id: made['_id'], identifier: 'after', name: made['name'], data: { b: 2 } });
      await session.get('/v1/tenants/before').expect(404);
      await session.get('/v1/tenants/after').expect(200);
    });

    it('should ignore null for what is required and remove data with it', async () => {
      const session = await api.session();
      const made = await createTenant(session);
      const changed = dataOf(
        await session.patch(pathOf(made), { identifier: null, name: null, data: null }).expect(200),
      );
      expect(changed).toMatchObject({ identifier: made['identifier'], name: made['name'] });
      expect(changed).not.toHaveProperty('data');
    });

    it('should refuse an identifier that is taken with 409', async () => {
      const session = await api.session();
      const [first, second] = [await createTenant(session), await createTenant(session)];
      const { body } = await session.patch(pathOf(second), { identifier: first['identifier'] }).expect(409);
      expect(body).toMatchObject({ code: 'tenant_already_exists' });
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: tenants', () => {
  const session = useSession(api);

  const body = { identifier: 'acme', name: 'Acme', data: { a: 1 } };
  it('should create once and show, change, clash and delete', async () => {
    await session.post('/v1/tenants', body).expect(201);
    await session.post('/v1/tenants', body).expect(409);
    expect(new Set(fieldsOf(await faultsOf(session.post('/v1/tenants', { name: 'x' }))))).toEqual(
      new Set(['identifier']),
    );
    expect(await dataOf(session.get('/v1/tenants/acme'), 200)).toMatchObject(body);
    await session.get('/v1/tenants/nobody').expect(404);
    await session.post('/v1/tenants', { ...body, identifier: 'second' }).expect(201);
    await session.patch('/v1/tenants/acme', { identifier: 'second' }).expect(409);
    const changed = await dataOf(
      session.patch('/v1/tenants/acme', { identifier: null, name: 'New', data: { b: 2 } }),
      200,
    );
    expect(changed).toMatchObject({ identifier: 'acme', name: 'New', data: { b: 2 } });
    await session.delete('/v1/tenants/acme').expect(204);
    await session.get('/v1/tenants/acme').expect(404);
  });

  it('should list newest first over three pages', async () => {
    for (let i = 0; i < 14; i++) await session.post('/v1/tenants', { identifier: `t-${i}`, name: 'x' }).expect(201);
    const pages = await Promise.all(
      [0, 1, 2].map((number) => pageOf(session.get(`/v1/tenants?page=${number}&limit=5`))),
    );
    expect(pages.map(({ hasMore, data }) => [hasMore, data.length])).toEqual([
      [true, 5],
      [true, 5],
      [false, 4],
    ]);
    expect(pages[0]?.data[0]).toMatchObject({ identifier: 't-13' });
  });
});
