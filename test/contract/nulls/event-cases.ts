import type { Json } from '../../support/answers.js';
import { FREE, PROFILE, scheduleBody } from './bodies.js';
import type { NewCase } from './cases.js';
import type { World } from './world.js';

const recipient = (world: World): Json => ({
  subscriberId: world.name(),
  ...PROFILE,
  channels: [{ providerId: 'discord', credentials: { webhookUrl: 'https://example.com/a', channel: 'a' } }],
});

const tenant = (world: World): Json => ({ identifier: world.name(), name: 'Acme', data: FREE });

const OVERRIDES = {
  email: { subject: 'Other', headers: { 'X-A': 'a' }, integrationIdentifier: 'none', free: null },
  sms: { content: 'Other', free: null },
  delay: { amount: 1, unit: 'minutes' },
  layoutIdentifier: 'none',
  fcm: FREE,
};

const event = (world: World): Json => ({
  ...common(world),
  to: recipient(world),
  skipWaits: true,
});

/** Of triggers and broadcasts. */
const common = (world: World): Json => ({
  name: world.workflow.identifier,
  transactionId: world.name(),
  payload: FREE,
  overrides: OVERRIDES,
  actor: recipient(world),
  tenant: tenant(world),
});

const peopleOf = ({ to, actor, tenant: one }: Json): string[] => [
  ...[to, actor].filter(Boolean).map((person) => `/v1/subscribers/${String((person as Json)['subscriberId'])}`),
  ...(one === undefined || one === null ? [] : [`/v1/tenants/${String((one as Json)['identifier'])}`]),
];

/** What steps are rendered with. */
const sample = (world: World): Json => ({
  payload: FREE,
  subscriber: { ...recipient(world), subscriberId: world.subscriberId, channels: undefined },
  actor: { subscriberId: world.subscriberId, firstName: 'Grace' },
  tenant: tenant(world),
  locale: 'en-GB',
  events: [FREE],
});

const REQUIRED_OF_EVENTS = { 'events.*.name': 'is required', 'events.*.to': 'is required' };

export const EVENT_CASES: Readonly<Record<string, NewCase>> = {
  'POST /v1/events/trigger': { body: event, reads: peopleOf, delivers: true },
  'POST /v1/events/trigger/bulk': {
    body: (world) => ({ events: [event(world)] }),
    delivers: true,
    own: REQUIRED_OF_EVENTS,
    reads: ({ events }) => (events as Json[]).flatMap(peopleOf),
  },
  'POST /v1/events/trigger/broadcast': {
    body: common,
  },
  'POST /v1/events/trigger/dry-run': { body: (world) => ({ ...event(world), waits: {} }) },
  'POST /v1/events/signal': {
    body: (world) => ({
      name: 'order.paid',
      transactionId: world.name(),
      subscriberId: world.subscriberId,
      payload: FREE,
    }),
  },
  'POST /v1/workflows/{workflowId}/steps/{stepId}/preview': {
    path: ({ workflow: { _id, stepId } }) => `/v1/workflows/${_id}/steps/${stepId}/preview`,
    body: (world) => ({
      ...sample(world),
      variantId: undefined,
      template: { subject: 'A', preheader: 'B', senderName: 'C', title: 'D', content: 'Hi', contentType: 'customHtml' },
    }),
  },
  'POST /v1/workflows/{workflowId}/steps/{stepId}/test': {
    path: ({ workflow: { _id, stepId } }) => `/v1/workflows/${_id}/steps/${stepId}/test`,
    body: (world) => ({ ...sample(world), subscriber: world.subscriberId }),
  },
  'POST /v1/workflows/{workflowId}/steps/preview': {
    path: ({ workflow: { _id } }) => `/v1/workflows/${_id}/steps/preview`,
    body: (world) => ({
      ...sample(world),
      step: {
        name: 'Tell',
        template: { type: 'email', subject: 'A', content: '<p>Hi</p>', contentType: 'customHtml' },
      },
    }),
  },
  'POST /v1/notifications/replay': {
    body: ({ subscriberId, workflow }) => ({
      filter: {
        channels: ['email'],
        templates: [workflow._id],
        emails: ['ann@example.com'],
        subscriberIds: [subscriberId],
        search: 'ann',
        transactionId: 'none',
        deadLetter: true,
        from: '2026-01-01T00:00:00Z',
        to: '2026-01-02T00:00:00Z',
      },
      includeUncertain: true,
      limit: 5,
    }),
  },
  'POST /v1/questions': {
    body: async ({ subscriberId, topic, workflow, ...world }) => ({
      title: 'Deploy?',
      body: 'All tests pass.',
      kind: 'text',
      schema: { maxLength: 10 },
      subscribers: [subscriberId],
      topics: [topic],
      waves: [],
      quorum: 'one',
      veto: false,
      default: 'no',
      expiresIn: 3_600,
      remindAfter: 60,
      workflow: workflow.identifier,
      tenant: (await world.make('POST', '/v1/tenants', { identifier: world.name(), name: 'A' }))['identifier'],
      payload: FREE,
    }),
    reads: (_sent, { _id }) => [`/v1/questions/${String(_id)}`],
  },
  'POST /v1/schedules': {
    body: scheduleBody,
    reads: (_sent, { _id }) => [`/v1/schedules/${String(_id)}`],
  },
  'POST /v1/schedules/preview': {
    body: () => ({
      rule: { frequency: 'monthly', interval: 2, dayOfMonth: 3, hour: 9, minute: 30 },
      timezone: 'Europe/Berlin',
      startAt: '2099-01-31T09:00:00Z',
      endAt: '2099-12-31T09:00:00Z',
    }),
  },
};
