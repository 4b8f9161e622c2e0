import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createWorkflow, generalGroupId, identifierOf, stepFactory, stepsOf } from '../factories/workflow.factory.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

const anyId = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
const anyText = expect.any(String) as string;

describe('POST /v1/workflows', () => {
  it.each(['workflows', 'notification-templates'])('should tell of a name that is there, at /v1/%s', async (path) => {
    const session = await api.session();
    const body = { name: 'Order shipped', steps: [], notificationGroupId: await generalGroupId(session) };
    const first = await session.post(`/v1/${path}`, body).expect(201);
    expect(first.headers).not.toHaveProperty('herald-warning');
    const second = await session.post(`/v1/${path}`, body).expect(201);
    const identifier = identifierOf(second.body.data as Json);
    expect(identifier).toMatch(/^order-shipped-\w{8}$/);
    expect(second.headers['herald-warning']).toBe(
      `another workflow has the identifier order-shipped. Trigger the new one as ${identifier}`,
    );
  });

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
          metadata: {},
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
    expect([first, one].filter((step) => '_parentId' in step)).toEqual([]);
    expect(two['_parentId']).toBe(one['_id']);
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
  describe('when it names no notification group', () => {
    const groupOf = (made: Json): unknown => made['_notificationGroupId'];

    it.each([undefined, null])(
      'should take the oldest group of the environment for %j',
      async (notificationGroupId) => {
        const session = await api.session();
        await session.post('/v1/notification-groups', { name: 'Billing' }).expect(201);
        const made = await createWorkflow(session, { notificationGroupId });
        expect(groupOf(made)).toBe(await generalGroupId(session));
      },
    );

    it('should take the only group that is left', async () => {
      const session = await api.session();
      const billing = dataOf<Json>(await session.post('/v1/notification-groups', { name: 'Billing' }).expect(201));
      await session.delete(`/v1/notification-groups/${await generalGroupId(session)}`).expect(200);
      const body = { name: 'Order shipped', steps: [stepFactory()] };
      expect(groupOf(dataOf<Json>(await session.post('/v1/workflows', body).expect(201)))).toBe(billing['_id']);
    });

    it('should create one group if all were deleted, also for workflows created at the same time', async () => {
      const session = await api.session();
      await session.delete(`/v1/notification-groups/${await generalGroupId(session)}`).expect(200);
      const create = async (name: string): Promise<Json> =>
        dataOf<Json>(await session.post('/v1/workflows', { name, steps: [stepFactory()] }).expect(201));
      const made = await Promise.all(['One', 'Two', 'Three'].map(create));
      expect(new Set(made.map(groupOf)).size).toBe(1);
      expect(dataOf<Json[]>(await session.get('/v1/notification-groups').expect(200))).toMatchObject([
        { name: 'General', _id: groupOf(made[0] ?? {}) },
      ]);
    });

    it('should refuse an id that is none', async () => {
      const session = await api.session();
      const body = { name: 'x', steps: [], notificationGroupId: '' };
      expect(faultsOf(await session.post('/v1/workflows', body).expect(400))).toEqual([
        'notificationGroupId must be the id of a notification group; GET /v1/notification-groups lists them',
      ]);
    });
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

    it('should take an empty blueprint for none', async () => {
      const session = await api.session();
      const made = await createWorkflow(session, { blueprintId: '', notificationGroup: null });
      expect(made['blueprintId']).toBeUndefined();
    });
  });
});
