import { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, digest, email, inApp, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const PATH = '/v1/events/trigger/dry-run';
const NOBODY = 9;

const delivery = useDeliveryApi('dry_run');
const session = useSession(delivery.api);

interface Step extends Json {
  status: string;
  reason?: string;
  messages: Json[];
  details: { detail: string; raw?: string }[];
}

interface DryRun extends Json {
  recipients: { subscriberId: string; subscriberChange: string; status: string; steps: Step[] }[];
}

function dryRun(body: Json, { by = session, limit }: { by?: TestSession; limit?: number } = {}): Promise<DryRun> {
  return dataOf<DryRun>(by.post(limit === undefined ? PATH : `${PATH}?limit=${limit}`, body), 200);
}

/** The steps of the only recipient. */
async function stepsFor(body: Json): Promise<Step[]> {
  const { recipients } = await dryRun(body);
  expect(recipients).toHaveLength(1);
  return recipients[0]?.steps ?? [];
}

const when = (...children: Json[]): Json[] => [{ isNegated: false, type: 'GROUP', value: 'AND', children }];

/** Everything that is stored, but for what the reading of API keys notes. */
async function everythingStored(): Promise<string> {
  const names = await delivery.collections();
  const rows = await Promise.all(
    names.filter((name) => name !== 'apiKeys').map(async (name) => [name, await delivery.rows(name)]),
  );
  return JSON.stringify(rows);
}

describe('POST /v1/events/trigger/dry-run', () => {
  const sink = useProviderSink();

  it('should store, send and change nothing, whatever the trigger describes', async () => {
    await smtpIntegration(session, NOBODY);
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'ada', firstName: 'Ada' }).expect(201);
    const backoff = { type: 'backoff', backoffAmount: 1, backoffUnit: 'hours' };
    const { identifier } = await createWorkflow(session, [
      digest(backoff),
      delay(),
      inApp('Hello {{subscriber.firstName}} of {{tenant.name}}'),
      email('Hello', '<p>{{actor.firstName}}</p>'),
    ]);
    const before = await everythingStored();
    const body = {
      name: identifier,
      to: [
        { subscriberId: 'ada', firstName: 'Changed', email: 'ada@example.com' },
        { subscriberId: 'new', firstName: 'New' },
      ],
      tenant: { identifier: 'acme', name: 'Changed Corporation' },
      actor: { subscriberId: 'grace', firstName: 'Grace' },
      payload: { attachments: [{ name: 'a.txt', mime: 'text/plain', file: 'aGVsbG8=' }] },
      transactionId: 'dry-1',
    };
    const { recipients, ...event } = await dryRun(body);
    expect(event).toMatchObject({
      status: 'processed',
      tenant: 'acme',
      listed: 2,
      attachments: [{ name: 'a.txt', mime: 'text/plain', size: 5 }],
    });
    expect(recipients).toMatchObject([
      { subscriberId: 'ada', subscriberChange: 'update', status: 'completed' },
      { subscriberId: 'new', subscriberChange: 'create', status: 'completed' },
    ]);
    expect(recipients[0]?.steps[2]?.messages).toMatchObject([{ content: 'Hello Changed of Changed Corporation' }]);
    expect(recipients[0]?.steps[3]?.messages).toMatchObject([
      { to: ['ada@example.com'], from: 'sender@example.com', subject: 'Hello', text: 'Grace' },
    ]);
    expect(recipients[1]?.steps[3]).toMatchObject({ status: 'skipped', reason: 'no_address', messages: [] });
    expect(await everythingStored()).toBe(before);
    await session.get('/v1/events/trigger/dry-1').expect(404);
  });

  it('should show each condition with its value, also where all pass', async () => {
    const { identifier } = await createWorkflow(session, [
      inApp('Hello', {
        filters: when(
          { on: 'payload', field: 'total', operator: 'LARGER', value: '{{payload.limit}}' },
          { on: 'subscriber', field: 'firstName', operator: 'EQUAL', value: 'Ada' },
        ),
      }),
    ]);
    const body = { name: identifier, to: { subscriberId: 'ada', firstName: 'Ada' }, payload: { total: 20, limit: 10 } };
    const [passed] = await stepsFor(body);
    expect(passed).toMatchObject({
      status: 'completed',
      conditions: {
        passed: true,
        conditions: [
          { filter: 'Payload', field: 'total', operator: 'LARGER', expected: '10', actual: '20', passed: true },
          { filter: 'Subscriber', field: 'firstName', operator: 'EQUAL', expected: 'Ada', actual: 'Ada', passed: true },
        ],
      },
      preference: { allowed: true },
      messages: [{ channel: 'in_app', content: 'Hello' }],
    });
    const [refused] = await stepsFor({ ...body, payload: { total: 5, limit: 10 } });
    expect(refused).toMatchObject({
      status: 'skipped',
      reason: 'conditions',
      conditions: { passed: false },
      messages: [],
    });
    expect(refused?.details.at(-1)?.detail).toBe('Step was filtered based on steps filters');
  });

  it('should ask the webhooks of conditions, and say when one would be asked again', async () => {
    const filters = when({ on: 'webhook', webhookUrl: sink.url, field: 'allowed', operator: 'EQUAL', value: 'true' });
    const { identifier } = await createWorkflow(session, [inApp('Asked', { filters }), inApp('After')]);
    sink.answer = json(200, { allowed: true });
    expect(await stepsFor({ name: identifier, to: 'ada' })).toMatchObject([
      { status: 'completed', conditions: { conditions: [{ filter: 'Webhook', actual: 'true' }] } },
      { status: 'completed' },
    ]);
    expect(sink.requests).toHaveLength(1);
    sink.answer = json(503, {});
    const { recipients } = await dryRun({ name: identifier, to: 'ada' });
    expect(recipients).toMatchObject([
      {
        status: 'active',
        steps: [{ status: 'queued', reason: 'condition_webhook', messages: [] }, { status: 'pending' }],
      },
    ]);
    expect(recipients[0]?.steps[0]?.['until']).toEqual(expect.any(String));
  });

  it('should show which preference and which schedule decide', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', email: 'ada@example.com' }).expect(201);
    const { identifier, _id } = await createWorkflow(session, [inApp('Hello'), email('Hello', '<p>Hello</p>')], {
      preferenceSettings: { email: false },
    });
    const [, byWorkflow] = await stepsFor({ name: identifier, to: 'ada' });
    expect(byWorkflow).toMatchObject({
      status: 'skipped',
      reason: 'preferences',
      preference: { allowed: false, source: 'template' },
    });
    await session
      .patch(`/v1/subscribers/ada/preferences/${_id}`, { channel: { type: 'in_app', enabled: false } })
      .expect(200);
    const [bySubscriber] = await stepsFor({ name: identifier, to: 'ada' });
    expect(bySubscriber).toMatchObject({ preference: { allowed: false, source: 'subscriber' } });
  });

  it('should show the integrations of an email in their order, with the conditions of a tenant', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    await session.post('/v1/tenants', { identifier: 'other', name: 'Other' }).expect(201);
    const usual = await smtpIntegration(session, NOBODY);
    const special = await smtpIntegration(session, NOBODY);
    const conditions = [
      { value: 'AND', children: [{ on: 'tenant', field: 'name', operator: 'EQUAL', value: 'Acme' }] },
    ];
    await session.put(`/v1/integrations/${special}`, { conditions, check: false }).expect(200);
    const { identifier } = await createWorkflow(session, [email('Hello', '<p>Hello</p>')]);
    const to = { subscriberId: 'ada', email: 'ada@example.com' };
    const [forAcme] = await stepsFor({ name: identifier, to, tenant: 'acme' });
    expect(forAcme).toMatchObject({
      integrations: [
        { _id: special, isChosen: true, conditions: { passed: true, conditions: [{ actual: 'Acme' }] } },
        { _id: usual, isChosen: true },
      ],
      messages: [{ integrationId: special }],
    });
    const [forOther] = await stepsFor({ name: identifier, to, tenant: 'other' });
    expect(forOther).toMatchObject({
      integrations: [
        { _id: special, isChosen: false },
        { _id: usual, isChosen: true },
      ],
      messages: [{ integrationId: usual }],
    });
    const [without] = await stepsFor({
      name: (await createWorkflow(session, [{ template: { type: 'sms', content: 'Hi' } }])).identifier,
      to,
    });
    expect(without).toMatchObject({ status: 'failed', reason: 'no_active_integration', messages: [] });
  });

  it('should say when delays and digests end, and which digest takes the event in', async () => {
    const now = delivery.clock.now().getTime();
    const { identifier } = await createWorkflow(session, [delay(), digest(), inApp('{{step.total_count}}')]);
    const [wait, collect, sum] = await stepsFor({ name: identifier, to: 'ada' });
    const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
    expect(wait).toMatchObject({ status: 'completed', at: at(0), until: at(5) });
    expect(collect).toMatchObject({ status: 'completed', at: at(5), until: at(10), digest: { collected: 0 } });
    expect(sum).toMatchObject({ at: at(10), messages: [{ content: '1' }] });
    const digested = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    await trigger(session, { name: digested.identifier, to: 'ada' });
    await trigger(session, { name: digested.identifier, to: 'ada' });
    await delivery.drain();
    const { recipients } = await dryRun({ name: digested.identifier, to: 'ada' });
    expect(recipients).toMatchObject([
      {
        status: 'merged',
        steps: [
          { status: 'merged', digest: { notificationId: expect.any(String) as string, collected: 2 } },
          { status: 'merged', messages: [] },
        ],
      },
    ]);
  });

  it('should say why a trigger would deliver nothing, as the trigger would', async () => {
    const { identifier, _id } = await createWorkflow(session, [inApp('Hello')], { active: false });
    expect(await dryRun({ name: identifier, to: 'ada' })).toMatchObject({
      status: 'trigger_not_active',
      reason: expect.stringContaining('not active') as string,
      workflowId: _id,
      recipients: [],
    });
    expect(await dryRun({ name: identifier, to: 'ada', tenant: 'unknown' })).toMatchObject({
      status: 'no_tenant_found',
    });
    const active = await createWorkflow(session, [inApp('Hello')]);
    const tenant = await dataOf<{ _id: string }>(
      session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }),
      201,
    );
    const override = { workflowId: active._id, tenantId: tenant._id, active: false };
    const { _id: overrideId } = await dataOf<{ _id: string }>(session.post('/v1/workflow-overrides', override), 200);
    expect(await dryRun({ name: active.identifier, to: 'ada', tenant: 'acme' })).toMatchObject({
      status: 'trigger_not_active',
      overrideId,
    });
    await trigger(session, { name: active.identifier, to: 'ada', transactionId: 'known' });
    expect(await dryRun({ name: active.identifier, to: 'ada', transactionId: 'known' })).toMatchObject({
      status: 'processed',
      reason: expect.stringContaining('accepted before') as string,
      recipients: [],
    });
    expect(await delivery.rows('refusedTriggers', { transactionId: 'known' })).toEqual([]);
  });

  it('should show the first recipients of lists and topics, each once, with the totals', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const subscribers = ['a', 'b', 'c', 'd'].map((subscriberId) => ({ subscriberId }));
    await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
    await session.post('/v1/topics', { key: 'all', name: 'All' }).expect(201);
    await session.post('/v1/topics/all/subscribers', { subscribers: ['a', 'b', 'c', 'd'] }).expect(200);
    const body = { name: identifier, to: ['b', { type: 'Topic', topicKey: 'all' }], actor: 'd' };
    const shown = await dryRun(body);
    expect(shown).toMatchObject({ listed: 1, topics: [{ topicKey: 'all', subscribers: 4 }] });
    expect(shown.recipients[0]?.subscriberId).toBe('b');
    expect(shown.recipients.map(({ subscriberId }) => subscriberId).sort()).toEqual(['a', 'b', 'c']);
    expect((await dryRun(body, { limit: 2 })).recipients).toHaveLength(2);
    expect((await dryRun(body, { limit: 1 })).recipients).toHaveLength(1);
  });

  it('should show fewer recipients where their messages are very large', async () => {
    const { identifier } = await createWorkflow(session, [inApp('{{{text}}}')]);
    const body = { name: identifier, to: ['a', 'b', 'c', 'd', 'e'], payload: { text: 'x'.repeat(900_000) } };
    const [step] = (await dryRun({ ...body, to: 'a' })).recipients[0]?.steps ?? [];
    expect(step).toMatchObject({ status: 'completed' });
    expect((await dryRun({ ...body, to: Array.from({ length: 9 }, (_, n) => `r${n}`) })).recipients).toHaveLength(6);
  });

  it('should not show credentials and device tokens', async () => {
    const url = 'https://chat.example.com/hooks/secret-path';
    const integration = { providerId: 'mattermost', channel: 'chat', active: true, check: false, credentials: {} };
    await session.post('/v1/integrations', integration).expect(201);
    const push = { providerId: 'push-webhook', channel: 'push', active: true, check: false };
    const credentials = { webhookUrl: 'https://push.example.com', secretKey: 'integration-secret' };
    await session.post('/v1/integrations', { ...push, credentials }).expect(201);
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'chat', content: 'Hello' } },
      { template: { type: 'push', title: 'Hello', content: 'Hello' } },
    ]);
    const channels = [
      { providerId: 'mattermost', credentials: { webhookUrl: url } },
      { providerId: 'push-webhook', credentials: { deviceTokens: ['token-1', 'token-2'] } },
    ];
    const { text, body } = await session
      .post(PATH, { name: identifier, to: { subscriberId: 'ada', channels } })
      .expect(200);
    expect((body as { data: DryRun }).data.recipients[0]?.steps).toMatchObject([
      { status: 'completed', messages: [{ channel: 'chat', providerId: 'mattermost', content: 'Hello' }] },
      { status: 'completed', messages: [{ channel: 'push', devices: 2 }] },
    ]);
    for (const secret of ['secret-path', 'integration-secret', 'token-1']) expect(text).not.toContain(secret);
  });

  it('should be refused for what the trigger refuses, and for a faulty limit', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await session.post(PATH, { name: 'unknown', to: 'ada' }).expect(422);
    expect(await faultsOf(session.post(PATH, { name: identifier }))).toEqual([expect.stringMatching(/^to /)]);
    expect(await faultsOf(session.post(PATH, { name: identifier, to: { type: 'Topic', topicKey: 'none' } }))).toEqual([
      expect.stringContaining("'none'"),
    ]);
    for (const limit of ['0', '51', 'x', '1.5']) {
      expect(await faultsOf(session.post(`${PATH}?limit=${limit}`, { name: identifier, to: 'ada' }))).not.toEqual([]);
    }
    const [sibling] = await delivery.api.siblings();
    if (sibling) await sibling.post(PATH, { name: identifier, to: 'ada' }).expect(422);
  });

  it('should need the scopes trigger and read', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const statusWith = async (...scopes: string[]): Promise<number> => {
      const { key } = await dataOf<{ key: string }>(
        session.post('/v1/environments/api-keys', { name: 'limited', scopes }),
        201,
      );
      const limited = new TestSession(delivery.api.url, { ...session, apiKey: key });
      return (await limited.post(PATH, { name: identifier, to: 'ada' })).status;
    };
    expect(await statusWith('trigger')).toBe(403);
    expect(await statusWith('read')).toBe(403);
    expect(await statusWith('trigger', 'read')).toBe(200);
  });
});
