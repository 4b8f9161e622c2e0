import { dataOf, faultsOf, fieldsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createWorkflow, identifierOf, stepFactory, stepsOf, workflowPath } from '../factories/workflow.factory.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

/** The older path, whose updates name only what changes. */
const templatePath = (workflow: Json): string => `/v1/notification-templates/${String(workflow['_id'])}`;
const anyId = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
const anyText = expect.any(String) as string;

describe('PUT /v1/workflows', () => {
  it('should keep a name and a group that are absent, and the name for an empty one', async () => {
    const session = await api.session();
    const made = await createWorkflow(session, { description: 'Stays' });
    const { name, _notificationGroupId: notificationGroupId } = made;
    const described = dataOf(await session.put(workflowPath(made), { description: 'New' }).expect(200));
    expect(described).toMatchObject({ name, _notificationGroupId: notificationGroupId, description: 'New' });
    const tagged = await session.put(workflowPath(made), { name: '', tags: ['t'] }).expect(200);
    expect(dataOf(tagged)).toMatchObject({ name, tags: ['t'] });
    const untouched = await session.put(workflowPath(made), { name: '' }).expect(200);
    expect(dataOf(untouched)).toEqual(dataOf(tagged));
    const changed = await session.put(workflowPath(made), { name: 'Other', notificationGroupId }).expect(200);
    expect(dataOf(changed)).toMatchObject({ name: 'Other', description: 'New' });
  });

  it('should still refuse values of a wrong type, blank names and a body without anything', async () => {
    const session = await api.session();
    const made = await createWorkflow(session);
    const refused = await session.put(workflowPath(made), { name: 5, notificationGroupId: 'x' }).expect(400);
    expect(new Set(fieldsOf(faultsOf(refused)))).toEqual(new Set(['name', 'notificationGroupId']));
    expect(faultsOf(await session.put(workflowPath(made), { name: ' ' }).expect(400))).toEqual([
      'name must not be blank',
    ]);
    await session.put(workflowPath(made), {}).expect(400);
    await session.put(workflowPath(made), { name: null }).expect(400);
  });
});

describe('PUT /v1/notification-templates', () => {
  it('should keep what is absent and count the change', async () => {
    const session = await api.session();
    const made = await createWorkflow(session, { description: 'Stays', data: { a: 1 }, tags: ['t'] });
    const changed = dataOf(await session.put(templatePath(made), { name: 'New name' }).expect(200));
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
    await session.put(templatePath(made), { preferenceSettings: { email: false } }).expect(200);
    const changed = await session
      .put(templatePath(made), { preferenceSettings: { sms: null, push: false } })
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
    const changed = dataOf(await session.put(templatePath(made), nulls).expect(200));
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
    const changed = dataOf(await session.put(templatePath(made), { steps: sent }).expect(200));
    const steps = stepsOf(changed);
    expect(steps.map(({ _id }) => _id)).toEqual([anyId, c['_id'], b['_id'], a['_id']]);
    expect(stepsOf(made).map(({ _id }) => _id)).not.toContain(steps[0]?.['_id']);
    expect(steps.map(({ _parentId }) => _parentId)).toEqual([undefined, ...steps.slice(0, 3).map(({ _id }) => _id)]);
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
        stepFactory({ type: 'digest', content: undefined }, { metadata: { type: 'regular', amount: 1, unit: 'days' } }),
        stepFactory(
          { feedId: feed, cta: { type: 'redirect', data: { url: '/x' } } },
          { filters, variants: [stepFactory({}, { filters })] },
        ),
      ],
    });
    const changed = dataOf(await session.put(templatePath(made), made).expect(200));
    const plain = (workflow: Json): unknown =>
      JSON.parse(JSON.stringify(workflow, (key, value: unknown) => (['updatedAt', '__v'].includes(key) ? 0 : value)));
    expect(plain(changed)).toEqual(plain(made));
  });

  it('should take a new identifier as it is, and refuse one that is taken with 409', async () => {
    const session = await api.session();
    const first = await createWorkflow(session, { name: 'First' });
    const second = await createWorkflow(session, { name: 'Second' });
    const changed = dataOf(await session.put(templatePath(first), { identifier: 'My_Own.Id' }).expect(200));
    expect(identifierOf(changed)).toBe('My_Own.Id');
    const { body } = await session.put(templatePath(second), { identifier: 'My_Own.Id' }).expect(409);
    expect(body).toMatchObject({ code: 'workflow_identifier_taken' });
    await session.get('/v1/workflows/first').expect(404);
  });

  it('should let one of many win a free identifier', async () => {
    const session = await api.session();
    const made = await Promise.all(Array.from({ length: 10 }, () => createWorkflow(session)));
    const answers = await Promise.all(made.map((each) => session.put(templatePath(each), { identifier: 'mine' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('should lose no change of steps that came at the same time as others', async () => {
    const session = await api.session();
    const made = await createWorkflow(session, { steps: [stepFactory({}, { uuid: 'kept' })] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        session.put(templatePath(made), { steps: [stepFactory({ content: `v${index}` }, { uuid: 'kept' })] }),
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
    const response = await session.put(templatePath(made), body).expect(400);
    expect(response.body).toMatchObject({ code: 'nothing_to_update' });
  });

  it('should list every fault at once and change nothing', async () => {
    const session = await api.session();
    const made = await createWorkflow(session);
    const response = await session
      .put(templatePath(made), { name: 5, description: 'x'.repeat(1001), steps: [{}, { template: { type: 'x' } }] })
      .expect(400);
    expect(fieldsOf(faultsOf(response))).toEqual(
      expect.arrayContaining(['name', 'description', 'steps.0.template', 'steps.1.template.type']),
    );
    expect(dataOf(await session.get(workflowPath(made)).expect(200))).toEqual(made);
  });

  it('should answer 404 for unknown groups and 400 for ids that are none', async () => {
    const session = await api.session();
    const made = await createWorkflow(session);
    await session.put(templatePath(made), { notificationGroupId: UNKNOWN_ID }).expect(404);
    await session.put(templatePath(made), { notificationGroupId: 'x' }).expect(400);
    await session.put(`/v1/notification-templates/${identifierOf(made)}`, { name: 'x' }).expect(400);
    await session.put(`/v1/notification-templates/${UNKNOWN_ID}`, { name: 'x' }).expect(404);
  });
});
