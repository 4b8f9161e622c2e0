import type { TestSession } from '#libs/testing';
import {
  createWorkflow,
  type DeliveryApi,
  email,
  feedOf,
  inApp,
  startDeliveryApi,
  trigger,
} from '../support/delivery.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';

/** Replays what the compatible system's own tests expect of events, messages, notifications and execution details. */
describe('compatibility: delivery', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let hello: string;
  let helloId: string;

  beforeAll(async () => {
    delivery = await startDeliveryApi('compatibility');
  });
  beforeEach(async () => {
    session = await delivery.api.session();
    ({ identifier: hello, _id: helloId } = await createWorkflow(session, [inApp('Hello {{firstName}}')]));
  });
  afterAll(() => delivery.api.close());

  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  const send = (body: object): Promise<Json> => dataOf(session.post('/v1/events/trigger', body), 201);

  describe('events', () => {
    it('should accept an event with a transaction id of its own', async () => {
      const answer = await send({ name: hello, to: 'ann', payload: { firstName: 'A' } });
      expect(answer).toEqual({ acknowledged: true, status: 'processed', transactionId: expect.stringMatching(UUID) });
    });

    it('should refuse an unknown workflow and missing variables', async () => {
      const { body } = await session.post('/v1/events/trigger', { name: 'none', to: 'ann' }).expect(422);
      expect(body).toMatchObject({ message: 'workflow_not_found', error: 'Unprocessable Entity' });
      const steps = [
        inApp('Hello {{firstName}}', {
          template: {
            type: 'in_app',
            content: 'Hello {{firstName}}',
            variables: [{ name: 'firstName', type: 'String', required: true }],
          },
        }),
      ];
      const { identifier } = await createWorkflow(session, steps);
      await session.post('/v1/events/trigger', { name: identifier, to: 'ann', payload: {} }).expect(400);
    });

    it('should tell why nothing is done', async () => {
      const off = await createWorkflow(session, [inApp('x')], { active: false });
      const none = await createWorkflow(session, []);
      const inactive = await createWorkflow(session, [inApp('x', { active: false })]);
      const statuses = await Promise.all(
        [off, none, inactive].map(async ({ identifier }) => (await send({ name: identifier, to: 'ann' }))['status']),
      );
      expect(statuses).toEqual(['trigger_not_active', 'no_workflow_steps_defined', 'no_workflow_active_steps_defined']);
      const noTenant = await send({ name: hello, to: 'ann', tenant: 'nobody', payload: { firstName: 'A' } });
      expect(noTenant).toMatchObject({ acknowledged: true, status: 'no_tenant_found' });
    });

    it('should answer a bulk in order and refuse 101', async () => {
      const event = { name: hello, to: 'ann', payload: { firstName: 'A' } };
      const results = await dataOf<Json[]>(
        session.post('/v1/events/trigger/bulk', { events: [{ ...event, name: 'none' }, event] }),
        201,
      );
      expect(results).toMatchObject([{ status: 'error', error: ['workflow_not_found'] }, { status: 'processed' }]);
      const tooMany = session.post('/v1/events/trigger/bulk', { events: Array.from({ length: 101 }, () => event) });
      expect((await faultsOf(tooMany))[0]).toContain('events must contain no more than 100 elements');
    });

    it("should let a tenant's override decide in both directions", async () => {
      const tenant = await dataOf(session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }), 201);
      const off = await createWorkflow(session, [inApp('x')], { active: false });
      const override = (workflowId: string, active: boolean): object => ({
        workflowId,
        tenantId: tenant['_id'],
        active,
      });
      await session.post('/v1/workflow-overrides', override(helloId, false)).expect(200);
      await session.post('/v1/workflow-overrides', override(off._id, true)).expect(200);
      const statuses = await Promise.all(
        [hello, off.identifier].map(
          async (name) => (await send({ name, to: 'ann', tenant: 'acme', payload: { firstName: 'A' } }))['status'],
        ),
      );
      expect(statuses).toEqual(['trigger_not_active', 'processed']);
    });

    it('should cancel a delayed event', async () => {
      const delay = {
        template: { type: 'delay', content: '' },
        metadata: { type: 'regular', amount: 1, unit: 'hours' },
      };
      const { identifier } = await createWorkflow(session, [delay, inApp('Late')]);
      const transactionId = await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      expect(await dataOf(session.delete(`/v1/events/trigger/${transactionId}`), 200)).toBe(true);
      await delivery.drain(3_600_000);
      expect(await feedOf(session, 'ann')).toEqual([]);
    });
  });

  describe('after a delivery', () => {
    beforeEach(async () => {
      for (const [transactionId, to] of Object.entries({ 't-1': 'ann', 't-2': 'bob' })) {
        await trigger(session, { name: hello, to, transactionId, payload: { firstName: to } });
        await delivery.drain(1_000);
      }
    });
    const transactions = async (query: string): Promise<unknown[]> =>
      (await dataOf<Json[]>(session.get(`/v1/messages?${query}`), 200)).map(({ transactionId }) => transactionId);

    const idsOf = async (query: string): Promise<unknown[]> =>
      (await dataOf<Json[]>(session.get(`/v1/notifications?${query}`), 200)).map(({ transactionId }) => transactionId);

    it('should list messages by channel, subscriber, and one or several transactions', async () => {
      expect(await transactions('channel=in_app')).toEqual(['t-2', 't-1']);
      expect(await transactions('channel=email')).toEqual([]);
      expect(await transactions('subscriberId=ann')).toEqual(['t-1']);
      expect(await transactions('transactionId=t-1')).toEqual(['t-1']);
      expect(await transactions('transactionId=t-1&transactionId=t-2')).toEqual(['t-2', 't-1']);
      expect(await codeOf(session.get('/v1/messages?subscriberId=nobody'), 404)).toBe('subscriber_not_found');
    });

    it('should delete messages by id, and by transaction of one channel only', async () => {
      await session.delete('/v1/messages/64f0c1a2b3c4d5e6f7a8b9c0').expect(404);
      await session.delete('/v1/messages/transaction/t-1?channel=email').expect(404);
      await session.delete('/v1/messages/transaction/t-1?channel=in_app').expect(204);
      expect(await transactions('')).toEqual(['t-2']);
    });

    it('should list notifications with workflow and subscriber, and filter them', async () => {
      const list = async (query: string): Promise<{ data: Json[]; hasMore: boolean }> =>
        (await session.get(`/v1/notifications?${query}`).expect(200)).body as { data: Json[]; hasMore: boolean };
      const all = await list('page=0');
      expect(all.hasMore).toBe(false);
      expect(all.data).toMatchObject([
        { transactionId: 't-2', subscriber: { subscriberId: 'bob' }, template: { triggers: [{ identifier: hello }] } },
        { transactionId: 't-1', channels: ['in_app'] },
      ]);
      // What typed clients cannot do without.
      expect(all.data[0]).toMatchObject({
        template: {
          triggers: [
            {
              type: 'event',
              variables: [{ name: 'firstName', type: 'String' }],
              reservedVariables: [],
              subscriberVariables: [],
            },
          ],
        },
        jobs: [{ step: { _templateId: expect.any(String) as string, filters: [] }, providerId: 'novu' }],
      });
      expect((await list('channels=in_app')).data).toHaveLength(2);
      expect((await list('channels=email')).data).toEqual([]);
      expect((await list(`templates=${helloId}`)).data).toHaveLength(2);
      expect((await list('subscriberIds=ann')).data).toMatchObject([{ transactionId: 't-1' }]);
      expect((await list('transactionId=t-2')).data).toHaveLength(1);
    });

    it('should take empty filters of notifications as not given', async () => {
      expect(await idsOf('channels=&templates=&emails=&subscriberIds=&search=&transactionId=')).toEqual(['t-2', 't-1']);
      expect(await idsOf('subscriberIds=&subscriberIds=ann')).toEqual(['t-1']);
    });

    it('should count the notifications of week and month', async () => {
      expect(await dataOf(session.get('/v1/notifications/stats'), 200)).toEqual({ weeklySent: 2, monthlySent: 2 });
      const other = await delivery.api.session();
      expect(await dataOf(other.get('/v1/notifications/stats'), 200)).toEqual({ weeklySent: 0, monthlySent: 0 });
    });

    it('should count the notifications of a day once for each channel', async () => {
      const { identifier } = await createWorkflow(session, [inApp('x'), email('Hello', 'text')]);
      await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain(1_000);
      const [day] = await dataOf<Json[]>(session.get('/v1/notifications/graph/stats'), 200);
      expect(day).toMatchObject({ count: 4, channels: expect.arrayContaining(['in_app', 'email']) as string[] });
    });

    it("should list the execution details of a subscriber's notification", async () => {
      const [notification] = await dataOf<Json[]>(session.get('/v1/notifications?transactionId=t-1'), 200);
      const query = `notificationId=${String(notification?.['_id'])}&subscriberId=ann`;
      const details = await dataOf<Json[]>(session.get(`/v1/execution-details?${query}`), 200);
      expect(details.length).toBeGreaterThan(0);
      for (const detail of details) {
        expect(detail).toMatchObject({
          _notificationId: notification?.['_id'],
          channel: 'in_app',
          transactionId: 't-1',
        });
      }
    });
  });
});
