import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

const id = (n: number): string => `65f1${n.toString(16).padStart(20, '0')}`;
export const novuId = id;
export const NOVU_API_KEY = 'novu-api-key-of-a-test';
const AT = '2025-05-05T10:00:00.000Z';
const times = { createdAt: AT, updatedAt: AT };
const owner = { _organizationId: id(1), _environmentId: id(2), ...times };
/** As small as possible, so that three people are two pages. */
const PAGE_SIZE = 2;

const preference = (channels: Json, workflow?: string, source = 'subscriber'): Json => ({
  enabled: true,
  channels,
  ...(workflow !== undefined && {
    workflow: { slug: `${workflow}_wf_1`, identifier: workflow, name: workflow },
    overrides: [{ channel: 'email', source }],
  }),
});
const person = (n: number, subscriberId: string, more: Json = {}): Json => ({
  _id: id(n),
  ...owner,
  subscriberId,
  firstName: subscriberId,
  lastName: null,
  email: null,
  data: null,
  channels: [],
  deleted: false,
  ...more,
});

const ALL = { email: true, sms: true, in_app: true, chat: true, push: true };
const PEOPLE = [
  person(20, 'ada', {
    channels: [{ providerId: 'slack', _integrationId: id(11), credentials: { webhookUrl: 'https://hooks.example/1' } }],
  }),
  person(21, 'bob', { email: 'bob@example.com' }),
  person(22, 'a/b', { phone: '+15550100' }),
];
const PREFERENCES: Record<string, Json> = {
  ada: { global: preference(ALL), workflows: [preference({ ...ALL, email: false }, 'welcome')] },
  bob: { global: preference({ ...ALL, sms: false }), workflows: [preference(ALL, 'welcome', 'template')] },
  'a/b': { global: preference(ALL), workflows: [] },
};
const TOPICS: Record<string, string[]> = { team: ['ada', 'bob', 'a/b'], empty: [], 'or/ders': ['bob'] };

const step = (n: number, stepId: string, type: string, values: Json): Json => ({
  _id: id(n),
  stepId,
  slug: `${stepId}_st_1`,
  name: stepId,
  type,
  origin: 'novu-cloud',
  workflowId: 'welcome',
  controls: { values },
});
const summary = (n: number, workflowId: string, origin: string): Json => ({
  _id: id(n),
  name: workflowId,
  workflowId,
  slug: `${workflowId}_wf_1`,
  status: 'ACTIVE',
  origin,
  tags: [],
  ...times,
});
const SUMMARIES = [
  summary(30, 'welcome', 'novu-cloud'),
  summary(31, 'code', 'external'),
  summary(32, 'older', 'novu-cloud-v1'),
];
const WORKFLOWS: Record<string, Json> = {
  [id(30)]: {
    ...summary(30, 'welcome', 'novu-cloud'),
    active: true,
    preferences: { user: { all: { enabled: true, readOnly: false }, channels: { sms: { enabled: false } } } },
    steps: [
      step(33, 'in-app', 'in_app', { subject: 'Hi', body: "Hello {{ subscriber.firstName | default: 'you' }}" }),
      step(34, 'wait', 'delay', { type: 'regular', amount: 2, unit: 'hours' }),
      step(35, 'mail', 'email', { subject: 'Hi', body: '<p>{{payload.code}}</p>', editorType: 'html' }),
    ],
  },
  [id(31)]: { ...summary(31, 'code', 'external'), steps: [] },
};
const OLDER = {
  _id: id(32),
  ...owner,
  name: 'Older',
  active: true,
  critical: false,
  tags: ['shop'],
  _notificationGroupId: id(5),
  triggers: [{ type: 'event', identifier: 'older', variables: [] }],
  steps: [
    {
      _id: id(36),
      _templateId: id(37),
      uuid: 'one',
      active: true,
      filters: [],
      template: { _id: id(37), type: 'sms', content: 'Code {{code}}' },
    },
  ],
};
const messages = (at: string): Json[] =>
  [true, false].map((read, n) => ({
    _id: id(40 + n),
    ...owner,
    createdAt: at,
    _templateId: id(30),
    _notificationId: id(45),
    _jobId: id(46),
    _subscriberId: id(20),
    channel: 'in_app',
    transactionId: 't1',
    content: `Hello ${n}`,
    seen: true,
    read,
    status: 'sent',
  }));

/**
 * The API of the compatible system's cloud, as its clients of 2026 see it: lists in small pages, and a limit of requests that says how long
 * to wait.
 */
export class NovuApi {
  url = '';
  readonly requests: string[] = [];
  /** How many of the next requests are too many. */
  tooMany = 0;
  /** Requests until the connection ends without an answer. */
  until = Infinity;
  private readonly server = createServer((request, response) => this.answer(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url);
    this.requests.push(`${String(request.method)} ${url.pathname}${url.search}`);
    const send = (status: number, body: Json, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `ApiKey ${NOVU_API_KEY}`)
      return send(401, { statusCode: 401, message: 'API Key not found', error: 'Unauthorized' });
    this.until -= 1;
    if (this.until < 0) return send(403, { statusCode: 403, message: 'The plan has ended', error: 'Forbidden' });
    if (this.tooMany > 0) {
      this.tooMany -= 1;
      // As a number of seconds, and as a date.
      const after = this.tooMany % 2 === 0 ? '1' : new Date(Date.now() + 1_000).toUTCString();
      return send(429, { statusCode: 429, message: 'API rate limit exceeded' }, { 'retry-after': after });
    }
    const body = answerTo(url);
    return body === undefined
      ? send(404, { statusCode: 404, message: `Cannot GET ${url.pathname}`, error: 'Not Found' })
      : send(200, body);
  }
}

const WHOLE: Record<string, unknown> = {
  '/v1/environments/me': {
    _id: id(2),
    _organizationId: id(1),
    name: 'Production',
    identifier: 'app-of-a-test',
    ...times,
  },
  '/v1/organizations/me': { _id: id(1), name: 'Acme', branding: { color: '#00ff00' }, ...times },
  '/v1/notification-groups': [{ _id: id(5), ...owner, name: 'General' }],
  '/v1/feeds': [{ _id: id(6), ...owner, name: 'News', identifier: 'news' }],
  '/v1/integrations': [
    {
      _id: id(10),
      ...owner,
      providerId: 'sendgrid',
      channel: 'email',
      identifier: 'mail',
      name: 'Mail',
      active: true,
      primary: true,
      credentials: { apiKey: 'nvsk.masked', from: 'shop@example.com' },
    },
    { _id: id(11), ...owner, providerId: 'slack', channel: 'chat', identifier: 'slack', active: true, credentials: {} },
  ],
};

function answerTo(url: URL): Json | undefined {
  const path = url.pathname;
  if (path in WHOLE) return { data: WHOLE[path] };
  if (path === '/v2/layouts')
    return counted(url, 'layouts', [{ _id: id(7), layoutId: 'plain', name: 'Plain', ...times }]);
  if (path === `/v2/layouts/${id(7)}`) {
    const values = { email: { body: '<main>{{ content }}</main>', editorType: 'html' } };
    return { data: { _id: id(7), layoutId: 'plain', name: 'Plain', isDefault: true, controls: { values }, ...times } };
  }
  if (path === '/v2/contexts') {
    const tenant = { type: 'tenant', id: 'acme', data: { name: 'Acme', plan: 'pro' }, ...times };
    return linked(url, [tenant, { type: 'region', id: 'eu', data: {}, ...times }]);
  }
  if (path === '/v2/workflows') return counted(url, 'workflows', SUMMARIES);
  if (path === '/v1/workflows') return numbered(url, [OLDER, { ...OLDER, _id: id(30), steps: [] }]);
  if (path === '/v1/messages') {
    const ofOther = !['', 'ada'].includes(url.searchParams.get('subscriberId') ?? '');
    return numbered(url, ofOther ? [] : [...messages(new Date().toISOString()), ...messages(AT)]);
  }
  const workflow = /^\/v2\/workflows\/(\w+)$/.exec(path)?.[1];
  if (workflow !== undefined && workflow in WORKFLOWS) return { data: WORKFLOWS[workflow] };
  return answerOfPeople(url);
}

function answerOfPeople(url: URL): Json | undefined {
  const [, , resource, name = '', rest] = url.pathname.split('/').map(decodeURIComponent);
  const topics = Object.keys(TOPICS).map((key, n) => ({ _id: id(50 + n), key, name: key, ...times }));
  const memberships = topics.flatMap((topic, at) =>
    (TOPICS[topic.key] ?? []).map((subscriberId, n) => ({
      _id: id(60 + at * 10 + n),
      topic,
      subscriber: PEOPLE.find((one) => one['subscriberId'] === subscriberId),
      ...times,
    })),
  );
  if (resource === 'subscribers') {
    if (name === '') return linked(url, PEOPLE);
    if (rest === 'preferences') return { data: PREFERENCES[name] };
    if (rest === 'subscriptions')
      return linked(
        url,
        memberships.filter((one) => one.subscriber?.['subscriberId'] === name),
      );
    const found = PEOPLE.find(({ subscriberId }) => subscriberId === name);
    return found && { data: found };
  }
  if (resource !== 'topics') return undefined;
  return linked(url, name === '' ? topics : memberships.filter(({ topic }) => topic.key === name));
}

/** `limit` is at most what this API gives. */
function linked(url: URL, all: readonly Json[]): Json {
  const begin = Number(url.searchParams.get('after') ?? 0);
  const end = begin + PAGE_SIZE;
  const next = end < all.length ? String(end) : null;
  return { data: all.slice(begin, end), next, previous: null, totalCount: all.length, totalCountCapped: false };
}

function numbered(url: URL, all: readonly Json[]): Json {
  const page = Number(url.searchParams.get('page') ?? 0);
  const end = (page + 1) * PAGE_SIZE;
  return { data: all.slice(page * PAGE_SIZE, end), page, pageSize: PAGE_SIZE, hasMore: end < all.length };
}

function counted(url: URL, name: string, all: readonly Json[]): Json {
  const begin = Number(url.searchParams.get('offset') ?? 0);
  return { data: { [name]: all.slice(begin, begin + PAGE_SIZE), totalCount: all.length } };
}
