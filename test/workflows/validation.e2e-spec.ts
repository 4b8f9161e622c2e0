import { dataOf, faultsOf, fieldsOf } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createWorkflow, generalGroupId, stepFactory, stepsOf } from '../factories/workflow.factory.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

describe('What POST /v1/workflows refuses', () => {
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
    const paths = fieldsOf(faultsOf(response));
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
    expect(faultsOf(response)[0]).toMatch(steps === undefined ? /^steps is required and must/ : /^steps must/);
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
        steps: [stepFactory(), stepFactory({ feedId: foreign }), stepFactory({ type: 'email', layoutId: UNKNOWN_ID })],
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
});
