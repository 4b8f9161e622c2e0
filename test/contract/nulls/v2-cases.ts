import type { Json } from '../../support/answers.js';
import { FREE, PROFILE, SCHEDULE } from './bodies.js';
import type { ChangeCase, NewCase } from './cases.js';
import { SWITCHES } from './workflow-cases.js';
import type { World } from './world.js';

const tagged = (change: string, more: (world: World) => Json = () => ({})): NewCase => ({
  path: ({ subscriberId }) => `/v2/subscribers/${subscriberId}/notifications/${change}`,
  body: (world) => ({ tags: ['none'], feedIdentifier: 'none', data: '{"none":1}', ...more(world) }),
});

const members = (path: (world: World) => string): NewCase => ({
  path,
  body: () => ({ subscriberIds: ['nobody'], subscriptions: ['nobody'] }),
});

/** Of a new subscriber. */
const preferences = (suffix: '' | '/bulk', body: ChangeCase['body'], kept: ChangeCase['kept']): ChangeCase => ({
  body,
  ...(kept && { kept }),
  record: async (world, sent) => {
    const { subscriberId } = await world.make('POST', '/v1/subscribers', { subscriberId: world.name() });
    const path = `/v2/subscribers/${String(subscriberId)}/preferences${suffix}`;
    await world.send('key', 'PATCH', path, sent);
    return { path };
  },
});
const CHANGES = { channels: 'is a list of changes' };

/** Stored nowhere. */
const UNUSED = { payloadSchema: FREE, isTranslationEnabled: true };
const WORKFLOW = {
  name: 'Text',
  description: 'Tells',
  tags: ['a'],
  active: true,
  severity: 'high',
  preferences: {
    user: { all: { enabled: true, readOnly: true }, channels: { sms: { enabled: false } } },
    workflow: { all: { enabled: true, readOnly: false }, channels: { email: { enabled: false } } },
  },
  steps: [{ stepId: 'text', name: 'Text', type: 'sms', controlValues: { body: 'Hi' } }],
  ...UNUSED,
};

/** Of a new workflow. */
const ofWorkflow: Pick<ChangeCase, 'record' | 'unseen'> = {
  unseen: { payloadSchema: 'it is stored nowhere', isTranslationEnabled: 'it is always true' },
  record: async (world, body) => {
    const workflowId = world.name();
    const { name, steps } = WORKFLOW;
    await world.make('POST', '/v2/workflows', { name, steps, ...body, workflowId });
    return { path: `/v2/workflows/${workflowId}`, read: `/v2/workflows/${workflowId}` };
  },
};

export const V2_CASES: Readonly<Record<string, NewCase | ChangeCase>> = {
  'POST /v2/subscribers': {
    body: (world) => ({ ...PROFILE, subscriberId: world.name() }),
    reads: ({ subscriberId }) => [`/v2/subscribers/${String(subscriberId)}`],
  },
  'PATCH /v2/subscribers/{subscriberId}': {
    body: () => PROFILE,
    record: async (world, body) => {
      const { subscriberId } = await world.make('POST', '/v2/subscribers', { ...body, subscriberId: world.name() });
      return { path: `/v2/subscribers/${String(subscriberId)}`, read: `/v2/subscribers/${String(subscriberId)}` };
    },
  },
  'PATCH /v2/subscribers/{subscriberId}/preferences': preferences(
    '',
    () => ({ channels: SWITCHES, schedule: SCHEDULE }),
    CHANGES,
  ),
  'PATCH /v2/subscribers/{subscriberId}/preferences (of a workflow)': preferences(
    '',
    ({ workflow }) => ({ channels: SWITCHES, workflowId: workflow.identifier }),
    { ...CHANGES, workflowId: 'is whose preference it is' },
  ),
  'PATCH /v2/subscribers/{subscriberId}/preferences/bulk': preferences(
    '/bulk',
    ({ workflow }) => ({ preferences: [{ channels: SWITCHES, workflowId: workflow._id }] }),
    undefined,
  ),
  'POST /v2/subscribers/{subscriberId}/notifications/seen': tagged('seen', ({ messageId }) => ({
    notificationIds: [messageId],
  })),
  'POST /v2/subscribers/{subscriberId}/notifications/read': tagged('read'),
  'POST /v2/subscribers/{subscriberId}/notifications/archive': tagged('archive'),
  'POST /v2/subscribers/{subscriberId}/notifications/read-archive': tagged('read-archive'),
  'POST /v2/subscribers/{subscriberId}/notifications/delete': tagged('delete'),
  'POST /v2/topics': {
    body: (world) => ({ key: world.name(), name: 'Watchers', data: FREE }),
    reads: ({ key }) => [`/v2/topics/${String(key)}`],
  },
  'PATCH /v2/topics/{topicKey}': {
    body: () => ({ name: 'Watchers', data: FREE }),
    record: async (world, body) => {
      const { key } = await world.make('POST', '/v2/topics', { ...body, key: world.name() });
      return { path: `/v2/topics/${String(key)}`, read: `/v2/topics/${String(key)}` };
    },
    kept: { name: 'every topic has one' },
  },
  'POST /v2/topics/{topicKey}/subscriptions': {
    ...members(({ name }) => `/v2/topics/${name()}/subscriptions`),
    body: () => ({ subscriberIds: ['nobody'], subscriptions: ['nobody'], name: 'Watchers' }),
  },
  'POST /v2/workflows': {
    body: (world) => ({ ...WORKFLOW, workflowId: world.name() }),
    reads: ({ workflowId }) => [`/v2/workflows/${String(workflowId)}`],
  },
  'PUT /v2/workflows/{workflowId}': {
    ...ofWorkflow,
    body: () => WORKFLOW,
  },
  'PATCH /v2/workflows/{workflowId}': {
    ...ofWorkflow,
    body: () => ({ name: 'Text', description: 'Tells', tags: ['a'], active: true, ...UNUSED }),
    kept: { name: 'every workflow has one' },
  },
  'POST /v2/workflows/{workflowId}/step/{stepId}/preview': {
    path: ({ workflow }) => `/v2/workflows/${workflow._id}/step/${workflow.stepId}/preview`,
    body: () => ({ controlValues: { body: 'Hi' }, previewPayload: { payload: { a: 1 } } }),
  },
  'POST /v2/environments/{environmentId}/diff': {
    by: 'person',
    path: ({ session }) => `/v2/environments/${session.environmentId}/diff`,
    body: ({ sourceId }) => ({ sourceEnvironmentId: sourceId }),
  },
  'POST /v2/environments/{environmentId}/publish': {
    by: 'person',
    path: ({ session }) => `/v2/environments/${session.environmentId}/publish`,
    body: ({ sourceId }) => ({
      sourceEnvironmentId: sourceId,
      dryRun: true,
      resources: [{ resourceType: 'workflow', resourceId: 'none' }],
    }),
  },
  'DELETE /v2/topics/{topicKey}/subscriptions': members(({ topic }) => `/v2/topics/${topic}/subscriptions`),
};
