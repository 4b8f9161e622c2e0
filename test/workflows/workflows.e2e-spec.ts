import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createWorkflow, identifierOf, stepFactory, stepsOf, workflowPath } from '../factories/workflow.factory.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

describe('/v1/workflows', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/workflows',
    create: createWorkflow,
    itemPath: workflowPath,
    list: { shape: 'page' },
    remove: { path: workflowPath, status: 200 },
    writes: [
      { method: 'put', path: workflowPath, body: { name: 'Changed', notificationGroupId: UNKNOWN_ID } },
      {
        method: 'put',
        path: (workflow) => `/v1/notification-templates/${String(workflow['_id'])}`,
        body: { name: 'Changed' },
      },
      { method: 'put', path: (workflow) => `${workflowPath(workflow)}/status`, body: { active: true } },
    ],
    unknownPath: `/v1/workflows/${UNKNOWN_ID}`,
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

    it.each([
      [{}, 'active is required and must be a boolean value'],
      [{ active: null }, 'active must be a boolean value'],
      [{ active: 'true' }, 'active must be a boolean value'],
      [{ active: 1 }, 'active must be a boolean value'],
    ])('should refuse %j', async (body, fault) => {
      const session = await api.session();
      const path = `${workflowPath(await createWorkflow(session))}/status`;
      expect(faultsOf(await session.put(path, body).expect(400))).toEqual([fault]);
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
