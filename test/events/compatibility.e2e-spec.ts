import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

/** Replays what the compatible system's own tests expect of events. */
describe('compatibility: events', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let hello: string;
  let helloId: string;
  beforeEach(async () => {
    ({ identifier: hello, _id: helloId } = await createWorkflow(session, [inApp('Hello {{firstName}}')]));
  });

  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  const send = (body: object): Promise<Json> => dataOf(session.post('/v1/events/trigger', body), 201);

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
    const { identifier } = await createWorkflow(session, [delay({ amount: 1, unit: 'hours' }), inApp('Late')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    expect(await dataOf(session.delete(`/v1/events/trigger/${transactionId}`), 200)).toBe(true);
    await delivery.drain(3_600_000);
    expect(await feedOf(session, 'ann')).toEqual([]);
  });
});
