import type { TestSession } from '../harness/index.js';
import { tenantFactory } from '../factories/tenant.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp } from '../support/delivery.js';
import { storeNamed, useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
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

describe('The hint of a trigger that delivers nothing', () => {
  const delivery = useDeliveryApi('refused_hints');
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
  });

  const send = async (body: Json, status: number): Promise<Json> => {
    const { body: answer } = await session.post('/v1/events/trigger', { to: 'ann', ...body }).expect(status);
    return (status === 201 ? (answer as { data: Json }).data : answer) as Json;
  };

  it.each(['order-shiped', 'Order-Shipped', 'order-shippde'])(
    'should name the nearest workflow for %s',
    async (name) => {
      await session.post('/v1/workflows', { name: 'Order shipped', active: true, steps: [inApp('x')] }).expect(201);
      await session.post('/v1/workflows', { name: 'Parcel sent', active: true, steps: [inApp('x')] }).expect(201);
      const refusal = await send({ name }, 422);
      expect(refusal).toMatchObject({ message: 'workflow_not_found', code: 'workflow_not_found' });
      expect(refusal['hint']).toBe(
        `This environment has no workflow with the trigger identifier '${name}'. Did you mean 'order-shipped'? ` +
          'List the workflows with GET /v1/workflows, or create one with POST /v1/workflows.',
      );
    },
  );

  it('should name no workflow that is not near, of another environment or deleted', async () => {
    const [mine, other] = await delivery.api.siblings();
    session = mine;
    const { identifier } = await createWorkflow(other, [inApp('x')]);
    const gone = await createWorkflow(mine, [inApp('x')]);
    await mine.delete(`/v1/workflows/${gone._id}`).expect(200);
    for (const name of [`${identifier}x`, `${gone.identifier}x`, 'x'.repeat(255)]) {
      expect((await send({ name }, 422))['hint']).not.toContain('Did you mean');
    }
  });

  it('should say what to do for each status and code', async () => {
    const good = await createWorkflow(session, [inApp('x')]);
    const inactive = await createWorkflow(session, [inApp('x')], { active: false });
    const empty = await createWorkflow(session, []);
    const asleep = await createWorkflow(session, [inApp('x', { active: false })]);
    const code = { name: 'code', type: 'String', required: true };
    const coded = { type: 'in_app', content: '{{code}}', variables: [code] };
    const needy = await createWorkflow(session, [inApp('', { template: coded })]);
    const ofTenant = await createWorkflow(session, [inApp('{{tenant.name}}')]);
    const cases: [Json, number, string, RegExp][] = [
      [{ name: good.identifier, tenant: 'nobody' }, 201, 'no_tenant_found', /'nobody'.*POST \/v1\/tenants/],
      [{ name: inactive.identifier }, 201, 'trigger_not_active', /Switch it on with PUT/],
      [{ name: empty.identifier }, 201, 'no_workflow_steps_defined', /Give it some with PUT/],
      [{ name: asleep.identifier }, 201, 'no_workflow_active_steps_defined', /Switch one on with PUT/],
      [{ name: needy.identifier }, 400, 'payload_incomplete', /missing keys in payload/],
      [{ name: ofTenant.identifier }, 400, 'trigger_incomplete', /beside payload/],
    ];
    for (const [body, status, code, hint] of cases) {
      const answer = await send(body, status);
      expect(status === 201 ? answer['status'] : answer['code']).toBe(code);
      expect(answer['hint']).toMatch(hint);
    }
    expect(await send({ name: good.identifier }, 201)).not.toHaveProperty('hint');
  });

  it('should be in the answers of bulk calls and in the list of refused events', async () => {
    await createWorkflow(session, [inApp('x')]);
    const events = [
      { name: 'nobody-knows', to: 'ann', transactionId: 'bulk-1' },
      { name: 5, to: 'ann' },
    ];
    const answers = await dataOf<Json[]>(session.post('/v1/events/trigger/bulk', { events }), 201);
    expect(answers.map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/no workflow with the trigger identifier 'nobody-knows'/),
      'The event is not valid. Correct it and send it again.',
    ]);
    expect(await dataOf(session.get('/v1/events/trigger/bulk-1'), 200)).toMatchObject({ reason: answers[0]?.['hint'] });
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

describe('triggers that are answered with an error', () => {
  const delivery = useDeliveryApi('refused_errors', { RATE_LIMIT: '1', RATE_LIMIT_TRIGGER: '20' });
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
  });

  const listOf = async (by = session): Promise<Json[]> => dataOf<Json[]>(by.get('/v1/events/refused?limit=100'), 200);
  const listed = (more: Json): Promise<void> =>
    eventually(async () => {
      delivery.clock.advance(10_000);
      expect(await listOf()).toEqual([expect.objectContaining({ status: 'error', ...more })]);
    });
  const asText = (text: RegExp): unknown => expect.stringMatching(text);

  it('should be listed if the workflow is unknown, with a name that is near', async () => {
    await createWorkflow(session, [inApp('x')], { name: 'Order shipped' });
    await session.post('/v1/events/trigger', { name: 'order-shiped', to: 'ann', transactionId: 'one' }).expect(422);
    await listed({
      transactionId: 'one',
      code: 'workflow_not_found',
      name: 'order-shiped',
      error: ['workflow_not_found'],
      reason: asText(/Did you mean 'order-shipped'\?/),
    });
  });

  it('should be listed if the event is not valid', async () => {
    await session.post('/v1/events/trigger', { name: 'x', to: [5], transactionId: 'x'.repeat(300) }).expect(400);
    await listed({ code: 'validation_failed', name: 'x', transactionId: asText(/^.{36}$/) });
  });

  it('should be listed if a variable or the tenant is missing', async () => {
    const { identifier } = await createWorkflow(session, [inApp('{{tenant.name}}')]);
    await session.post('/v1/events/trigger/broadcast', { name: identifier, payload: {} }).expect(400);
    await listed({ code: 'trigger_incomplete', name: identifier });
  });

  it('should be listed if the body is malformed', async () => {
    await session.post('/v1/events/trigger').set('Content-Type', 'application/json').send('{"name":').expect(400);
    await listed({ code: 'malformed_body', reason: asText(/./) });
  });

  it.each(['read', 'revoked'])('should be listed if the key is wrong: %s', async (kind) => {
    const scopes = kind === 'read' ? ['read'] : ['trigger'];
    const issued = dataOf(await session.post('/v1/environments/api-keys', { name: 'other', scopes }).expect(201));
    if (kind === 'revoked') await session.delete(`/v1/environments/api-keys/${String(issued['id'])}`).expect(204);
    const answer = await fetch(`${delivery.api.url}/v1/events/trigger`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${String(issued['key'])}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', to: 'ann' }),
    });
    expect(answer.status).toBe(kind === 'read' ? 403 : 401);
    await listed({ code: kind === 'read' ? 'scope_missing' : 'unauthorized' });
  });

  it('should not be listed in another environment, nor if the key was never one', async () => {
    const other = await delivery.api.session();
    await session.post('/v1/events/trigger', { name: 'x', to: 'ann' }).expect(422);
    await fetch(`${delivery.api.url}/v1/events/trigger`, {
      method: 'POST',
      headers: { authorization: 'ApiKey x'.repeat(9) },
    });
    await listed({ code: 'workflow_not_found' });
    expect(await listOf(other)).toEqual([]);
  });

  it('should be counted under a flood instead of stored', async () => {
    const flood = Array.from({ length: 150 }, () => session.post('/v1/events/trigger', { name: 'x', to: 'ann' }));
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
    await eventually(async () => {
      const rows = await delivery.rows('refusedTriggers', {});
      const mine = rows.filter(({ _environmentId }) => String(_environmentId) === session.environmentId);
      const omitted = mine.reduce((sum, row) => sum + Number(row['omitted'] ?? 0), 0);
      expect([mine.length, omitted]).toEqual([20, 130]);
    });
  });
});
