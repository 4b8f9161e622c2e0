import type { TestSession } from '../harness/index.js';
import { tenantFactory } from '../factories/tenant.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp, storeNamed, useDeliveryApi } from '../support/delivery.js';
import { startTestApi } from '../support/test-api.js';

describe('GET /v1/events/trigger/{transactionId}', () => {
  const delivery = useDeliveryApi('refused', { RETENTION_DAYS: '2' });
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
  });

  const send = async (body: Json): Promise<Json> => dataOf(await session.post('/v1/events/trigger', body).expect(201));
  const shown = (id: unknown, by = session): Promise<Json> => dataOf(by.get(`/v1/events/trigger/${String(id)}`), 200);

  it('should show events that nothing is done for, and why', async () => {
    const good = await createWorkflow(session, [inApp('x')]);
    const inactive = await createWorkflow(session, [inApp('x')], { active: false });
    const empty = await createWorkflow(session, []);
    const asleep = await createWorkflow(session, [inApp('x', { active: false })]);
    const cases: [Json, string, RegExp][] = [
      [{ name: good.identifier, tenant: 'nobody' }, 'no_tenant_found', /no tenant 'nobody'.*POST \/v1\/tenants/],
      [{ name: inactive.identifier }, 'trigger_not_active', /not active.*\/status/],
      [{ name: empty.identifier }, 'no_workflow_steps_defined', /has no steps/],
      [{ name: asleep.identifier }, 'no_workflow_active_steps_defined', /No step of the workflow is active/],
    ];
    for (const [body, status, reason] of cases) {
      const { transactionId } = await send({ to: 'ann', ...body });
      const event = await shown(transactionId);
      expect(event).toMatchObject({ transactionId, status, name: body['name'], times: 1 });
      expect(event['reason']).toMatch(reason);
      expect(event).not.toHaveProperty('state');
    }
  });

  it.each([true, false])('should name the override that switched off a workflow that is active: %s', async (active) => {
    const { _id, identifier } = await createWorkflow(session, [inApp('x')], { active });
    const tenant = dataOf(await session.post('/v1/tenants', tenantFactory()).expect(201));
    const body = { workflowId: _id, tenantId: tenant['_id'], active: false };
    const override = dataOf(await session.post('/v1/workflow-overrides', body));
    const { transactionId } = await send({ name: identifier, to: 'ann', tenant: tenant['identifier'] });
    expect(await shown(transactionId)).toMatchObject({
      status: 'trigger_not_active',
      overrideId: override['_id'],
      tenant: tenant['identifier'],
      workflowId: _id,
      reason: expect.stringContaining(String(override['_id'])) as string,
    });
  });

  it('should show faulty events of a bulk call', async () => {
    const events = [
      { name: 'nobody-knows', to: 'ann', transactionId: 'bulk-1' },
      { name: 5, to: 'ann' },
    ];
    const long = { name: 'nobody-knows', to: 'ann', transactionId: 'x'.repeat(300) };
    expect((await dataOf<Json[]>(session.post('/v1/events/trigger/bulk', { events: [long] }), 201))[0]).toMatchObject({
      status: 'error',
    });
    expect(await delivery.rows('refusedTriggers', { transactionId: long.transactionId })).toEqual([]);
    const answers = await dataOf<Json[]>(session.post('/v1/events/trigger/bulk', { events }), 201);
    expect(await shown('bulk-1')).toMatchObject({
      status: 'error',
      name: 'nobody-knows',
      error: ['workflow_not_found'],
    });
    expect((await shown(answers[1]?.['transactionId']))['error']).toEqual(answers[1]?.['error']);
  });

  it('should leave one record for one transaction id, and judge the event anew', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x')]);
    const event = { name: identifier, to: ['ann', 'bob'], tenant: 'acme', transactionId: 'order-1' };
    await Promise.all([send(event), send(event), send(event)]);
    expect(await shown('order-1')).toMatchObject({ status: 'no_tenant_found', times: 3 });
    expect(await delivery.rows('refusedTriggers', { transactionId: 'order-1' })).toHaveLength(1);
    await session.post('/v1/tenants', tenantFactory({ identifier: 'acme' })).expect(201);
    expect((await send(event))['status']).toBe('processed');
    await delivery.drain();
    const processed = await shown('order-1');
    expect(processed).toMatchObject({ status: 'processed', state: 'expanded', notifications: 2, tenant: 'acme' });
    expect(processed).not.toHaveProperty('reason');
  });

  it('should keep them as long as events, and after a restart', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x')], { active: false });
    await send({ name: identifier, to: 'ann', transactionId: 'kept', payload: { secret: 'payload' } });
    const [row] = await delivery.rows('refusedTriggers', { transactionId: 'kept' });
    expect((row?.['expireAt'] as Date).getTime() - delivery.clock.now().getTime()).toBe(3 * 86_400_000);
    expect(JSON.stringify(row)).not.toContain('payload');
    const again = await startTestApi({}, storeNamed('refused'));
    const { body } = await session.get('/v1/events/trigger/kept');
    const restarted = await fetch(`${again.url}/v1/events/trigger/kept`, {
      headers: { authorization: `ApiKey ${session.apiKey}` },
    });
    expect(await restarted.json()).toEqual(body);
    await again.close();
  });

  it('should not know what was never sent, or was sent elsewhere', async () => {
    const [mine, other] = await delivery.api.siblings();
    session = mine;
    const { identifier } = await createWorkflow(mine, [inApp('x')], { active: false });
    await send({ name: identifier, to: 'ann', transactionId: 'mine' });
    expect(await shown('mine')).toMatchObject({ status: 'trigger_not_active' });
    const { body } = await other.get('/v1/events/trigger/mine').expect(404);
    expect(body).toMatchObject({ code: 'event_not_found' });
    await mine.get('/v1/events/trigger/never').expect(404);
  });
});

describe('GET /v1/events/refused', () => {
  const delivery = useDeliveryApi('refused_list');
  const list = async (session: TestSession, query = ''): Promise<Json> =>
    (await session.get(`/v1/events/refused${query}`).expect(200)).body as Json;
  const idsOf = ({ data }: Json): unknown[] => (data as Json[]).map(({ transactionId }) => transactionId);

  it('should list what was not delivered, newest first, in pages', async () => {
    const session = await delivery.api.session();
    const good = await createWorkflow(session, [inApp('x')]);
    const inactive = await createWorkflow(session, [inApp('x')], { active: false });
    const send = async (name: string, transactionId: string): Promise<void> => {
      await session.post('/v1/events/trigger', { name, to: 'ann', transactionId }).expect(201);
      delivery.clock.advance(1_000);
    };
    for (const id of ['one', 'two', 'three']) await send(inactive.identifier, id);
    await send(good.identifier, 'delivered');
    await send(inactive.identifier, 'one');
    const page = await list(session, '?limit=2');
    expect(idsOf(page)).toEqual(['one', 'three']);
    expect(page).toMatchObject({ page: 0, pageSize: 2, hasMore: true });
    expect((page['data'] as Json[])[0]).toMatchObject({
      status: 'trigger_not_active',
      times: 2,
      reason: expect.stringContaining('not active') as string,
    });
    expect(await list(session, '?limit=2&page=1')).toMatchObject({ hasMore: false, data: [{ transactionId: 'two' }] });
    expect(idsOf(await list(await delivery.api.session()))).toEqual([]);
    await session.get('/v1/events/refused?limit=0').expect(400);
  });
});
