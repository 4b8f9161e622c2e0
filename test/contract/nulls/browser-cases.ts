import type { Json } from '../../support/answers.js';
import type { Caller, World } from './world.js';
import { FREE, PROFILE, SCHEDULE } from './bodies.js';
import type { ChangeCase, NewCase } from './cases.js';
import { SWITCHES } from './workflow-cases.js';

const tagged = (path: string): NewCase => ({
  by: 'subscriber',
  path: () => path,
  body: () => ({ tags: ['none'], feedIdentifier: 'none', data: '{"none":1}' }),
});

const marked = (path: (world: World) => string, by: Caller): NewCase => ({
  by,
  path,
  body: ({ messageId }) => ({ messageId: [messageId], mark: { seen: true, read: true } }),
});

const acted = (path: (world: World) => string, by: Caller): NewCase => ({
  by,
  path,
  body: () => ({ status: 'done', payload: FREE }),
});

const ofFeed = (path: (world: World) => string, by: Caller, body: Json): NewCase => ({ by, path, body: () => body });

/** Of every channel. */
const STEPS = [
  { template: { type: 'in_app', content: 'Hi' } },
  { template: { type: 'email', subject: 'Hi', content: 'Hi' } },
  ...['sms', 'chat', 'push'].map((type) => ({ template: { type, title: 'Hi', content: 'Hi' } })),
];

const workflowOf = async (world: World): Promise<string> => {
  const { _id } = await world.make('POST', '/v1/workflows', { name: world.name(), active: true, steps: STEPS });
  return String(_id);
};

/** Of a new subscriber. */
const preferencesOf = async (world: World): Promise<{ path: string; by: `Bearer ${string}` }> => {
  const { subscriberId } = await world.make('POST', '/v1/subscribers', { subscriberId: world.name() });
  return { path: `/v1/subscribers/${String(subscriberId)}/preferences`, by: await world.open(String(subscriberId)) };
};

/** Preferences of everything. */
const ofAll = (base: 'inbox' | 'widgets' | 'subscribers', read: string, body: Json): ChangeCase => ({
  body: () => body,
  kept: { preferences: 'is a list of changes' },
  record: async (world, sent) => {
    const { path: own, by } = await preferencesOf(world);
    const path = base === 'subscribers' ? own : `/v1/${base}/preferences`;
    const caller = base === 'subscribers' ? 'key' : by;
    await world.send(caller, 'PATCH', path, sent);
    return { path, by: caller, read: `${path}${read}` };
  },
});

/** Preferences of one workflow. */
const ofWorkflow = (base: 'inbox' | 'widgets' | 'subscribers', body: Json): ChangeCase => ({
  body: () => body,
  kept: { channel: 'is a change' },
  own: { 'channel.type': 'both or neither', 'channel.enabled': 'both or neither' },
  record: async (world, sent) => {
    const { path: own, by } = await preferencesOf(world);
    const path = `${base === 'subscribers' ? own : `/v1/${base}/preferences`}/${await workflowOf(world)}`;
    const caller = base === 'subscribers' ? 'key' : by;
    await world.send(caller, 'PATCH', path, sent);
    return { path, by: caller };
  },
});
const GLOBAL = { preferences: [{ type: 'email', enabled: false }], enabled: false, schedule: SCHEDULE };
const ONE = { channel: { type: 'in_app', enabled: false }, enabled: false };

/** The subscriber of the session, with nothing set. */
export const BROWSER_CASES: Readonly<Record<string, NewCase | ChangeCase>> = {
  'POST /v1/subscribers/{subscriberId}/messages/markAs': marked(
    ({ subscriberId }) => `/v1/subscribers/${subscriberId}/messages/markAs`,
    'key',
  ),
  'POST /v1/subscribers/{subscriberId}/messages/mark-all': ofFeed(
    ({ subscriberId }) => `/v1/subscribers/${subscriberId}/messages/mark-all`,
    'key',
    { markAs: 'read', feedIdentifier: ['none'] },
  ),
  'POST /v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}': acted(
    ({ subscriberId, messageId }) => `/v1/subscribers/${subscriberId}/messages/${messageId}/actions/primary`,
    'key',
  ),
  'POST /v1/widgets/session/initialize': {
    by: 'nobody',
    body: (world) => {
      const subscriberId = world.name();
      return {
        applicationIdentifier: world.environment,
        subscriberId,
        hmacHash: world.hmac(subscriberId),
        firstName: 'Ann',
        lastName: 'Lee',
        email: 'ann@example.com',
        phone: '+15551230100',
      };
    },
    reads: ({ subscriberId }) => [`/v1/subscribers/${String(subscriberId)}`],
  },
  'POST /v1/widgets/usage/log': { by: 'subscriber', body: () => ({ name: 'Click', payload: FREE }) },
  'POST /v1/widgets/messages/markAs': marked(() => '/v1/widgets/messages/markAs', 'subscriber'),
  'POST /v1/widgets/messages/read': ofFeed(() => '/v1/widgets/messages/read', 'subscriber', { feedId: 'none' }),
  'POST /v1/widgets/messages/seen': ofFeed(() => '/v1/widgets/messages/seen', 'subscriber', { feedId: ['none'] }),
  'POST /v1/widgets/messages/{messageId}/actions/{type}': acted(
    ({ messageId }) => `/v1/widgets/messages/${messageId}/actions/primary`,
    'subscriber',
  ),
  'POST /v1/inbox/session': {
    by: 'nobody',
    body: (world) => {
      const subscriberId = world.name();
      return {
        applicationIdentifier: world.environment,
        subscriber: { subscriberId, ...PROFILE },
        subscriberId,
        subscriberHash: world.hmac(subscriberId),
      };
    },
    reads: ({ subscriber, subscriberId }) => [
      `/v1/subscribers/${String(subscriberId ?? (subscriber as Json | undefined)?.['subscriberId'])}`,
    ],
  },
  'POST /v1/inbox/notifications/seen': {
    ...tagged('/v1/inbox/notifications/seen'),
    body: ({ messageId }) => ({
      tags: ['none'],
      feedIdentifier: 'none',
      data: '{"none":1}',
      notificationIds: [messageId],
    }),
  },
  'POST /v1/inbox/notifications/read': tagged('/v1/inbox/notifications/read'),
  'POST /v1/inbox/notifications/archive': tagged('/v1/inbox/notifications/archive'),
  'POST /v1/inbox/notifications/read-archive': tagged('/v1/inbox/notifications/read-archive'),
  'POST /v1/inbox/notifications/delete': tagged('/v1/inbox/notifications/delete'),
  'PATCH /v1/inbox/preferences': ofAll('inbox', '/global', { ...SWITCHES, schedule: SCHEDULE }),
  'PATCH /v1/inbox/preferences/{workflowId}': ofWorkflow('inbox', SWITCHES),
  'PATCH /v1/inbox/preferences/bulk': {
    body: async (world) => ({ preferences: [{ ...SWITCHES, workflowId: await workflowOf(world) }] }),
    record: async (world, body) => {
      const { by } = await preferencesOf(world);
      await world.send(by, 'PATCH', '/v1/inbox/preferences/bulk', body);
      return { path: '/v1/inbox/preferences/bulk', by };
    },
  },
  'PATCH /v1/widgets/preferences': ofAll('widgets', '/global', GLOBAL),
  'PATCH /v1/widgets/preferences/{levelOrWorkflowId}': ofWorkflow('widgets', ONE),
  'PATCH /v1/subscribers/{subscriberId}/preferences': ofAll('subscribers', '/global', GLOBAL),
  'PATCH /v1/subscribers/{subscriberId}/preferences/{levelOrWorkflowId}': ofWorkflow('subscribers', ONE),
};
