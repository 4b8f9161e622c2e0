import { CONDITIONS, SMTP_CREDENTIALS } from '../../factories/integration.factory.js';
import type { Json } from '../../support/answers.js';
import { PASSWORD, tokenOf } from '../../support/signed-in-browser.js';
import { FREE, PROFILE, scheduleBody } from './bodies.js';
import type { ChangeCase, NewCase } from './cases.js';
import { SWITCHES } from './workflow-cases.js';
import type { World } from './world.js';

const VARIABLES = [{ name: 'year', type: 'String', required: true, defaultValue: '2026' }];

/** What a body names, in the path. */
const at =
  (base: string, field: string) =>
  (_world: World, { [field]: id }: Json): string =>
    `${base}/${String(id)}`;

/** A record that POST makes, and whose path ends with this field of the answer. */
const recordOf =
  (base: string, field = '_id') =>
  async (world: World, body: Json): Promise<{ path: string; read: string }> => {
    const path = `${base}/${String((await world.make('POST', base, body))[field])}`;
    return { path, read: path };
  };

const readBack =
  (base: string, field = '_id') =>
  (_sent: Json, { [field]: id }: Json): string[] => [`${base}/${String(id)}`];

const removed =
  (base: string) =>
  ({ _id }: Json): string =>
    `${base}/${String(_id)}`;

const credentials = {
  webhookUrl: 'https://example.com/a',
  channel: 'a',
  alertUid: 'a',
  title: 'a',
  imageUrl: 'https://example.com/a.png',
  state: 'a',
  externalUrl: 'https://example.com/b',
  deviceTokens: ['a'],
};
const channels = [{ providerId: 'discord', credentials }];
const subscriber = (world: World): Json => ({ subscriberId: world.name(), ...PROFILE, channels });
const readSubscriber = ({ subscriberId }: Json): string[] => [`/v1/subscribers/${String(subscriberId)}`];

const integration = (world: World): Json => ({
  providerId: 'nodemailer',
  channel: 'email',
  name: 'Mail',
  identifier: world.name(),
  _environmentId: world.session.environmentId,
  credentials: SMTP_CREDENTIALS,
  active: true,
  check: false,
  retryUncertain: true,
  tracking: { opens: true, clicks: true },
  messagesPerSecond: 5,
  conditions: CONDITIONS,
});

const budget = (world: World): Json => ({
  name: world.name(),
  max: 3,
  channels: ['email'],
  window: 'rolling',
  amount: 2,
  unit: 'hours',
  over: 'hold',
  digestWorkflow: world.workflow.identifier,
  active: false,
});

const override = async (world: World): Promise<{ workflowId: string; tenantId: string }> => {
  const workflow = { name: world.name(), active: true, steps: [] };
  const { identifier } = await world.make('POST', '/v1/tenants', { identifier: world.name(), name: 'A' });
  return {
    workflowId: String((await world.make('POST', '/v1/workflows', workflow))['_id']),
    tenantId: String(identifier),
  };
};

const group = (world: World): Json => ({ name: world.name(), description: 'A', order: 2 });

const layout = (world: World): Json => ({
  name: 'Company',
  identifier: world.name(),
  description: 'A',
  variables: VARIABLES,
  content: '<b>{{{body}}}</b>',
  isDefault: false,
});

let locales = 0;
/** Of a language of its own. */
const locale = (): string => `de-x-a${++locales}`;

const LIMITS = {
  callsPerMinute: 10,
  notifications: 5,
  people: 5,
  periodMinutes: 30,
  approvalAbove: 1,
  approvers: ['ann'],
  sendWindow: { timezone: 'Europe/Berlin', weeklySchedule: { monday: { isEnabled: true } } },
};

const credentialsOf = (method: 'PUT' | 'PATCH'): ChangeCase => ({
  body: () => ({ providerId: 'discord', credentials }),
  record: async (world, body) => {
    const { subscriberId } = await world.make('POST', '/v1/subscribers', { subscriberId: world.name() });
    const read = `/v1/subscribers/${String(subscriberId)}`;
    await world.make(method, `${read}/credentials`, body);
    return { path: `${read}/credentials`, read };
  },
});

const overrideUpdate: ChangeCase = {
  body: () => ({ active: false, preferenceSettings: SWITCHES }),
  record: async (world, body) => {
    const { _id } = await world.make('POST', '/v1/workflow-overrides', { ...(await override(world)), ...body });
    return { path: `/v1/workflow-overrides/${String(_id)}`, read: `/v1/workflow-overrides/${String(_id)}` };
  },
};

/** Each entry is checked on its own, after the body. */
const REQUIRED_OF_SUBSCRIBERS = {
  'subscribers.*.subscriberId': 'is required',
  'subscribers.*.channels.*.providerId': 'is required',
  'subscribers.*.channels.*.credentials': 'is required',
};

export const MANAGEMENT_CASES: Readonly<Record<string, NewCase | ChangeCase>> = {
  // Before there is much to compare.
  'POST /v1/promotions/preview': {
    by: 'person',
    body: ({ sourceId }) => ({ sourceEnvironmentId: sourceId, prune: false }),
  },
  'POST /v1/promotions': {
    by: 'person',
    body: async (world) => {
      const body = { sourceEnvironmentId: world.sourceId, prune: false };
      const preview = await world.send('person', 'POST', '/v1/promotions/preview', body);
      return { ...body, digest: (preview.body?.['data'] as Json)['digest'] };
    },
  },
  'POST /v1/subscribers': { body: subscriber, reads: readSubscriber },
  'POST /v1/subscribers/bulk': {
    body: (world) => ({ subscribers: [subscriber(world)] }),
    own: REQUIRED_OF_SUBSCRIBERS,
    reads: ({ subscribers }) => (subscribers as Json[]).flatMap(readSubscriber),
  },
  'PUT /v1/subscribers/{subscriberId}': {
    body: () => PROFILE,
    record: async (world, body) => {
      const { subscriberId } = await world.make('POST', '/v1/subscribers', { ...body, subscriberId: world.name() });
      return { path: `/v1/subscribers/${String(subscriberId)}`, read: `/v1/subscribers/${String(subscriberId)}` };
    },
  },
  'PUT /v1/subscribers/{subscriberId}/credentials': credentialsOf('PUT'),
  'PATCH /v1/subscribers/{subscriberId}/credentials': credentialsOf('PATCH'),
  'PATCH /v1/subscribers/{subscriberId}/online-status': {
    path: ({ subscriberId }) => `/v1/subscribers/${subscriberId}/online-status`,
    body: () => ({ isOnline: true, online: true }),
  },
  'POST /v1/integrations': { body: integration },
  'PUT /v1/integrations/{integrationId}': {
    body: integration,
    sent: [
      'name',
      'identifier',
      '_environmentId',
      'credentials',
      'active',
      'check',
      'retryUncertain',
      'tracking',
      'messagesPerSecond',
      'conditions',
    ],
    record: async (world, body) => {
      const { _id } = await world.make('POST', '/v1/integrations', body);
      return { path: `/v1/integrations/${String(_id)}` };
    },
    kept: { name: 'every integration has one', identifier: 'every integration has one' },
    unseen: { check: 'is not stored', _environmentId: 'is that of the key' },
  },
  'POST /v1/suppressions': {
    body: (world) => ({ channel: 'email', address: `${world.name()}@example.com`, kind: 'bounce', reason: 'A' }),
  },
  'POST /v1/budgets': { body: budget, reads: readBack('/v1/budgets'), remove: removed('/v1/budgets') },
  'PUT /v1/budgets/{budgetId}': {
    body: budget,
    record: recordOf('/v1/budgets'),
    remove: removed('/v1/budgets'),
    kept: { name: 'every budget has one' },
  },
  'PUT /v1/definitions/budgets/{budgetName}': {
    body: budget,
    path: (_world, { name }) => `/v1/definitions/budgets/${String(name)}?dryRun=true`,
  },
  'PATCH /v1/segments/{segmentId}': {
    body: (world) => ({ name: world.name(), conditions: [] }),
    record: async (world, body) => {
      const { segmentId } = await world.make('POST', '/v1/segments', { segmentId: world.name(), ...body });
      const path = `/v1/segments/${String(segmentId)}`;
      return { path, read: path };
    },
    kept: { name: 'every segment has one', conditions: 'every segment has them' },
  },
  'POST /v1/notification-groups': { body: group, reads: readBack('/v1/notification-groups') },
  'PATCH /v1/notification-groups/{groupId}': {
    body: group,
    record: recordOf('/v1/notification-groups'),
    kept: { name: 'every group has one' },
  },
  'PUT /v1/definitions/notification-groups/{groupName}': {
    body: () => ({ name: 'Billing', description: 'A', order: 2 }),
    path: () => '/v1/definitions/notification-groups/Billing?dryRun=true',
  },
  'POST /v1/tenants': {
    body: (world) => ({ identifier: world.name(), name: 'Acme', data: FREE, publicUrl: 'https://acme.example' }),
    reads: readBack('/v1/tenants', 'identifier'),
  },
  'PATCH /v1/tenants/{identifier}': {
    body: (world) => ({ identifier: world.name(), name: 'Acme', data: FREE, publicUrl: 'https://acme.example' }),
    record: recordOf('/v1/tenants', 'identifier'),
    kept: { identifier: 'every tenant has one', name: 'every tenant has one' },
  },
  'POST /v1/workflow-overrides': {
    body: async (world) => ({ ...(await override(world)), active: false, preferenceSettings: SWITCHES }),
    reads: readBack('/v1/workflow-overrides'),
  },
  'PUT /v1/workflow-overrides/{overrideId}': overrideUpdate,
  'PUT /v1/workflow-overrides/workflows/{workflowId}/tenants/{tenantId}': {
    ...overrideUpdate,
    record: async (world, body) => {
      const { workflowId, tenantId } = await override(world);
      await world.make('POST', '/v1/workflow-overrides', { workflowId, tenantId, ...body });
      const path = `/v1/workflow-overrides/workflows/${workflowId}/tenants/${tenantId}`;
      return { path, read: path };
    },
  },
  'PUT /v1/definitions/workflow-overrides/{workflowIdentifier}/{tenantIdentifier}': {
    body: ({ workflow, tenant }) => ({
      workflow: workflow.identifier,
      tenant,
      active: false,
      preferenceSettings: SWITCHES,
    }),
    path: ({ workflow, tenant }) => `/v1/definitions/workflow-overrides/${workflow.identifier}/${tenant}?dryRun=true`,
  },
  'POST /v1/layouts': { body: layout, reads: readBack('/v1/layouts') },
  'PATCH /v1/layouts/{layoutId}': {
    body: layout,
    record: recordOf('/v1/layouts'),
    kept: {
      name: 'every layout has one',
      identifier: 'every layout has one',
      content: 'every layout has some',
    },
    unseen: { isDefault: 'is false without being sent' },
  },
  'PUT /v1/definitions/layouts/{layoutIdentifier}': {
    body: layout,
    path: at('/v1/definitions/layouts', 'identifier'),
  },
  'POST /v1/layouts/preview': {
    body: () => ({ variables: VARIABLES, payload: FREE, content: '{{{body}}} {{year}}' }),
  },
  'PUT /v1/secrets/{name}': {
    path: () => '/v1/secrets/A',
    body: () => ({ value: 'A', hosts: ['crm.example.com'] }),
  },
  'PUT /v1/translations/{locale}': {
    path: () => `/v1/translations/${locale()}`,
    body: () => ({ messages: { hello: 'Hallo' }, isDefault: false }),
  },
  'PUT /v1/definitions/translations/{locale}': {
    path: at('/v1/definitions/translations', 'locale'),
    body: () => ({ locale: locale(), messages: { hello: 'Hallo' }, isDefault: false }),
  },
  'POST /v1/webhooks': {
    body: () => ({ url: 'https://example.com/a', events: ['message.sent'], description: 'A', active: false }),
    reads: readBack('/v1/webhooks'),
  },
  'PATCH /v1/webhooks/{webhookId}': {
    body: () => ({ url: 'https://example.com/a', events: ['message.sent'], description: 'A', active: false }),
    record: recordOf('/v1/webhooks'),
    kept: { url: 'every webhook has one', events: 'every webhook has some' },
  },
  'PATCH /v1/alerts': {
    body: () => ({
      isOn: true,
      subscribers: [],
      topic: 'on-call',
      kinds: ['provider'],
      failurePercent: 30,
      lateMinutes: 10,
      reportAt: '09:00',
      timezone: 'Europe/Berlin',
    }),
    record: async (world, body) => {
      const none = Object.fromEntries(Object.keys(body).map((field) => [field, null]));
      await world.make('PATCH', '/v1/alerts', none);
      await world.make('PATCH', '/v1/alerts', body);
      return { path: '/v1/alerts', read: '/v1/alerts' };
    },
    unseen: { subscribers: 'they become members of the topic' },
  },
  'PATCH /v1/schedules/{scheduleId}': {
    body: scheduleBody,
    record: recordOf('/v1/schedules'),
    kept: { workflow: 'every schedule has one', startAt: 'is a time in any case' },
  },
  'POST /v1/users/session': {
    by: 'nobody',
    body: ({ email }) => ({ email, password: PASSWORD, code: '123456' }),
  },
  'POST /v1/users/invitations/accept': {
    by: 'nobody',
    body: async (world) => {
      const email = `${world.name()}@example.com`;
      const { url } = await world.make('POST', '/v1/users/invitations', { email, role: 'viewer' });
      return { token: tokenOf(String(url)), password: PASSWORD, name: 'Ann', code: '123456', email };
    },
  },
  'POST /v1/users/invitations': {
    body: (world) => ({
      email: `${world.name()}@example.com`,
      role: 'viewer',
      environmentIds: [world.session.environmentId],
    }),
  },
  'POST /v1/environments/api-keys': {
    body: (world) => ({
      name: world.name(),
      kind: 'agent',
      limits: LIMITS,
      scopes: ['trigger'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    }),
  },
  'PATCH /v1/environments/api-keys/{apiKeyId}': {
    body: () => ({ limits: LIMITS }),
    record: async (world, body) => {
      const asked = { name: world.name(), kind: 'agent', ...body };
      const { _id } = await world.make('POST', '/v1/environments/api-keys', asked);
      return { path: `/v1/environments/api-keys/${String(_id)}` };
    },
  },
  'PUT /v1/organizations/branding': {
    body: () => ({
      logo: 'https://example.com/a.png',
      color: '#0b6b5d',
      fontColor: '#0b6b5d',
      contentBackground: '#0b6b5d',
      fontFamily: 'Inter',
    }),
    record: async (world, body) => {
      const none = { logo: null, color: null, fontColor: null, contentBackground: null, fontFamily: null };
      await world.make('PUT', '/v1/organizations/branding', none);
      await world.make('PUT', '/v1/organizations/branding', body);
      return { path: '/v1/organizations/branding', read: '/v1/organizations/me' };
    },
  },
};
