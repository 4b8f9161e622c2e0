import type { Test } from 'supertest';
import { PROVIDER_CATALOGUE } from '#libs/channels';
import type { TestSession } from '../harness/index.js';
import {
  createWorkflow,
  generalGroupId,
  identifierOf,
  stepFactory,
  workflowPath,
} from '../factories/workflow.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useTestApi } from '../support/test-api.js';

const HEADER = 'herald-warning';
const warningOf = async (call: Test, status = 200): Promise<string | undefined> => {
  const { headers } = await call.expect(status);
  return (headers as Record<string, string | undefined>)[HEADER];
};

/** A step with a typo at each level, and a template with keys of its own, which are kept. */
const STEP = {
  actve: true,
  template: { type: 'in_app', content: 'x', own: 1 },
  metadata: { amonut: 1 },
  filters: [{ children: [{ on: 'payload', field: 'a', operator: 'IS_DEFINED', vlaue: 1 }], negated: true }],
  variants: [
    {
      nmae: 'x',
      template: { type: 'in_app', content: 'x' },
      filters: [{ children: [{ on: 'payload', field: 'a', operator: 'IS_DEFINED' }] }],
    },
  ],
};

describe('unknown input', () => {
  const api = useTestApi({ CORS_ORIGINS: '*' });
  let session: TestSession;
  let name: string;
  beforeAll(async () => {
    session = await api.session();
    name = identifierOf(await createWorkflow(session, { active: true }));
  });

  it('should be named in a header, and ignored', async () => {
    const call = session.post('/v1/subscribers', { subscriberId: 'ann', emial: 'a@example.com', timezne: 'UTC' });
    expect(await warningOf(call, 201)).toBe('unknown body fields ignored: emial, timezne');
    expect(dataOf(await session.get('/v1/subscribers/ann').expect(200))).not.toHaveProperty('emial');
  });

  it('should be named at every depth of a workflow, and not where keys are the caller’s own', async () => {
    const notificationGroupId = await generalGroupId(session);
    const body = {
      name: 'x',
      notificationGroupId,
      actve: true,
      data: { any: 1 },
      preferenceSettings: { emial: true },
      steps: [STEP],
    };
    expect(await warningOf(session.post('/v1/workflows', body), 201)).toBe(
      'unknown body fields ignored: actve, preferenceSettings.emial, steps.0.actve, steps.0.metadata.amonut, ' +
        'steps.0.filters.0.children.0.vlaue, steps.0.filters.0.negated, steps.0.variants.0.nmae',
    );
  });

  it.each<[string, Json, string | undefined]>([
    [
      'payload and overrides',
      { payload: { a: { b: 1 } }, overrides: { chat: { any: 1 }, push: { any: 1 } } },
      undefined,
    ],
    [
      'the overrides of a channel',
      { overrides: { email: { any: 1 }, sms: { any: 1 } } },
      'overrides.email.any, overrides.sms.any',
    ],
    [
      'the overrides of each provider',
      { overrides: Object.fromEntries(PROVIDER_CATALOGUE.map(({ id }) => [id, { any: 1 }])) },
      undefined,
    ],
    [
      'overrides',
      { overrides: { emial: {}, delay: { amount: 1, unit: 'days', untl: 1 } } },
      'overrides.emial, overrides.delay.untl',
    ],
    ['a described recipient', { to: [{ subscriberId: 'a', emial: 'x', data: { any: 1 } }] }, 'to.0.emial'],
    ['a topic', { to: { type: 'Topic', topicKey: 'none', exclude: [], exlude: [] } }, 'to.exlude'],
    [
      'an actor and a tenant',
      { actor: { subscriberId: 'b', nmae: 1 }, tenant: { identifier: 't', datta: 1 } },
      'actor.nmae, tenant.datta',
    ],
    ['the trigger itself', { delay: 5 }, 'delay'],
  ])('should look into %s of a trigger', async (_case, more, names) => {
    const { headers } = await session.post('/v1/events/trigger', { name, to: 'ann', ...more });
    expect((headers as Json)[HEADER]).toBe(names && `unknown body fields ignored: ${names}`);
  });

  it('should look into each event of a bulk call', async () => {
    const events = [
      { name, to: 'ann' },
      { name, to: { subscriberId: 'a', phnoe: '1' }, payloda: {} },
    ];
    expect(await warningOf(session.post('/v1/events/trigger/bulk', { events }), 201)).toBe(
      'unknown body fields ignored: events.1.to.phnoe, events.1.payloda',
    );
  });

  it('should look into credentials and conditions of integrations', async () => {
    const body = {
      providerId: 'nodemailer',
      channel: 'email',
      credentials: { hots: 'x' },
      conditions: [{ children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'x', extra: 1 }] }],
    };
    expect(await warningOf(session.post('/v1/integrations', body), 201)).toBe(
      'unknown body fields ignored: credentials.hots, conditions.0.children.0.extra',
    );
  });

  it('should name query parameters, of routes with filters and without', async () => {
    expect(await warningOf(session.get('/v1/notifications?statsu=failed&limit=1&page=0'))).toBe(
      'unknown query parameters ignored: statsu',
    );
    expect(await warningOf(session.get('/v1/feeds?page=1&_=123'))).toBe('unknown query parameters ignored: page');
    expect(await warningOf(session.get('/v1/notifications?channels[]=email&templates='))).toBeUndefined();
  });

  it('should name fields of bodies that a route does not read, and both kinds together', async () => {
    const call = session.put('/v1/workflows/64f0c1a2b3c4d5e6f7a8b9c0/status?force=1', { active: true, draft: true });
    expect(await warningOf(call, 404)).toBe(
      'unknown body fields ignored: draft; unknown query parameters ignored: force',
    );
    const path = '/v1/notifications/64f0c1a2b3c4d5e6f7a8b9c0/replay';
    expect(await warningOf(session.post(path, { jobIds: [] }), 404)).toBe('unknown body fields ignored: jobIds');
  });

  it('should keep the header short and harmless, whatever the names are', async () => {
    const names = [
      'a\r\nSet-Cookie: x=1',
      'ключ',
      'a,b',
      'x'.repeat(5_000),
      ...Array.from({ length: 150 }, (_, n) => `key${n}`),
    ];
    const body = { subscriberId: 'bob', ...Object.fromEntries(names.map((one) => [one, 1])) };
    const { headers } = await session.post('/v1/subscribers', body).expect(201);
    const warning = String((headers as Json)[HEADER]);
    expect(warning).toMatch(
      /^unknown body fields ignored: a\?\?Set-Cookie:\?x\?1, \?\?\?\?, a\?b, x{80}\.\.\., key0, .* and 90 more$/,
    );
    expect(warning.length).toBeLessThan(300);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('should be shown to browsers', async () => {
    const { headers } = await session.get('/v1/feeds').set('Origin', 'https://app.example.com').expect(200);
    expect((headers as Json)['access-control-expose-headers']).toContain('Herald-Warning');
  });

  it('should not cost a body of masses of keys more than a moment', async () => {
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key${n}`, n]));
    const started = process.cpuUsage().user;
    await session.post('/v1/subscribers', { subscriberId: 'cid', ...keys }).expect(201);
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(5_000);
  });

  it('should say nothing of a record that is sent back as it was read', async () => {
    const made = async (path: string, body: Json): Promise<Json> => dataOf(await session.post(path, body));
    const workflow = await createWorkflow(session, { steps: [stepFactory()], deprecated: true });
    const [tenant, layout, hook] = [
      await made('/v1/tenants', { identifier: 't', name: 'T', data: {} }),
      await made('/v1/layouts', {
        name: 'l',
        identifier: 'l',
        content: '{{{body}}}',
        variables: [{ name: 'a', type: 'String' }],
      }),
      await made('/v1/webhooks', { url: 'https://example.com/hook', events: ['message.sent'] }),
    ];
    await made('/v1/topics', { key: 'k', name: 'K' });
    const integration = await made('/v1/integrations', { providerId: 'nodemailer', channel: 'email' });
    const subscriber = await made('/v1/subscribers', { subscriberId: 'read', email: 'r@example.com' });
    const override = await made('/v1/workflow-overrides', {
      workflowId: workflow['_id'],
      tenantId: tenant['_id'],
      active: true,
    });
    const layoutRead = dataOf(await session.get(`/v1/layouts/${String(layout['_id'])}`).expect(200));
    const topicRead = dataOf(await session.get('/v1/topics/k').expect(200));
    const hookRead = dataOf(await session.get(`/v1/webhooks/${String(hook['_id'])}`).expect(200));
    const calls: [string, Test][] = [
      ['workflow', session.put(workflowPath(workflow), workflow)],
      ['tenant', session.patch('/v1/tenants/t', tenant)],
      ['layout', session.patch(`/v1/layouts/${String(layout['_id'])}`, layoutRead)],
      ['topic', session.patch('/v1/topics/k', topicRead)],
      ['webhook', session.patch(`/v1/webhooks/${String(hook['_id'])}`, hookRead)],
      ['integration', session.put(`/v1/integrations/${String(integration['_id'])}`, integration)],
      ['subscriber', session.put('/v1/subscribers/read', subscriber)],
      ['override', session.put(`/v1/workflow-overrides/${String(override['_id'])}`, override)],
    ];
    const warnings: [string, unknown][] = [];
    for (const [of, call] of calls) {
      const { status, headers } = await call;
      warnings.push([of, (headers as Json)[HEADER] ?? status]);
    }
    expect(warnings).toEqual(calls.map(([of]) => [of, 200]));
  });
});

describe('unknown input with STRICT_INPUT', () => {
  const api = useTestApi({ STRICT_INPUT: '1' });
  let session: TestSession;
  beforeAll(async () => {
    session = await api.session();
  });

  it('should be refused with its path, and change nothing', async () => {
    const faults = await faultsOf(session.post('/v1/subscribers?notify=1', { subscriberId: 'ann', emial: 'x' }));
    expect(faults).toEqual([
      'emial is not a field of this request. Correct its name or leave it out',
      'notify is not a query parameter of this route. Correct its name or leave it out',
    ]);
    await session.get('/v1/subscribers/ann').expect(404);
  });

  it('should let known input pass, with the extra fields of older clients', async () => {
    await createWorkflow(session, { deprecated: false, _id: 'x', __v: 3, createdAt: 'x', steps: [stepFactory()] });
    await session.get('/v1/notifications?page=0&limit=10').expect(200);
  });
});
