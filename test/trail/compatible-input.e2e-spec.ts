import type { TestSession } from '../harness/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import {
  createWorkflow,
  generalGroupId,
  identifierOf,
  stepFactory,
  stepsOf,
  workflowPath,
} from '../factories/workflow.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const templateOf = (workflow: Json): Json => stepsOf(workflow)[0]?.['template'] as Json;

describe('a trigger with an empty tenant and actor', () => {
  it('should be taken as one without', async () => {
    const name = identifierOf(await createWorkflow(session, { active: true }));
    const event = { name, to: 'ann', tenant: '', actor: '' };
    const answers = [
      dataOf(await session.post('/v1/events/trigger', event).expect(201)),
      dataOf(await session.post('/v1/events/trigger/broadcast', { ...event, payload: {} }).expect(201)),
      ...dataOf<Json[]>(await session.post('/v1/events/trigger/bulk', { events: [event] }).expect(201)),
    ];
    expect(answers.map(({ status }) => status)).toEqual(['processed', 'processed', 'processed']);
  });

  it('should still need both where the templates use them', async () => {
    const steps = [stepFactory({ content: '{{tenant.name}} {{actor.firstName}}' })];
    const name = identifierOf(await createWorkflow(session, { active: true, steps }));
    const { body } = await session.post('/v1/events/trigger', { name, to: 'ann', tenant: '', actor: '' }).expect(400);
    expect(body).toMatchObject({
      code: 'trigger_incomplete',
      message: expect.stringContaining('tenant object') as string,
    });
  });

  it.each([{ tenant: { identifier: '' } }, { actor: { subscriberId: '' } }, { tenant: 5 }])(
    'should still refuse %j',
    async (more) => {
      await session.post('/v1/events/trigger', { name: 'x', to: 'ann', ...more }).expect(400);
    },
  );
});

describe('steps as they were read in another environment', () => {
  it('should lose the feed and the layout of there, and get the default layout of here', async () => {
    const [here, there] = await api.siblings();
    const feed = dataOf(await there.post('/v1/feeds', { name: 'Activity' }).expect(201));
    const layout = dataOf(
      await there.post('/v1/layouts', { name: 'l', identifier: 'l', content: '{{{body}}}' }).expect(201),
    );
    await here.post('/v1/layouts', { name: 'd', identifier: 'd', content: '{{{body}}}', isDefault: true }).expect(201);
    const read = await createWorkflow(there, {
      steps: [
        stepFactory({ feedId: feed['_id'] }),
        { template: { type: 'email', content: 'x', layoutId: layout['_id'] } },
      ],
    });
    const copy = await createWorkflow(here, { steps: stepsOf(read) });
    const { notificationGroupId } = { notificationGroupId: await generalGroupId(here) };
    const again = await here
      .put(workflowPath(copy), { name: 'n', notificationGroupId, steps: stepsOf(read) })
      .expect(200);
    for (const workflow of [copy, dataOf(again)]) {
      const [first, second] = stepsOf(workflow).map(({ template }) => template as Json);
      expect(first).not.toMatchObject({ _feedId: feed['_id'] });
      expect(second?.['_layoutId']).toEqual(expect.stringMatching(/^[0-9a-f]{24}$/));
      expect(second?.['_layoutId']).not.toBe(layout['_id']);
    }
  });

  it('should keep the feed that they have here, and lose it when neither name is sent', async () => {
    const feed = dataOf(await session.post('/v1/feeds', { name: 'Kept' }).expect(201));
    const made = await createWorkflow(session, { steps: [stepFactory({ feedId: feed['_id'] })] });
    const kept = dataOf(await session.put(workflowPath(made), { steps: stepsOf(made) }).expect(200));
    expect(templateOf(kept)['_feedId']).toBe(feed['_id']);
    const [step] = stepsOf(made);
    const { _feedId, ...template } = templateOf(made);
    expect(_feedId).toBe(feed['_id']);
    const lost = dataOf(await session.put(workflowPath(made), { steps: [{ ...step, template }] }).expect(200));
    expect(templateOf(lost)['_feedId'] ?? null).toBeNull();
  });

  it('should refuse ids under the names that are set, where this environment does not have them', async () => {
    const made = await createWorkflow(session);
    const steps = [stepFactory({ feedId: UNKNOWN_ID }), stepFactory({ type: 'email', layoutId: UNKNOWN_ID })];
    expect(await faultsOf(session.put(workflowPath(made), { steps }))).toEqual([
      expect.stringMatching(/^steps\.0\.template\.feedId /),
      expect.stringMatching(/^steps\.1\.template\.layoutId /),
    ]);
  });
});

describe.each([
  ['novu-email', 'email'],
  ['novu-sms', 'sms'],
])('an integration of %s', (providerId, channel) => {
  it('should not be active, neither at first nor later, nor primary', async () => {
    const [fault] = await faultsOf(session.post('/v1/integrations', { providerId, channel, active: true }));
    expect(fault).toMatch(/cannot be active/);
    const made = dataOf(await session.post('/v1/integrations', { providerId, channel, active: false }).expect(201));
    const path = `/v1/integrations/${String(made['_id'])}`;
    for (const call of [session.put(path, { active: true }), session.post(`${path}/set-primary`)]) {
      expect(await faultsOf(call)).toEqual([expect.stringContaining('cannot be active')]);
    }
    const shown = dataOf<Json[]>(await session.get('/v1/integrations').expect(200));
    expect(shown.find(({ _id }) => _id === made['_id'])).toMatchObject({ active: false, primary: false });
  });
});
