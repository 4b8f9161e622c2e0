import type { Json } from '../../support/answers.js';
import type { ChangeCase, NewCase } from './cases.js';
import type { World } from './world.js';

const FREE = { none: null, list: [null, { none: null }] };
export const SWITCHES = { email: false, sms: false, in_app: false, chat: false, push: false };
const CONDITIONS = [
  {
    isNegated: true,
    type: 'BOOLEAN',
    value: 'OR',
    children: [{ on: 'payload', field: 'total', operator: 'LARGER', value: '0' }],
  },
];
const WINDOW = {
  timezone: 'Europe/Berlin',
  weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
};
const VARIABLES = [{ name: 'total', type: 'String', required: true, defaultValue: '1' }];
const BUTTON = { type: 'primary', content: 'Ok', resultContent: 'Done', url: '/x', target: '_self' };

const collect = {
  uuid: 'collect',
  stepId: 'collect',
  name: 'Collect',
  active: false,
  shouldStopOnFail: true,
  template: { type: 'digest', name: 'Digest' },
  metadata: {
    type: 'regular',
    amount: 5,
    unit: 'minutes',
    digestKey: 'customer',
    backoff: true,
    backoffAmount: 1,
    backoffUnit: 'minutes',
    updateMode: true,
    extendToSchedule: true,
  },
};

const weekly = {
  uuid: 'weekly',
  template: { type: 'digest' },
  metadata: { type: 'timed', amount: 1, unit: 'weeks', timed: { atTime: '09:00', weekDays: ['monday'] } },
};

const bell = (feed: Json): Json => ({
  uuid: 'bell',
  name: 'Tell',
  template: {
    type: 'in_app',
    content: 'Hi',
    subject: 'A',
    title: 'B',
    name: 'C',
    cta: { type: 'redirect', data: { url: '/a', target: '_self' }, action: { buttons: [BUTTON] } },
    actor: { type: 'system_icon', data: 'info' },
    variables: VARIABLES,
    ...feed,
    free: FREE,
  },
  filters: CONDITIONS,
  replyCallback: { active: true, url: 'https://example.com/a' },
  metadata: { outsideSchedule: 'wait', sendWindow: WINDOW },
  variants: [{ name: 'Other', template: { type: 'in_app', content: 'Other' }, filters: CONDITIONS }],
});

/** Those of new workflows are stored in the same way. */
const small = (feed: Json): Json => ({
  uuid: 'bell',
  template: { type: 'in_app', content: 'Hi', title: 'A', cta: { data: { url: '/a' } }, ...feed },
  filters: CONDITIONS,
});

const mail = (layout: Json): Json => ({
  uuid: 'mail',
  template: {
    type: 'email',
    subject: 'A',
    preheader: 'B',
    senderName: 'C',
    contentType: 'editor',
    content: [{ type: 'button', content: 'Open', url: 'https://example.com', styles: { textAlign: 'left' } }],
    ...layout,
  },
});

const call = {
  uuid: 'call',
  template: {
    type: 'http_request',
    method: 'POST',
    url: 'https://example.com',
    headers: [{ key: 'X-A', value: 'a' }],
    body: [{ key: 'a', value: 'b' }],
    responseBodySchema: { type: 'object' },
    enforceSchemaValidation: true,
    continueOnFailure: true,
    timeoutMs: 500,
    maxAttempts: 2,
    sampleResponse: FREE,
  },
};

const wait = {
  uuid: 'wait',
  template: { type: 'wait_for_event' },
  metadata: {
    event: 'order.paid',
    amount: 1,
    unit: 'days',
    match: [{ path: 'id', value: '{{payload.id}}' }],
    onMatch: 'continue',
    onTimeout: 'stop',
  },
};

const seldom = {
  uuid: 'seldom',
  template: { type: 'throttle' },
  metadata: { type: 'fixed', amount: 1, unit: 'days', threshold: 2, throttleKey: 'customer' },
};

const workflow = (world: World): Json => ({
  name: world.name(),
  notificationGroupId: world.groupId,
  steps: [bell({ feedId: world.feed._id })],
  tags: ['a'],
  description: 'A',
  active: true,
  draft: true,
  critical: true,
  severity: 'high',
  unsubscribe: 'off',
  tracking: { opens: true, clicks: true },
  missingAddress: 'fail',
  missingValues: 'stop',
  hidden: true,
  templateLanguage: 'liquid',
  preferenceSettings: SWITCHES,
  outsideSchedule: 'wait',
  sendWindow: WINDOW,
  blueprintId: 'a',
  notificationGroup: { name: 'General' },
  deprecated: true,
  data: FREE,
  note: 'A',
});

/** `null` is a value to compare with. */
const CONDITION_VALUES = {
  'steps.*.filters.*.children.*.value': 'is a value to compare with',
  'steps.*.variants.*.filters.*.children.*.value': 'is a value to compare with',
};

const create: NewCase = {
  body: workflow,
  reads: (_sent, { _id }) => [`/v1/workflows/${String(_id)}`],
  own: CONDITION_VALUES,
};

const update = (base: string): ChangeCase => ({
  body: (world) => ({
    ...workflow(world),
    identifier: world.name(),
    blueprintId: undefined,
    notificationGroup: undefined,
  }),
  own: CONDITION_VALUES,
  kept: {
    name: 'every workflow has one',
    identifier: 'every workflow has one',
    notificationGroupId: 'every workflow has one',
    steps: 'the list stays',
  },
  unseen: { note: 'is shown by the list of versions', deprecated: 'has no effect' },
  sent: [
    'name',
    'notificationGroupId',
    'steps',
    'tags',
    'description',
    'critical',
    'severity',
    'unsubscribe',
    'tracking',
    'missingAddress',
    'missingValues',
    'hidden',
    'templateLanguage',
    'preferenceSettings',
    'outsideSchedule',
    'sendWindow',
    'data',
    'note',
    'identifier',
    'deprecated',
  ],
  record: async (world, body) => {
    const { _id } = await world.make('POST', '/v1/workflows', { ...body, name: body['name'] ?? world.name() });
    return { path: `${base}/${String(_id)}`, read: `/v1/workflows/${String(_id)}` };
  },
});

const definition = (world: World): Json => {
  const {
    notificationGroup: _named,
    notificationGroupId: _group,
    draft: _draft,
    blueprintId: _id,
    deprecated: _old,
    note: _note,
    ...rest
  } = workflow(world);
  const group = { notificationGroup: 'General', identifier: world.name() };
  return { ...rest, ...group, steps: [small({ feed: world.feed.identifier })] };
};

/** A workflow of one step. */
const ofStep = (stepOf: (world: World) => Json): NewCase => ({
  body: (world) => ({ name: world.name(), steps: [stepOf(world)] }),
});

export const WORKFLOW_CASES: Readonly<Record<string, NewCase | ChangeCase>> = {
  'POST /v1/workflows': create,
  'POST /v1/workflows (digest)': ofStep(() => collect),
  'POST /v1/workflows (timed digest)': ofStep(() => weekly),
  'POST /v1/workflows (mail)': ofStep(({ layoutId }) => mail({ layoutId })),
  'POST /v1/workflows (request)': ofStep(() => call),
  'POST /v1/workflows (wait)': ofStep(() => wait),
  'POST /v1/workflows (throttle)': ofStep(() => seldom),
  'POST /v1/notification-templates': { ...create, isShallow: true },
  'PUT /v1/workflows/{workflowId}': { ...update('/v1/workflows'), isShallow: true },
  'PUT /v1/workflows/{workflowId} (steps)': {
    ...update('/v1/workflows'),
    body: ({ feed, layoutId }) => ({ description: 'A', steps: [small({ feedId: feed._id }), mail({ layoutId })] }),
    sent: ['description', 'steps'],
  },
  'PUT /v1/notification-templates/{workflowId}': { ...update('/v1/notification-templates'), isShallow: true },
  'POST /v1/workflows/{workflowId}/versions/{version}/restore': {
    body: () => ({ note: 'A' }),
    record: async (world) => {
      const { _id } = await world.make('POST', '/v1/workflows', { name: world.name(), steps: [] });
      const path = `/v1/workflows/${String(_id)}`;
      await world.make('PUT', path, { description: 'A' });
      return { path: `${path}/versions/0/restore`, read: `${path}/versions` };
    },
  },
  'PUT /v1/definitions/workflows/{workflowIdentifier}': {
    body: definition,
    own: CONDITION_VALUES,
    path: (_world, { identifier }) => `/v1/definitions/workflows/${String(identifier)}`,
    reads: ({ identifier }) => [`/v1/workflows/${String(identifier)}`],
  },
};
