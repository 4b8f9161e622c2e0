import { itBehavesLikeAResource, type TestApp, type TestSession } from '#libs/testing';
import { dataOf, faultsOf, type Json } from './factories/bodies.js';
import { UNKNOWN_ID } from './factories/ids.js';
import {
  createWorkflow,
  generalGroupId,
  identifierOf,
  stepFactory,
  stepsOf,
  workflowPath,
} from './factories/workflow.factory.js';
import { startTestApi } from './support/test-api.js';

let api: TestApp;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const anyId = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
const anyText = expect.any(String) as string;

describe('/v1/workflows', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/workflows',
    create: createWorkflow,
    itemPath: workflowPath,
    list: { shape: 'page' },
    remove: { path: workflowPath, status: 200 },
    writes: [
      { method: 'put', path: workflowPath, body: { name: 'Changed' } },
      { method: 'put', path: (workflow) => `${workflowPath(workflow)}/status`, body: { active: true } },
    ],
    unknownPath: `/v1/workflows/${UNKNOWN_ID}`,
  });

  describe('POST', () => {
    it('should answer with every field of the interface', async () => {
      const session = await api.session();
      const notificationGroupId = await generalGroupId(session);
      const made = await createWorkflow(session, {
        name: 'Full One',
        description: 'All of it',
        tags: ['a', 'b'],
        active: true,
        critical: true,
        preferenceSettings: { sms: false },
        data: { 'a.b': [{}] },
        steps: [stepFactory({}, { uuid: 'first', replyCallback: { active: true, url: 'https://x.example/r' } })],
      });
      expect(made).toEqual({
        _id: anyId,
        id: made['_id'],
        name: 'Full One',
        description: 'All of it',
        active: true,
        draft: false,
        critical: true,
        type: 'REGULAR',
        origin: 'novu-cloud',
        isBlueprint: false,
        preferenceSettings: { email: true, sms: false, in_app: true, chat: true, push: true },
        tags: ['a', 'b'],
        data: { 'a.b': [{}] },
        steps: [
          {
            _id: anyId,
            id: anyId,
            _templateId: stepsOf(made)[0]?.['_id'],
            uuid: 'first',
            name: 'Tell them',
            active: true,
            shouldStopOnFail: false,
            filters: [],
            _parentId: null,
            metadata: { timed: { weekDays: [], monthDays: [] } },
            replyCallback: { active: true, url: 'https://x.example/r' },
            variants: [],
            template: {
              _id: stepsOf(made)[0]?.['_id'],
              id: stepsOf(made)[0]?.['_id'],
              type: 'in_app',
              active: true,
              content: 'Hello {{name}}',
              variables: [],
              _feedId: null,
              _layoutId: null,
              _environmentId: session.environmentId,
              _organizationId: session.organizationId,
              _creatorId: made['_creatorId'],
              deleted: false,
              createdAt: anyText,
              updatedAt: anyText,
              __v: 0,
            },
          },
        ],
        triggers: [
          {
            type: 'event',
            identifier: 'full-one',
            variables: [{ name: 'name', type: 'String' }],
            reservedVariables: [],
            subscriberVariables: [],
          },
        ],
        notificationGroup: expect.objectContaining({ _id: notificationGroupId, name: 'General' }) as object,
        workflowIntegrationStatus: expect.objectContaining({ hasActiveIntegrations: true }) as object,
        _notificationGroupId: notificationGroupId,
        _creatorId: anyId,
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        deleted: false,
        createdAt: anyText,
        updatedAt: anyText,
        __v: 0,
      });
    });

    it('should start inactive, as a draft, with all channels on and no steps needed', async () => {
      const made = await createWorkflow(await api.session(), { steps: [] });
      expect(made).toMatchObject({ active: false, draft: true, critical: false, tags: [], steps: [] });
      expect(made['preferenceSettings']).toEqual({ email: true, sms: true, in_app: true, chat: true, push: true });
    });

    it('should take draft as it is given', async () => {
      expect(await createWorkflow(await api.session(), { active: true, draft: true })).toMatchObject({ draft: true });
    });

    it('should take null for everything optional as not given', async () => {
      const made = await createWorkflow(await api.session(), {
        notificationGroup: null,
        tags: null,
        description: null,
        active: null,
        draft: null,
        critical: null,
        preferenceSettings: null,
        blueprintId: null,
        data: null,
      });
      expect(made).toMatchObject({ tags: [], active: false, draft: true, critical: false });
      expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['description']));
      expect(made).not.toHaveProperty('data');
    });

    it('should chain steps and variants by _parentId, each with its template', async () => {
      const filters = [{ value: 'AND', children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }] }];
      const variant = (content: string): Json => stepFactory({ content }, { filters });
      const made = await createWorkflow(await api.session(), {
        steps: [stepFactory({}, { variants: [variant('v1'), variant('v2')] }), stepFactory({ content: 'second' })],
      });
      const [first, second] = stepsOf(made) as [Json, Json];
      const [one, two] = first['variants'] as [Json, Json];
      expect(second['_parentId']).toBe(first['_id']);
      expect([first['_parentId'], one['_parentId'], two['_parentId']]).toEqual([null, null, one['_id']]);
      expect((one['template'] as Json)['_id']).toBe(one['_id']);
      expect(one).toMatchObject({ filters, template: { content: 'v1' }, uuid: anyText });
    });

    it("should keep what templates have of the client's own exactly as it was sent", async () => {
      const extra = { 'a.b': null, list: [{}], toString: 'x' };
      const made = await createWorkflow(await api.session(), { steps: [stepFactory({ extra, none: null })] });
      expect(stepsOf(made)[0]?.['template']).toMatchObject({ extra, none: null });
    });

    it('should give the second of a name a suffix, and a name without letters of its own a short id', async () => {
      const session = await api.session();
      const identifiers: string[] = [];
      for (const name of ['test', 'test', '通知', 'variables', 'DEADBEEFdeadbeefdeadbeef']) {
        identifiers.push(identifierOf(await createWorkflow(session, { name })));
      }
      expect(identifiers).toEqual([
        'test',
        expect.stringMatching(/^test-[a-z0-9]{8}$/),
        expect.stringMatching(/^[a-z0-9]{8}$/),
        expect.stringMatching(/^variables-[a-z0-9]{8}$/),
        expect.stringMatching(/^deadbeefdeadbeefdeadbeef-[a-z0-9]{8}$/),
      ]);
    });

    it('should give twenty workflows of one name at the same time twenty identifiers', async () => {
      const session = await api.session();
      const made = await Promise.all(Array.from({ length: 20 }, () => createWorkflow(session, { name: 'Race' })));
      expect(new Set(made.map(identifierOf)).size).toBe(20);
      expect(made.filter((workflow) => identifierOf(workflow) === 'race')).toHaveLength(1);
    });

    it('should find the variables that a trigger has to bring', async () => {
      const made = await createWorkflow(await api.session(), {
        steps: [
          stepFactory(
            { type: 'digest', content: undefined },
            { metadata: { type: 'regular', amount: 1, unit: 'days', digestKey: 'order.id' } },
          ),
          stepFactory({
            type: 'email',
            subject: '{{subject}}',
            content: 'Dear {{tenant.name}} {{subscriber.firstName}}',
          }),
          stepFactory(
            { type: 'sms', content: 'x' },
            { filters: [{ children: [{ on: 'payload', field: 'urgent', operator: 'EQUAL', value: true }] }] },
          ),
        ],
      });
      expect(made['triggers']).toEqual([
        {
          type: 'event',
          identifier: anyText,
          variables: expect.arrayContaining([
            { name: 'order.id', type: 'String' },
            { name: 'urgent', type: 'String' },
          ]) as unknown,
          reservedVariables: [{ type: 'tenant', variables: [{ name: 'identifier', type: 'String' }] }],
          subscriberVariables: [{ name: 'phone' }, { name: 'email' }],
        },
      ]);
    });

    it('should answer 404 for a group that this environment does not have', async () => {
      const [session, sibling] = await api.siblings();
      const body = { name: 'x', steps: [] };
      await session.post('/v1/workflows', { ...body, notificationGroupId: UNKNOWN_ID }).expect(404);
      const foreign = await session.post('/v1/workflows', {
        ...body,
        notificationGroupId: await generalGroupId(sibling),
      });
      expect(foreign.body).toMatchObject({ statusCode: 404, code: 'notification_group_not_found' });
    });

    it('should list every fault of the body at once', async () => {
      const session = await api.session();
      const response = await session
        .post('/v1/workflows', {
          notificationGroupId: 'x',
          description: 'x'.repeat(1001),
          tags: [1],
          active: 'yes',
          critical: 1,
          preferenceSettings: { email: 'no' },
          data: 'text',
          steps: [
            stepFactory({ type: 'carrier-pigeon' }),
            stepFactory({ content: '{{#if}}' }, { active: 1, uuid: 5 }),
            { template: { type: 'delay' }, metadata: { type: 'regular', amount: -1, unit: 'years' } },
            { name: 'no template' },
            stepFactory({}, { filters: [{ children: [{ on: 'nobody' }] }], variants: [stepFactory()] }),
            null,
          ],
        })
        .expect(400);
      const paths = faultsOf(response).map((fault) => fault.split(' ')[0]);
      expect(new Set(paths)).toEqual(
        new Set([
          'name',
          'notificationGroupId',
          'description',
          'tags.0',
          'active',
          'critical',
          'preferenceSettings.email',
          'data',
          'steps.0.template.type',
          'steps.1.template.content',
          'steps.1.active',
          'steps.1.uuid',
          'steps.2.metadata.amount',
          'steps.2.metadata.unit',
          'steps.3.template',
          'steps.4.filters.0.children.0.on',
          'steps.4.variants.0.filters',
          'steps.5',
        ]),
      );
    });

    it.each([
      ['no steps', undefined],
      ['null', null],
      ['an object', { 0: {} }],
      ['a text', 'steps'],
      ['more than 200 steps', Array.from({ length: 201 }, () => stepFactory())],
    ])('should refuse %s as steps', async (_case, steps) => {
      const session = await api.session();
      const notificationGroupId = await generalGroupId(session);
      const response = await session.post('/v1/workflows', { name: 'x', notificationGroupId, steps }).expect(400);
      expect(faultsOf(response)[0]).toMatch(/^steps must/);
    });

    it('should take 200 steps', async () => {
      const made = await createWorkflow(await api.session(), {
        steps: Array.from({ length: 200 }, () => stepFactory()),
      });
      expect(stepsOf(made)).toHaveLength(200);
    });

    it('should refuse feeds and layouts that this environment does not have, each with its path', async () => {
      const [session, sibling] = await api.siblings();
      const foreign = dataOf(await sibling.post('/v1/feeds', { name: 'Foreign' }).expect(201))['_id'];
      const response = await session
        .post('/v1/workflows', {
          name: 'x',
          notificationGroupId: await generalGroupId(session),
          steps: [
            stepFactory(),
            stepFactory({ feedId: foreign }),
            stepFactory({ type: 'email', layoutId: UNKNOWN_ID }),
          ],
        })
        .expect(400);
      expect(faultsOf(response)).toEqual([
        'steps.1.template.feedId must be the id of a feed of this environment',
        'steps.2.template.layoutId must be the id of a layout of this environment',
      ]);
      const { totalCount } = (await session.get('/v1/workflows').expect(200)).body as { totalCount: number };
      expect(totalCount).toBe(0);
    });

    it('should refuse what is too large for one record with 413', async () => {
      const session = await api.session();
      const steps = Array.from({ length: 32 }, () => stepFactory({ type: 'sms', extra: 'x'.repeat(500_000) }));
      const notificationGroupId = await generalGroupId(session);
      const { body } = await session.post('/v1/workflows', { name: 'x', notificationGroupId, steps }).expect(413);
      expect(body).toMatchObject({ code: 'workflow_too_large' });
    });

    describe('when made from a blueprint', () => {
      it('should find or make the group by its name, and drop feeds', async () => {
        const session = await api.session();
        const blueprint = {
          blueprintId: 'welcome',
          notificationGroup: { name: 'New group' },
          notificationGroupId: UNKNOWN_ID,
          data: { kept: true },
          steps: [stepFactory({ feedId: UNKNOWN_ID })],
        };
        const made = await Promise.all(Array.from({ length: 5 }, () => createWorkflow(session, blueprint)));
        expect(new Set(made.map((workflow) => workflow['_notificationGroupId'])).size).toBe(1);
        expect(made[0]).toMatchObject({
          blueprintId: 'welcome',
          isBlueprint: false,
          data: { kept: true },
          notificationGroup: { name: 'New group' },
        });
        expect(stepsOf(made[0] ?? {})[0]?.['template']).toMatchObject({ _feedId: null });
      });

      it('should ask for the name of the group', async () => {
        const session = await api.session();
        const body = { name: 'x', steps: [], blueprintId: 'welcome', notificationGroupId: UNKNOWN_ID };
        const response = await session.post('/v1/workflows', { ...body, notificationGroup: {} }).expect(400);
        expect(faultsOf(response)[0]).toMatch(/^notificationGroup\.name must/);
        await session.post('/v1/workflows', body).expect(400);
      });
    });
  });

  describe('GET list', () => {
    it('should show light steps, newest first, with a true total', async () => {
      const session = await api.session();
      for (const name of ['One', 'Two', 'Three']) await createWorkflow(session, { name });
      const { body } = await session.get('/v1/workflows?limit=2').expect(200);
      expect(body).toMatchObject({ totalCount: 3, hasMore: true, page: 0, pageSize: 2 });
      const rows = dataOf<Json[]>({ body });
      expect(rows.map(({ name }) => name)).toEqual(['Three', 'Two']);
      const [step] = stepsOf(rows[0] ?? {});
      expect(step).not.toHaveProperty('variants');
      expect(step?.['template']).toEqual({ _id: step?.['_id'], type: 'in_app' });
      expect(rows[0]).toMatchObject({ notificationGroup: { name: 'General' }, workflowIntegrationStatus: {} });
    });

    it.each([
      ['part of a name in any case', 'SHIP', 1],
      ['part of an identifier', 'der-ship', 1],
      ['characters that mean something in a pattern', '.*', 0],
      ['a bracket', '(', 1],
      ['nothing', '', 2],
    ])('should find by %s', async (_case, query, found) => {
      const session = await api.session();
      await createWorkflow(session, { name: 'Order shipped' });
      await createWorkflow(session, { name: 'Welcome (new)' });
      const { body } = await session.get(`/v1/workflows?query=${encodeURIComponent(query)}`).expect(200);
      expect(body).toMatchObject({ totalCount: found });
      expect(dataOf<Json[]>({ body })).toHaveLength(found);
    });

    it('should refuse a query that is no text', async () => {
      const session = await api.session();
      await session.get('/v1/workflows?query[$ne]=x').expect(400);
    });
  });

  describe('GET', () => {
    it('should find by trigger identifier as by id', async () => {
      const session = await api.session();
      const made = await createWorkflow(session);
      expect(dataOf(await session.get(`/v1/workflows/${identifierOf(made)}`).expect(200))).toEqual(made);
    });

    it('should list the variables that every template has', async () => {
      const session = await api.session();
      const variables = dataOf(await session.get('/v1/workflows/variables').expect(200));
      expect(variables).toMatchObject({ translations: {}, system: { subscriber: { firstName: 'string' } } });
    });

    it('should answer under the older name of the resource as well', async () => {
      const session = await api.session();
      const made = await createWorkflow(session);
      const path = `/v1/notification-templates/${String(made['_id'])}`;
      expect(dataOf(await session.get(path).expect(200))).toEqual(made);
      await session.put(path, { name: 'Renamed' }).expect(200);
      await session.delete(path).expect(200);
      await session.get(workflowPath(made)).expect(404);
    });
  });

  describe('PUT', () => {
    it('should keep what is absent and count the change', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { description: 'Stays', data: { a: 1 }, tags: ['t'] });
      const changed = dataOf(await session.put(workflowPath(made), { name: 'New name' }).expect(200));
      expect(changed).toEqual({
        ...made,
        name: 'New name',
        updatedAt: anyText,
        __v: 1,
        steps: expect.any(Array) as unknown,
      });
      expect(identifierOf(changed)).toBe(identifierOf(made));
    });

    it('should merge the switches of channels', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { preferenceSettings: { sms: false } });
      await session.put(workflowPath(made), { preferenceSettings: { email: false } }).expect(200);
      const changed = await session
        .put(workflowPath(made), { preferenceSettings: { sms: null, push: false } })
        .expect(200);
      expect(dataOf(changed)['preferenceSettings']).toEqual({
        email: false,
        sms: true,
        in_app: true,
        chat: true,
        push: false,
      });
    });

    it('should remove with null what can be absent', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { description: 'd', data: {}, tags: ['t'], critical: true });
      const nulls = {
        name: null,
        notificationGroupId: null,
        description: null,
        data: null,
        tags: null,
        critical: null,
      };
      const changed = dataOf(await session.put(workflowPath(made), nulls).expect(200));
      expect(changed).toMatchObject({ name: made['name'], tags: [], critical: false });
      expect(changed).not.toHaveProperty('description');
      expect(changed).not.toHaveProperty('data');
    });

    it('should replace the steps and keep the ids of those that name one', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, {
        steps: ['a', 'b', 'c', 'd'].map((uuid) => stepFactory({ content: `{{${uuid}}}` }, { uuid })),
      });
      const [a, b, c] = stepsOf(made) as [Json, Json, Json];
      const sent = [
        stepFactory({ content: '{{new}}' }),
        { ...c, template: { type: 'in_app', content: '{{c2}}' } },
        { template: { type: 'in_app' }, _templateId: b['_id'] },
        { template: { type: 'in_app', content: '{{a2}}' }, uuid: 'a', active: false },
      ];
      const changed = dataOf(await session.put(workflowPath(made), { steps: sent }).expect(200));
      const steps = stepsOf(changed);
      expect(steps.map(({ _id }) => _id)).toEqual([anyId, c['_id'], b['_id'], a['_id']]);
      expect(stepsOf(made).map(({ _id }) => _id)).not.toContain(steps[0]?.['_id']);
      expect(steps.map(({ _parentId }) => _parentId)).toEqual([null, ...steps.slice(0, 3).map(({ _id }) => _id)]);
      expect(steps[2]).toMatchObject({ uuid: 'b', template: { content: '{{b}}' } });
      expect(steps[3]).toMatchObject({ active: false });
      const [trigger] = changed['triggers'] as { variables: { name: string }[] }[];
      expect(trigger?.variables.map(({ name }) => name)).toEqual(['new', 'c2', 'b', 'a2']);
    });

    it('should take back what it answered', async () => {
      const session = await api.session();
      const feed = dataOf(await session.post('/v1/feeds', { name: 'News' }).expect(201))['_id'];
      const filters = [{ value: 'AND', children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }] }];
      const made = await createWorkflow(session, {
        steps: [
          stepFactory(
            { type: 'digest', content: undefined },
            { metadata: { type: 'regular', amount: 1, unit: 'days' } },
          ),
          stepFactory(
            { feedId: feed, cta: { type: 'redirect', data: { url: '/x' } } },
            { filters, variants: [stepFactory({}, { filters })] },
          ),
        ],
      });
      const changed = dataOf(await session.put(workflowPath(made), made).expect(200));
      const plain = (workflow: Json): unknown =>
        JSON.parse(JSON.stringify(workflow, (key, value: unknown) => (['updatedAt', '__v'].includes(key) ? 0 : value)));
      expect(plain(changed)).toEqual(plain(made));
    });

    it('should take a new identifier as it is, and refuse one that is taken with 409', async () => {
      const session = await api.session();
      const first = await createWorkflow(session, { name: 'First' });
      const second = await createWorkflow(session, { name: 'Second' });
      const changed = dataOf(await session.put(workflowPath(first), { identifier: 'My_Own.Id' }).expect(200));
      expect(identifierOf(changed)).toBe('My_Own.Id');
      const { body } = await session.put(workflowPath(second), { identifier: 'My_Own.Id' }).expect(409);
      expect(body).toMatchObject({ code: 'workflow_identifier_taken' });
      await session.get('/v1/workflows/first').expect(404);
    });

    it('should let one of many win a free identifier', async () => {
      const session = await api.session();
      const made = await Promise.all(Array.from({ length: 10 }, () => createWorkflow(session)));
      const answers = await Promise.all(made.map((each) => session.put(workflowPath(each), { identifier: 'mine' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('should lose no change of steps that came at the same time as others', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { steps: [stepFactory({}, { uuid: 'kept' })] });
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          session.put(workflowPath(made), { steps: [stepFactory({ content: `v${index}` }, { uuid: 'kept' })] }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const read = dataOf(await session.get(workflowPath(made)).expect(200));
      expect(read['__v']).toBe(5);
      expect(stepsOf(read)[0]?.['_id']).toBe(stepsOf(made)[0]?.['_id']);
    });

    it.each([
      ['an empty body', {}],
      ['unknown fields only', { active: true, colour: 'red' }],
    ])('should refuse %s', async (_case, body) => {
      const session = await api.session();
      const made = await createWorkflow(session);
      const response = await session.put(workflowPath(made), body).expect(400);
      expect(response.body).toMatchObject({ code: 'nothing_to_update' });
    });

    it('should list every fault at once and change nothing', async () => {
      const session = await api.session();
      const made = await createWorkflow(session);
      const response = await session
        .put(workflowPath(made), { name: 5, description: 'x'.repeat(1001), steps: [{}, { template: { type: 'x' } }] })
        .expect(400);
      expect(faultsOf(response).map((fault) => fault.split(' ')[0])).toEqual(
        expect.arrayContaining(['name', 'description', 'steps.0.template', 'steps.1.template.type']),
      );
      expect(dataOf(await session.get(workflowPath(made)).expect(200))).toEqual(made);
    });

    it('should answer 404 for unknown groups and 400 for ids that are none', async () => {
      const session = await api.session();
      const made = await createWorkflow(session);
      await session.put(workflowPath(made), { notificationGroupId: UNKNOWN_ID }).expect(404);
      await session.put(workflowPath(made), { notificationGroupId: 'x' }).expect(400);
      await session.put(`/v1/workflows/${identifierOf(made)}`, { name: 'x' }).expect(400);
      await session.put(`/v1/workflows/${UNKNOWN_ID}`, { name: 'x' }).expect(404);
    });
  });

  describe('PUT status', () => {
    it('should switch on and off, as often as asked', async () => {
      const session = await api.session();
      const path = `${workflowPath(await createWorkflow(session))}/status`;
      expect(dataOf(await session.put(path, { active: true }).expect(200))).toMatchObject({
        active: true,
        draft: false,
      });
      expect(dataOf(await session.put(path, { active: true }).expect(200))).toMatchObject({ active: true });
      expect(dataOf(await session.put(path, { active: false }).expect(200))).toMatchObject({
        active: false,
        draft: true,
      });
    });

    it.each([[{}], [{ active: null }], [{ active: 'true' }], [{ active: 1 }]])('should refuse %j', async (body) => {
      const session = await api.session();
      const path = `${workflowPath(await createWorkflow(session))}/status`;
      expect(faultsOf(await session.put(path, body).expect(400))).toEqual(['active must be a boolean value']);
    });
  });

  describe('DELETE', () => {
    it('should answer true and free the trigger identifier', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { name: 'Free' });
      expect((await session.delete(workflowPath(made)).expect(200)).body).toEqual({ data: true });
      expect(identifierOf(await createWorkflow(session, { name: 'Free' }))).toBe('free');
    });

    it('should refuse an id that is none with 400', async () => {
      const session = await api.session();
      await session.delete('/v1/workflows/none').expect(400);
    });
  });

  describe('workflowIntegrationStatus', () => {
    const statusOf = async (session: TestSession, workflow: Json): Promise<unknown> =>
      dataOf(await session.get(workflowPath(workflow)).expect(200))['workflowIntegrationStatus'];

    it('should say whether the channels of the steps have what they need', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, {
        steps: [
          stepFactory(),
          stepFactory({ type: 'email', subject: 's' }),
          stepFactory({ type: 'delay' }, { metadata: { type: 'regular', amount: 1, unit: 'hours' } }),
        ],
      });
      expect(made['workflowIntegrationStatus']).toEqual({
        hasActiveIntegrations: false,
        hasPrimaryIntegrations: false,
        channels: {
          in_app: { hasActiveIntegrations: true },
          email: { hasActiveIntegrations: false, hasPrimaryIntegrations: false },
          sms: { hasActiveIntegrations: false, hasPrimaryIntegrations: false },
          chat: { hasActiveIntegrations: false },
          push: { hasActiveIntegrations: false },
        },
      });
      const credentials = { apiKey: 'key', from: 'a@b.example', senderName: 'A' };
      await session
        .post('/v1/integrations', { providerId: 'sendgrid', channel: 'email', active: true, credentials })
        .expect(201);
      const status = await statusOf(session, made);
      expect(status).toMatchObject({
        hasActiveIntegrations: true,
        channels: { email: { hasActiveIntegrations: true, hasPrimaryIntegrations: true } },
      });
      expect(status).not.toHaveProperty('hasPrimaryIntegrations');
    });
  });

  describe('what workflows use', () => {
    it('should keep feeds that a step or variant uses until the workflow is gone', async () => {
      const session = await api.session();
      const [inStep, inVariant] = await Promise.all(
        ['step', 'variant'].map(async (name) => dataOf(await session.post('/v1/feeds', { name }).expect(201))),
      );
      const filters = [{ children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }] }];
      const variants = [stepFactory({ feedId: inVariant?.['_id'] }, { filters })];
      const made = await createWorkflow(session, { steps: [stepFactory({ feedId: inStep?.['_id'] }, { variants })] });
      for (const feed of [inStep, inVariant]) {
        const { body } = await session.delete(`/v1/feeds/${String(feed?.['_id'])}`).expect(409);
        expect(body).toMatchObject({ code: 'feed_in_use' });
      }
      await session.delete(workflowPath(made)).expect(200);
      await session.delete(`/v1/feeds/${String(inStep?.['_id'])}`).expect(200);
    });

    it('should keep a group that has a workflow', async () => {
      const session = await api.session();
      const made = await createWorkflow(session);
      const path = `/v1/notification-groups/${String(made['_notificationGroupId'])}`;
      expect((await session.delete(path).expect(409)).body).toMatchObject({ code: 'notification_group_in_use' });
      await session.delete(workflowPath(made)).expect(200);
      await session.delete(path).expect(200);
    });
  });
});
