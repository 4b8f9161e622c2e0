import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { dataOf, faultsOf, fieldsOf, type Json, pageOf } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createLayout, layoutFactory, layoutPath } from '../factories/layout.factory.js';
import { createWorkflow, stepFactory, stepsOf, workflowPath } from '../factories/workflow.factory.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

const read = async (session: TestSession, layout: Json): Promise<Json> =>
  dataOf(await session.get(layoutPath(layout)).expect(200));

async function defaultsOf(session: TestSession): Promise<unknown[]> {
  const rows = dataOf<Json[]>(await session.get('/v1/layouts?limit=100').expect(200));
  return rows.filter(({ isDefault }) => isDefault === true).map(({ _id }) => _id);
}

describe('/v1/layouts', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/layouts',
    create: createLayout,
    itemPath: layoutPath,
    list: { shape: 'page' },
    remove: { path: layoutPath, status: 204 },
    writes: [
      { method: 'patch', path: layoutPath, body: { name: 'Changed' } },
      { method: 'post', path: (layout) => `${layoutPath(layout)}/default` },
    ],
    unknownPath: `/v1/layouts/${UNKNOWN_ID}`,
  });

  describe('POST', () => {
    it('should answer with every field', async () => {
      const session = await api.session();
      const variables = [{ name: 'year', type: 'String', required: false, defaultValue: '2026' }];
      const made = await createLayout(session, { identifier: 'company', description: 'Logo and footer', variables });
      expect(made).toEqual({
        _id: expect.any(String) as string,
        id: made['_id'],
        name: 'Company layout',
        identifier: 'company',
        description: 'Logo and footer',
        channel: 'email',
        content: '<html><body>{{{body}}}</body></html>',
        contentType: 'customHtml',
        variables,
        isDefault: false,
        isDeleted: false,
        deleted: false,
        _creatorId: expect.any(String) as string,
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it.each([
      ['absent', undefined],
      ['null', null],
    ])(
      'should make an identifier of the name where it is %s, as published clients send it',
      async (_case, identifier) => {
        const session = await api.session();
        const layouts = [
          await createLayout(session, { identifier }),
          await createLayout(session, { identifier }),
          await createLayout(session, { identifier, name: '布局' }),
        ];
        expect(layouts.map((layout) => layout['identifier'])).toEqual([
          expect.stringMatching(/^company-layout-[0-9a-z]{10}$/),
          expect.stringMatching(/^company-layout-[0-9a-z]{10}$/),
          expect.stringMatching(/^layout-[0-9a-z]{10}$/),
        ]);
        expect(new Set(layouts.map((layout) => layout['identifier'])).size).toBe(3);
      },
    );

    it('should list every fault at once', async () => {
      const session = await api.session();
      const body = { content: 5, description: 'x'.repeat(1001), variables: [{ name: 'a b' }], isDefault: 'yes' };
      const faults = faultsOf(await session.post('/v1/layouts', body).expect(400));
      expect(new Set(fieldsOf(faults))).toEqual(
        new Set(['name', 'identifier', 'content', 'description', 'variables.0.name', 'variables.0.type', 'isDefault']),
      );
    });

    it.each([
      ['no body', '<html></html>', 'content must contain {{{body}}}'],
      ['an escaped body', '<p>{{body}}</p>', 'content must contain {{{body}}}'],
      ['a template that cannot be read', '{{{body}}}{{#if}}', 'content is not a valid template'],
    ])('should refuse content with %s', async (_case, content, fault) => {
      const session = await api.session();
      const [found] = faultsOf(await session.post('/v1/layouts', layoutFactory({ content })).expect(400));
      expect(found).toContain(fault);
    });

    it('should make one layout when the same identifier comes many times at once', async () => {
      const session = await api.session();
      const body = layoutFactory();
      const answers = await Promise.all(Array.from({ length: 10 }, () => session.post('/v1/layouts', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    });
  });

  describe('GET list', () => {
    it('should sort as asked, newest first otherwise, with a true total', async () => {
      const session = await api.session();
      for (const name of ['b', 'a', 'c']) await createLayout(session, { name });
      const names = async (query: string): Promise<unknown[]> =>
        dataOf<Json[]>(await session.get(`/v1/layouts?${query}`).expect(200)).map(({ name }) => name);
      expect(await names('')).toEqual(['c', 'a', 'b']);
      expect(await names('sortBy=name&orderBy=1')).toEqual(['a', 'b', 'c']);
      expect(await names('orderBy=1&pageSize=2')).toEqual(['b', 'a']);
      const { body } = await session.get('/v1/layouts?pageSize=2&page=1').expect(200);
      expect(body).toMatchObject({ totalCount: 3, page: 1, pageSize: 2, hasMore: false });
    });

    it.each(['sortBy=content', 'orderBy=2', 'pageSize=0', 'pageSize=101'])('should refuse ?%s', async (query) => {
      const session = await api.session();
      await session.get(`/v1/layouts?${query}`).expect(400);
    });
  });

  describe('the default', () => {
    it('should pass from one to the next, by every way', async () => {
      const session = await api.session();
      const first = await createLayout(session, { isDefault: true });
      expect(first).toMatchObject({ isDefault: true });
      const second = await createLayout(session, { isDefault: true });
      expect(await defaultsOf(session)).toEqual([second['_id']]);
      await session.post(`${layoutPath(first)}/default`).expect(204, {});
      expect(await defaultsOf(session)).toEqual([first['_id']]);
      await session.patch(layoutPath(second), { isDefault: true, name: 'Both' }).expect(200);
      expect(await defaultsOf(session)).toEqual([second['_id']]);
      expect(await read(session, second)).toMatchObject({ name: 'Both' });
    });

    it('should stay where it is when a new default is refused', async () => {
      const session = await api.session();
      const first = await createLayout(session, { isDefault: true });
      await session
        .post('/v1/layouts', layoutFactory({ identifier: first['identifier'], isDefault: true }))
        .expect(409);
      await session.post(`/v1/layouts/${UNKNOWN_ID}/default`).expect(404);
      expect(await defaultsOf(session)).toEqual([first['_id']]);
    });

    it('should be exactly one however many change it at once', async () => {
      const session = await api.session();
      const made = await Promise.all(Array.from({ length: 6 }, () => createLayout(session)));
      const answers = await Promise.all(made.map((layout) => session.post(`${layoutPath(layout)}/default`)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204]);
      expect(await defaultsOf(session)).toHaveLength(1);
    });

    it('should be neither deleted nor given up', async () => {
      const session = await api.session();
      const layout = await createLayout(session, { isDefault: true });
      for (const answer of [
        await session.delete(layoutPath(layout)).expect(409),
        await session.patch(layoutPath(layout), { isDefault: false }).expect(409),
      ]) {
        expect(answer.body).toMatchObject({ code: 'default_layout_required' });
      }
    });

    it('should be the layout of new e-mail steps that name none', async () => {
      const session = await api.session();
      const layout = await createLayout(session, { isDefault: true });
      const made = await createWorkflow(session, { steps: [stepFactory({ type: 'email' }), stepFactory()] });
      expect(stepsOf(made).map(({ template }) => (template as Json)['_layoutId'])).toEqual([layout['_id'], null]);
    });
  });

  describe('PATCH', () => {
    it('should change what is sent and keep the rest', async () => {
      const session = await api.session();
      const made = await createLayout(session, { description: 'd', variables: [{ name: 'a', type: 'String' }] });
      const changed = await session.patch(layoutPath(made), { content: '<p>{{{ body }}}</p>' }).expect(200);
      expect(dataOf(changed)).toEqual({
        ...made,
        content: '<p>{{{ body }}}</p>',
        updatedAt: expect.any(String) as string,
        __v: 1,
      });
      const nulls = dataOf(await session.patch(layoutPath(made), { description: null, variables: null }).expect(200));
      expect(nulls).toMatchObject({ variables: [] });
      expect(nulls).not.toHaveProperty('description');
    });

    it('should refuse an empty body, bad content and a taken identifier', async () => {
      const session = await api.session();
      const [first, second] = [await createLayout(session), await createLayout(session)];
      expect((await session.patch(layoutPath(first), {}).expect(400)).body).toMatchObject({
        code: 'nothing_to_update',
      });
      await session.patch(layoutPath(first), { content: 'none' }).expect(400);
      const clash = await session.patch(layoutPath(first), { identifier: second['identifier'] }).expect(409);
      expect(clash.body).toMatchObject({ code: 'layout_already_exists' });
    });
  });

  describe('If-Match', () => {
    it('should name the version in ETag, and refuse to overwrite a later one', async () => {
      const session = await api.session();
      const path = layoutPath(await createLayout(session));
      const { headers } = await session.get(path).expect(200);
      expect(headers['etag']).toBe('"0"');
      const write = (name: string, tag: string) => session.patch(path, { name }).set('If-Match', tag);
      expect((await write('Mine', '"0"').expect(200)).headers['etag']).toBe('"1"');
      const refused = await write('Theirs', '"0"').expect(412);
      expect(refused.body).toMatchObject({ code: 'layout_version_changed' });
      await write('Theirs', '"x"').expect(412);
      await write('Theirs', '"0", "7"').expect(412);
      expect(dataOf(await session.get(path))).toMatchObject({ name: 'Mine', __v: 1 });
      await write('Weak', 'W/"1"').expect(200);
      await write('Any', '*').expect(200);
      await session.patch(path, { name: 'Without' }).expect(200);
      await write('Several', '"3", "4"').expect(200);
      await session.patch(`/v1/layouts/${UNKNOWN_ID}`, { name: 'Nobody' }).set('If-Match', '"0"').expect(404);
    });

    it('should let one of many writers win', async () => {
      const session = await api.session();
      const path = layoutPath(await createLayout(session));
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => session.patch(path, { name: `Guarded ${at}` }).set('If-Match', '"0"')),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
      expect(dataOf(await session.get(path))).toMatchObject({ __v: 1 });
    });

    it('should guard the default as well, and keep the former one where it refuses', async () => {
      const session = await api.session();
      const first = await createLayout(session, { isDefault: true });
      const second = await createLayout(session);
      await session.patch(layoutPath(second), { isDefault: true }).set('If-Match', '"1"').expect(412);
      await session.patch(layoutPath(second), { isDefault: false }).set('If-Match', '"1"').expect(412);
      expect(await defaultsOf(session)).toEqual([first['_id']]);
      await session.patch(layoutPath(second), { isDefault: true }).set('If-Match', '"0"').expect(200);
      expect(await defaultsOf(session)).toEqual([second['_id']]);
      const former = await session.patch(layoutPath(first), { name: 'x' }).set('If-Match', `"${String(first['__v'])}"`);
      expect(former.status).toBe(412);
    });

    it('should notice what a file changed', async () => {
      const session = await api.session();
      const made = await createLayout(session);
      const { identifier, name } = made;
      const definition = { identifier, name, content: '<p>Pushed {{{body}}}</p>' };
      await session.put(`/v1/definitions/layouts/${String(identifier)}`, definition).expect(200);
      await session.patch(layoutPath(made), { name: 'Mine' }).set('If-Match', '"0"').expect(412);
    });
  });

  describe('DELETE', () => {
    it('should refuse while a workflow uses it', async () => {
      const session = await api.session();
      const layout = await createLayout(session);
      const steps = [stepFactory({ type: 'email', layoutId: layout['_id'] })];
      const workflow = await createWorkflow(session, { steps });
      expect((await session.delete(layoutPath(layout)).expect(409)).body).toMatchObject({ code: 'layout_in_use' });
      await session.delete(workflowPath(workflow)).expect(200);
      await session.delete(layoutPath(layout)).expect(204);
    });

    it('should free the identifier', async () => {
      const session = await api.session();
      const layout = await createLayout(session, { identifier: 'again' });
      await session.delete(layoutPath(layout)).expect(204);
      await createLayout(session, { identifier: 'again' });
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: layouts', () => {
  const session = useSession(api);

  const layout = (identifier: string, more: Json = {}): Json => ({
    name: 'Layout',
    identifier,
    content: '<p>{{{body}}}</p>',
    ...more,
  });

  it('should refuse an empty body and a content without a body, and create once', async () => {
    const faults = await faultsOf(session.post('/v1/layouts', {}));
    expect(new Set(fieldsOf(faults))).toEqual(new Set(['name', 'identifier', 'content']));
    await session.post('/v1/layouts', layout('l', { content: 'none' })).expect(400);
    await session.post('/v1/layouts', layout('l')).expect(201);
    await session.post('/v1/layouts', layout('l')).expect(409);
  });

  it('should have one default, which cannot be deleted', async () => {
    const first = await dataOf(session.post('/v1/layouts', layout('a', { isDefault: true })), 201);
    const second = await dataOf(session.post('/v1/layouts', layout('b', { isDefault: true })), 201);
    expect(await dataOf(session.get(`/v1/layouts/${String(first['_id'])}`), 200)).toMatchObject({ isDefault: false });
    await session.delete(`/v1/layouts/${String(second['_id'])}`).expect(409);
    await session.patch(`/v1/layouts/${String(second['_id'])}`, { isDefault: false }).expect(409);
    await session.delete(`/v1/layouts/${String(first['_id'])}`).expect(204);
    await session.delete(`/v1/layouts/${UNKNOWN_ID}`).expect(404);
  });

  it('should list by page and order (deviation: up to 100 a page)', async () => {
    for (const identifier of ['a', 'b', 'c']) await session.post('/v1/layouts', layout(identifier)).expect(201);
    const newest = await pageOf(session.get('/v1/layouts'));
    expect(newest).toMatchObject({ page: 0, pageSize: 10, totalCount: 3 });
    expect(newest.data.map(({ identifier }) => identifier)).toEqual(['c', 'b', 'a']);
    const oldest = await pageOf(session.get('/v1/layouts?sortBy=createdAt&orderBy=1&pageSize=2'));
    expect(oldest.data.map(({ identifier }) => identifier)).toEqual(['a', 'b']);
    expect(fieldsOf(await faultsOf(session.get('/v1/layouts?pageSize=1001')))).toEqual(['pageSize']);
  });
});
