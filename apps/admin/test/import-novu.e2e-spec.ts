import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { mongo } from 'mongoose';
import { AppConfig } from '#libs/config';
import { databaseOf } from '#libs/persistence';
import { workerStore } from '../../../test/harness/index.js';
import { unique } from '../../../test/factories/ids.js';
import { startTestApi } from '../../../test/support/test-api.js';
import type { TestApp } from '../../../test/harness/index.js';
import { importProgram } from '../src/importing/import-program.js';
import { PAGE_WRITTEN } from '../src/importing/import-novu.js';

const KEY = 'n'.repeat(32);
const STORE_KEY = 'a key for tests only, of 32 or more characters';
const API_KEY = `novu-key-${randomBytes(8).toString('hex')}`;
const AT = new Date('2024-11-05T10:00:00Z');
const NOW = new Date();
/** More than a page of the import. */
const PEOPLE = 620;

/** As Novu encrypts. */
function sealed(text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(KEY), iv);
  return `nvsk.${iv.toString('hex')}:${cipher.update(text, 'utf8', 'hex')}${cipher.final('hex')}`;
}

const id = (n: number): mongo.ObjectId => new mongo.ObjectId(`65f0${n.toString(16).padStart(20, '0')}`);
const owner = { _organizationId: id(1), _environmentId: id(2) };
const record = (n: number, fields: object): mongo.Document => ({
  _id: id(n),
  ...owner,
  createdAt: AT,
  updatedAt: AT,
  deleted: false,
  ...fields,
});
const step = (n: number, template: number, more: object = {}): object => ({
  _id: id(n),
  _templateId: id(template),
  uuid: `step-${n}`,
  active: true,
  filters: [],
  ...more,
});
const trigger = (identifier: string): object => ({ triggers: [{ type: 'event', identifier, variables: [] }] });
const group = { _notificationGroupId: id(20), _creatorId: id(10) };

/** In the forms that Novu stored in 2024 and later. */
const NOVU: Readonly<Record<string, readonly mongo.Document[]>> = {
  organizations: [
    { _id: id(1), name: 'Acme', defaultLocale: 'en_US', branding: { color: '#ff0000' }, createdAt: AT, updatedAt: AT },
  ],
  environments: [
    {
      _id: id(2),
      _organizationId: id(1),
      name: 'Production',
      identifier: `app-${API_KEY}`,
      apiKeys: [
        { key: sealed(API_KEY), hash: createHash('sha256').update(API_KEY).digest('hex'), _userId: id(10) },
        { key: 'nvsk.zz', hash: 'x', _userId: id(10) },
      ],
      createdAt: AT,
    },
  ],
  notificationgroups: [record(20, { name: 'General' })],
  feeds: [record(21, { name: 'News', identifier: 'news' })],
  layouts: [
    record(22, {
      name: 'Company',
      identifier: 'company',
      content: '<main>{{{body}}}</main>',
      variables: [],
      isDefault: true,
    }),
    record(23, { name: 'New', identifier: 'new', content: '' }),
    record(24, { name: 'Newer', identifier: 'newer' }),
  ],
  integrations: [
    record(30, {
      providerId: 'sendgrid',
      channel: 'email',
      identifier: 'sendgrid-x',
      name: 'Mail',
      active: true,
      primary: true,
      priority: 2,
      credentials: { apiKey: sealed('SG.secret'), from: 'shop@example.com', senderName: 'Shop' },
    }),
    record(31, { providerId: 'novu-email', channel: 'email', identifier: 'novu-email', active: true, credentials: {} }),
    record(32, { providerId: 'slack', channel: 'chat', identifier: 'slack-x', active: true, credentials: {} }),
    record(33, {
      providerId: 'mailgun',
      channel: 'email',
      identifier: 'mailgun-x',
      active: true,
      credentials: { apiKey: 'nvsk.00' },
    }),
  ],
  tenants: [record(35, { identifier: 'acme', name: 'Acme', data: { plan: 'pro' } })],
  messagetemplates: [
    record(40, {
      type: 'in_app',
      content: 'Hello {{name}}',
      _feedId: id(21),
      cta: { type: 'redirect', data: { url: '/x' } },
    }),
    record(41, { type: 'digest' }),
    record(42, {
      type: 'email',
      subject: 'Hi {{name}}',
      contentType: 'editor',
      content: [{ type: 'text', content: 'Hi', _id: id(99) }],
      _layoutId: id(22),
    }),
    record(43, { type: 'email', subject: 'VIP', contentType: 'customHtml', content: '<p>VIP</p>' }),
    record(44, { type: 'in_app' }),
    record(45, { type: 'sms' }),
    record(46, { type: 'custom' }),
    record(47, { type: 'email' }),
  ],
  notificationtemplates: [
    record(50, {
      name: 'Order',
      active: true,
      critical: false,
      tags: ['shop'],
      ...group,
      ...trigger('order'),
      preferenceSettings: { email: true, sms: false, in_app: true, chat: true, push: true },
      steps: [
        step(51, 41, {
          metadata: { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'order', timed: { weekDays: [] } },
        }),
        step(52, 40, {
          filters: [
            {
              _id: id(98),
              value: 'AND',
              children: [{ _id: id(97), on: 'payload', field: 'name', operator: 'EQUAL', value: 'Ada' }],
            },
          ],
        }),
        step(53, 42, {
          variants: [
            step(54, 43, {
              filters: [{ value: 'AND', children: [{ on: 'payload', field: 'vip', operator: 'EQUAL', value: 'yes' }] }],
            }),
          ],
        }),
      ],
    }),
    record(55, {
      name: 'Welcome',
      active: true,
      origin: 'novu-cloud',
      type: 'BRIDGE',
      ...group,
      ...trigger('welcome'),
      steps: [step(56, 44, { stepId: 'in-app' }), step(57, 45, { stepId: 'sms' })],
    }),
    record(58, {
      name: 'Code',
      origin: 'external',
      type: 'BRIDGE',
      ...group,
      ...trigger('code'),
      steps: [step(59, 46)],
    }),
    record(60, {
      name: 'Blocks',
      origin: 'novu-cloud',
      active: true,
      ...group,
      ...trigger('blocks'),
      steps: [step(61, 47)],
    }),
    record(62, {
      name: 'Skipping',
      origin: 'novu-cloud',
      active: true,
      ...group,
      ...trigger('skipping'),
      steps: [step(63, 45)],
    }),
    record(65, {
      name: 'Conditional',
      origin: 'novu-cloud',
      active: true,
      ...group,
      ...trigger('conditional'),
      steps: [step(66, 45)],
    }),
    record(64, { name: 'Gone', deleted: true, ...group, ...trigger('gone'), steps: [] }),
  ],
  controls: [
    record(69, { _layoutId: id(24), controls: { email: { body: '<b>{{ content }}</b>' } } }),
    record(70, {
      _stepId: id(56),
      controls: {
        subject: 'Hi',
        body: "Hello {{ subscriber.firstName | default: 'you' }}",
        primaryAction: { label: 'Open', redirect: { url: '/go' } },
      },
    }),
    record(71, { _stepId: id(57), controls: { body: '{% if payload.code %}{{ payload.code }}{% endif %}' } }),
    record(72, { _stepId: id(61), controls: { subject: 'x', body: '{"type":"doc"}', editorType: 'block' } }),
    record(73, { _stepId: id(63), controls: { body: 'x', skip: { '==': [1, 1] } } }),
    record(74, { _stepId: id(66), controls: { body: 'x', skip: { '>': [{ var: 'payload.total' }, 10] } } }),
  ],
  workflowoverrides: [record(75, { _workflowId: id(50), _tenantId: id(35), active: false })],
  subscribers: [
    record(80, {
      subscriberId: 'ada',
      firstName: 'Ada',
      email: 'Ada@example.com',
      data: { vip: true },
      channels: [
        { providerId: 'slack', _integrationId: id(32), credentials: { webhookUrl: 'https://hooks.example/1' } },
        { providerId: 'fcm', _integrationId: id(34), credentials: { deviceTokens: ['a'] } },
      ],
    }),
    record(81, { subscriberId: 'bob', email: 'no address', phone: '+15550100', channels: [] }),
    ...Array.from({ length: PEOPLE }, (_, n) => record(200 + n, { subscriberId: `person-${n}`, channels: [] })),
    record(82, { subscriberId: 'gone', deleted: true }),
  ],
  topics: [record(85, { key: 'team', name: 'Team' })],
  topicsubscribers: [
    record(86, { _topicId: id(85), _subscriberId: id(80), topicKey: 'team', externalSubscriberId: 'ada' }),
  ],
  subscriberpreferences: [
    record(87, {
      _subscriberId: id(80),
      _templateId: id(50),
      level: 'template',
      enabled: true,
      channels: { email: false },
    }),
  ],
  preferences: [
    record(88, {
      type: 'SUBSCRIBER_GLOBAL',
      _subscriberId: id(81),
      preferences: { all: { enabled: true }, channels: { sms: { enabled: false } } },
    }),
    record(89, {
      type: 'USER_WORKFLOW',
      _templateId: id(55),
      preferences: { all: { enabled: true, readOnly: true }, channels: { push: { enabled: false } } },
    }),
  ],
  users: [{ _id: id(10), firstName: 'Ada', email: 'Ada@acme.example', createdAt: AT }],
  members: [
    { _id: id(11), _organizationId: id(1), _userId: id(10), roles: ['admin'], memberStatus: 'active' },
    { _id: id(12), _organizationId: id(1), invite: { email: 'bob@acme.example' }, roles: ['member'] },
  ],
  localizationgroups: [
    record(110, { resourceType: 'workflow', resourceId: 'welcome', _resourceInternalId: id(55) }),
    record(111, { resourceType: 'workflow', resourceId: 'order', _resourceInternalId: id(50) }),
  ],
  localizations: [
    record(112, {
      _localizationGroupId: id(110),
      locale: 'de_DE',
      content: JSON.stringify({ greeting: { hello: 'Hallo' }, named: 'Hallo {{payload.name}}' }),
    }),
    record(113, {
      _localizationGroupId: id(111),
      locale: 'de_DE',
      content: JSON.stringify({ greeting: { hello: 'Servus' }, bye: 'Auf Wiedersehen' }),
    }),
    record(114, { _localizationGroupId: id(110), locale: 'en_US', content: '{"greeting":{"hello":"Hello"}}' }),
  ],
  translationgroups: [record(115, { identifier: 'shop', name: 'Shop' })],
  translations: [record(116, { _groupId: id(115), isoLanguage: 'de_DE', translations: '{"title":"Laden"}' })],
  messages: [
    ...[true, false].map((read, n) =>
      record(90 + n, {
        _templateId: id(50),
        _notificationId: id(95),
        _jobId: id(96),
        _subscriberId: id(80),
        transactionId: 't1',
        channel: 'in_app',
        content: `Hello ${n}`,
        cta: { type: 'redirect', data: { url: '/x' } },
        seen: true,
        read,
        status: 'sent',
        createdAt: NOW,
      }),
    ),
    record(92, {
      _templateId: id(50),
      _notificationId: id(95),
      _jobId: id(96),
      _subscriberId: id(80),
      channel: 'in_app',
      content: 'Old',
    }),
  ],
};

const TARGETS = [
  ...['notificationGroups', 'feeds', 'layouts', 'integrations', 'tenants', 'workflows', 'workflowOverrides', 'topics'],
  ...['subscribers', 'topicSubscribers', 'preferences', 'messages', 'translations'],
];

let folder: string;
let source: mongoose.Connection;
let sourceUri: string;
let app: TestApp;
let config: AppConfig;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-import-'));
  writeFileSync(join(folder, 'novu-key'), `${KEY}\n`);
  const places = ['novu', 'herald'].map((name) => {
    const uri = new URL(workerStore().uri);
    uri.pathname += `_${unique(name)}`;
    return uri.href;
  });
  sourceUri = places[0] as string;
  source = await mongoose.createConnection(sourceUri).asPromise();
  for (const [name, rows] of Object.entries(NOVU))
    await databaseOf(source)
      .collection(name)
      .insertMany([...rows]);
  const store = { ...workerStore(), uri: places[1] as string };
  app = await startTestApi({ STORE_ENCRYPTION_KEY: STORE_KEY }, store);
  config = AppConfig.from({ STORE_ENCRYPTION_KEY: STORE_KEY, MONGODB_URI: places[1], DATA_DIR: folder });
});
afterAll(async () => {
  await app.close();
  for (const uri of [sourceUri, config.get('MONGODB_URI') ?? '', ...made]) {
    const connection = await mongoose.createConnection(uri).asPromise();
    await connection.dropDatabase();
    await connection.close();
  }
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Kinds {
  readonly kinds: {
    kind: string;
    found: number;
    taken: number;
    notes: { name?: string; outcome: string; why: string }[];
  }[];
  readonly check?: { people: number; differences: string[] };
}

/** Into the store of the running Herald, or into another one. */
async function imported(...more: (string | AppConfig)[]): Promise<Kinds & { text: string }> {
  const into = more.find((one) => one instanceof AppConfig) ?? config;
  const line = ['novu', '--from', sourceUri, '--encryption-key-file', join(folder, 'novu-key'), '--json'];
  const { data, text } = await importProgram([...line, ...more.filter((one) => typeof one === 'string')], into);
  return { ...(data as unknown as Kinds), text };
}

const made: string[] = [];

/** A store in which Herald has been started once. */
async function newStore(name: string): Promise<AppConfig> {
  const uri = new URL(workerStore().uri);
  uri.pathname += `_${unique(name)}`;
  made.push(uri.href);
  await (await startTestApi({ STORE_ENCRYPTION_KEY: STORE_KEY }, { ...workerStore(), uri: uri.href })).close();
  return AppConfig.from({ STORE_ENCRYPTION_KEY: STORE_KEY, MONGODB_URI: uri.href, DATA_DIR: folder });
}

/** What an import writes, without what is encrypted and without its own times. */
async function contentOf(store: AppConfig): Promise<Record<string, string[]>> {
  const connection = await mongoose.createConnection(store.get('MONGODB_URI') ?? '').asPromise();
  const content: Record<string, string[]> = {};
  for (const name of TARGETS) {
    const rows = await databaseOf(connection)
      .collection(name)
      .find({ _environmentId: id(2) })
      .sort({ _id: 1 })
      .toArray();
    content[name] = rows.map(({ sealed: _, sealedCredentials: __, expireAt: ___, ...row }) => JSON.stringify(row));
  }
  await connection.close();
  return content;
}

const answer = async (path: string): Promise<{ data: unknown }> =>
  (await (await fetch(`${app.url}${path}`, { headers: { authorization: `ApiKey ${API_KEY}` } })).json()) as {
    data: unknown;
  };

describe('herald import novu', () => {
  it('should say in a dry run what fits and what does not, and write nothing', async () => {
    const { kinds, text, check } = await imported('--dry-run');
    const counts = Object.fromEntries(kinds.map(({ kind, found, taken }) => [kind, [found, taken]]));
    expect(counts).toEqual({
      organizations: [1, 1],
      environments: [1, 1],
      apiKeys: [2, 1],
      notificationGroups: [1, 1],
      feeds: [1, 1],
      layouts: [3, 2],
      integrations: [4, 2],
      tenants: [1, 1],
      workflows: [6, 4],
      workflowOverrides: [1, 1],
      subscribers: [PEOPLE + 2, PEOPLE + 2],
      topics: [1, 1],
      topicSubscribers: [1, 1],
      preferences: [2, 2],
      messages: [2, 2],
      translations: [2, 2],
      userInvitations: [2, 0],
    });
    const notes = Object.fromEntries(
      kinds.map(({ kind, notes: own }) => [
        kind,
        own.map(({ name, outcome, why }) => `${name ?? ''} ${outcome}: ${why}`),
      ]),
    );
    expect(notes['environments']).toEqual([
      expect.stringContaining('an API key was left out: it is encrypted in a form that is not known') as string,
    ]);
    expect(notes['integrations']).toEqual([
      expect.stringMatching(/^novu-email left out: Herald has no provider 'novu-email'/) as string,
      expect.stringMatching(/^mailgun-x left out: a credential cannot be read/) as string,
    ]);
    expect(notes['workflows']).toEqual([
      'Code left out: its steps are code of an application (framework), which Herald does not run',
      'Blocks left out: steps.0 is a mail of the block editor; write it again in HTML',
      expect.stringMatching(/^Skipping changed: steps\.0 has a condition \(skip\)/) as string,
    ]);
    expect(notes['subscribers']).toEqual([
      expect.stringMatching(/^ada changed: the credentials for fcm were left out/) as string,
      expect.stringMatching(/^bob changed: email was left out/) as string,
    ]);
    expect(notes['translations']).toEqual([
      expect.stringMatching(/^de-DE changed: workflow welcome: named was left out, as .* ICU MessageFormat/) as string,
      expect.stringMatching(/^de-DE changed: workflow order: greeting\.hello was left out, as another/) as string,
    ]);
    expect(notes['userInvitations']).toEqual([
      expect.stringMatching(/^ada@acme\.example left out: nobody is invited without --invitations/) as string,
      expect.stringMatching(/^bob@acme\.example left out/) as string,
    ]);
    expect(text).toContain('nothing was written');
    expect(check).toBeUndefined();
    expect(await answer('/v1/subscribers/ada')).toMatchObject({ statusCode: 401 });
  });

  it('should take everything over, twice, so that the key of Novu finds it with ids and dates', async () => {
    const first = await imported();
    expect(first.check).toEqual({ people: 10, differences: [] });
    const again = await imported();
    expect(again).toMatchObject({ kinds: first.kinds, check: { differences: [] } });

    expect(await answer('/v1/environments/me')).toMatchObject({
      data: { _id: String(id(2)), identifier: `app-${API_KEY}` },
    });
    expect(await answer('/v1/subscribers/ada')).toMatchObject({
      data: {
        _id: String(id(80)),
        createdAt: AT.toISOString(),
        email: 'Ada@example.com',
        channels: [
          {
            providerId: 'slack',
            integrationIdentifier: 'slack-x',
            credentials: { webhookUrl: 'https://hooks.example/1' },
          },
        ],
      },
    });
    expect(await answer('/v1/subscribers/bob')).not.toHaveProperty('data.email');
    expect(await answer('/v1/integrations')).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          _id: String(id(30)),
          primary: true,
          credentials: expect.objectContaining({ apiKey: 'SG.secret', senderName: 'Shop' }) as object,
        }),
      ]) as object,
    });
    expect(await answer('/v1/workflows/order')).toMatchObject({
      data: {
        _id: String(id(50)),
        active: true,
        preferenceSettings: { sms: false },
        steps: [
          { _id: String(id(51)), metadata: { digestKey: 'order', amount: 5 } },
          { _id: String(id(52)), template: { _feedId: String(id(21)), content: 'Hello {{name}}' } },
          { _id: String(id(53)), template: { _layoutId: String(id(22)) }, variants: [{ _id: String(id(54)) }] },
        ],
      },
    });
    expect(await answer('/v1/workflows/welcome')).toMatchObject({
      data: {
        templateLanguage: 'liquid',
        critical: true,
        preferenceSettings: { push: false, email: true },
        triggers: [{ identifier: 'welcome', variables: [{ name: 'code' }] }],
        steps: [
          {
            template: {
              subject: 'Hi',
              cta: { action: { buttons: [{ type: 'primary', content: 'Open', url: '/go' }] } },
            },
          },
          { template: { content: '{% if payload.code %}{{ payload.code }}{% endif %}' } },
        ],
      },
    });
    expect(await answer('/v1/workflows/conditional')).toMatchObject({
      data: {
        active: true,
        steps: [{ filters: [{ children: [{ on: 'payload', field: 'total', operator: 'LARGER', value: 10 }] }] }],
      },
    });
    expect(await answer('/v1/workflows/skipping')).toMatchObject({ data: { active: false } });
    expect(await answer('/v1/topics/team')).toMatchObject({ data: { _id: String(id(85)), subscribers: ['ada'] } });
    expect(await answer('/v1/subscribers/ada/notifications/unseen')).toMatchObject({ data: { count: 0 } });
    expect(await answer('/v1/messages?subscriberId=ada')).toMatchObject({
      data: [
        { content: 'Hello 1', read: false },
        { content: 'Hello 0', read: true },
      ],
    });
    expect(await answer('/v1/subscribers/ada/preferences')).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          preference: expect.objectContaining({
            channels: expect.objectContaining({ email: false }) as object,
          }) as object,
        }),
      ]) as object,
    });
  });

  it('should take translations over as dictionaries of the environment', async () => {
    await imported();
    expect(await answer('/v1/translations')).toMatchObject({
      data: [
        { locale: 'de-DE', isDefault: false },
        { locale: 'en-US', isDefault: true },
      ],
    });
    expect(await answer('/v1/translations/de-DE')).toMatchObject({
      data: { messages: { 'greeting.hello': 'Hallo', bye: 'Auf Wiedersehen', 'shop.title': 'Laden' } },
    });
  });

  it('should invite people with links in a file of their own, and nobody who has joined', async () => {
    const file = join(folder, 'links');
    const { text } = await imported('--invitations', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const links = readFileSync(file, 'utf8').trim().split('\n');
    expect(links).toEqual([
      expect.stringMatching(/^ada@acme\.example owner http.*\/console\/invitation#\S+$/) as string,
      expect.stringMatching(/^bob@acme\.example editor http/) as string,
    ]);
    expect(text).not.toContain('#');
    const token = links[0]?.split('#')[1];
    const accept = (): Promise<Response> =>
      fetch(`${app.url}/v1/users/invitations/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: app.url },
        body: JSON.stringify({ token, name: 'Ada', password: 'a password of some length' }),
      });
    expect((await accept()).status).toBe(201);
    expect(await answer('/v1/users')).toMatchObject({ data: [{ email: 'ada@acme.example', role: 'owner' }] });
    const { kinds } = await imported('--invitations', file);
    expect(kinds.find(({ kind }) => kind === 'userInvitations')).toMatchObject({
      taken: 1,
      notes: [{ name: 'ada@acme.example', why: 'the person has joined already' }],
    });
  });

  it('should go on where it was killed, and come to the same as one run', async () => {
    const [whole, halved] = await Promise.all([newStore('whole'), newStore('halved')]);
    const once = await imported(whole);
    PAGE_WRITTEN.arm(({ kind, at }) => {
      if (kind !== 'subscribers' || at === undefined) return Promise.resolve();
      PAGE_WRITTEN.disarm();
      return Promise.reject(new Error('killed'));
    });
    await expect(imported(halved)).rejects.toThrow('killed');
    const reached: string[] = [];
    PAGE_WRITTEN.arm(({ kind, at }) => Promise.resolve(void reached.push(`${kind} ${at ?? ''}`)));
    const { text, ...resumed } = await imported(halved).finally(() => PAGE_WRITTEN.disarm());
    expect(text).toContain('It went on where an import ended');
    // The page that was not saved as done is read again, and none before it.
    expect(reached[0]).toMatch(/^subscribers [0-9a-f]{24}$/);
    expect(resumed).toMatchObject({ kinds: once.kinds, check: { people: 10, differences: [] } });
    expect(await contentOf(halved)).toEqual(await contentOf(whole));
    // The next one begins anew.
    expect((await imported(halved)).text).not.toContain('It went on');
  });

  it('should leave out what is encrypted without the key, and never take it for a secret', async () => {
    const { data } = await importProgram(['novu', '--from', sourceUri, '--dry-run', '--json'], config);
    const { kinds } = data as unknown as Kinds;
    const noted = kinds
      .flatMap(({ notes }) => notes.map(({ why }) => why))
      .filter((why) => why.includes('encryption-key-file'));
    expect(noted).toHaveLength(2);
  });

  it.each([
    [['novu'], '--from is required'],
    [['knock', '--from', 'mongodb://127.0.0.1/x'], 'Name what to import: novu, or knock'],
    [['novu', '--from', 'http://127.0.0.1'], 'An API is read with --api-key-file'],
    [['novu', '--from', 'https://a:b@127.0.0.1', '--api-key-file', 'x'], 'without a user, a password or a query'],
    [['novu', '--from', 'redis://127.0.0.1'], 'The connection string'],
    [['novu', '--from', 'mongodb://127.0.0.1/x', '--api-key-file', 'x'], '--api-key-file is for the URL of an API'],
    [['novu', '--from', 'mongodb://127.0.0.1/x', '--days', 'a'], '--days must be a whole number'],
    [['novu', '--from', 'mongodb://127.0.0.1/x', '--encryption-key-file', '/nowhere'], 'cannot be read'],
  ])('should refuse the line %j', async (args, message) => {
    await expect(importProgram(args, config)).rejects.toThrow(message);
  });

  it('should refuse a database that is not of Novu', async () => {
    const uri = new URL(sourceUri);
    uri.pathname += '_empty';
    await expect(importProgram(['novu', '--from', uri.href], config)).rejects.toThrow(
      'has no workflows and no subscribers',
    );
  });
});
