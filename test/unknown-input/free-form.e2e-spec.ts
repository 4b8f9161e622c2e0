import { PROVIDER_CATALOGUE } from '#libs/channels';
import type { TestSession } from '../harness/index.js';
import { dataOf, type Json, warningIn } from '../support/answers.js';
import { createWorkflow, email, inApp, type SentStep } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { readDocument } from '../support/routes.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
}

const schemas = (readDocument() as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas;

function resolved(schema: Schema | undefined): Schema {
  const { $ref, allOf, oneOf } = schema ?? {};
  if ($ref !== undefined) return resolved(schemas[$ref.split('/').at(-1) ?? '']);
  const parts = [...(allOf ?? []), ...(oneOf ?? [])].map(resolved);
  return parts.find(({ properties }) => properties !== undefined) ?? schema ?? {};
}

const propertiesOf = (schema: Schema | undefined): string[] => Object.keys(resolved(schema).properties ?? {});
const OVERRIDES = resolved(schemas['EventOverridesDto']).properties ?? {};
const within = (...path: readonly string[]): Schema =>
  path.reduce<Schema>((schema, key) => resolved(resolved(schema).properties?.[key]), { properties: OVERRIDES });

const FILE = Buffer.from('file').toString('base64');
const EARLIER = 'an-earlier-event';

/** For each declared property, a value that changes what is sent. A property without one fails the test. */
const PROBES: Readonly<Record<string, unknown>> = {
  subject: 'Probe subject',
  html: '<p>Probe</p>',
  text: 'Probe text',
  content: 'Probe content',
  title: 'Probe title',
  from: 'probe@example.com',
  replyTo: 'probe@example.com',
  to: ['probe@example.com'],
  cc: ['probe@example.com'],
  bcc: ['probe@example.com'],
  senderName: 'Probe',
  headers: { 'X-Probe': '1' },
  customData: { probe: 1 },
  ipPoolName: 'probe',
  toRecipient: 'probe@example.com',
  attachments: [{ name: 'probe.txt', file: FILE }],
  layoutIdentifier: 'frame',
  layoutId: 'frame',
  severity: 'high',
};
const OF_SMS = { to: '+15550999', from: '+15550998' };

const STEPS: SentStep[] = [
  { ...inApp('Hello') },
  { ...email('Hello', '<p>Text</p>'), stepId: 'mail' },
  { template: { type: 'sms', content: 'Hello' } },
  { template: { type: 'chat', content: 'Hello' } },
  { template: { type: 'push', title: 'Hello', content: 'Hello' } },
];

/** Each field of an event is applied, handed to the provider, or named in `Herald-Warning`: it never falls through in silence. */
describe('the free-form objects of an event', () => {
  const delivery = useDeliveryApi('free-form');
  let session: TestSession;
  let name: string;
  let usual: string;

  beforeAll(async () => {
    session = await delivery.api.session();
    const integrations = [
      ['sendgrid', 'email', { apiKey: 'k', from: 'news@example.org', senderName: 'N' }],
      ['twilio', 'sms', { accountSid: 'AC1', token: 't', from: '+15550100' }],
      ['mattermost', 'chat', {}],
      ['expo', 'push', { apiKey: 'k' }],
    ] as const;
    for (const [providerId, channel, credentials] of integrations) {
      const body = { providerId, channel, active: true, check: false, credentials };
      await session.post('/v1/integrations', body).expect(201);
    }
    await session.put('/v1/catcher', { isOn: true }).expect(200);
    await session
      .post('/v1/layouts', { name: 'Frame', identifier: 'frame', content: '<main>{{{body}}}</main>', isDefault: false })
      .expect(201);
    name = (await createWorkflow(session, STEPS)).identifier;
    usual = (await send({})).sent;
  });

  const RECIPIENT = {
    subscriberId: 'ann',
    email: 'ann@example.com',
    phone: '+15550111',
    channels: [
      { providerId: 'mattermost', credentials: { webhookUrl: 'https://chat.example.com/hook' } },
      { providerId: 'expo', credentials: { deviceTokens: ['ExponentPushToken[1]'] } },
    ],
  };

  /** What goes out without what differs in each event, and the warning of the request. */
  async function send(more: Json): Promise<{ readonly sent: string; readonly warning: string | undefined }> {
    const response = await session.post('/v1/events/trigger', { name, to: RECIPIENT, payload: {}, ...more });
    expect([response.status, response.body]).toEqual([201, expect.anything()]);
    const { transactionId } = (response.body as { data: { transactionId: string } }).data;
    await delivery.drain();
    const rows = await delivery.rows('messages', { transactionId });
    const [notification] = await delivery.rows('notifications', { transactionId });
    const shown = rows
      .map(({ channel, caught, severity, content, providerId }) => ({ channel, caught, severity, content, providerId }))
      .sort((a, b) => String(a.channel).localeCompare(String(b.channel)));
    const steps = ((notification?.['steps'] ?? []) as Json[]).map(({ type, status, error }) => [type, status, error]);
    const details = JSON.stringify(notification?.['trail'] ?? '').includes(EARLIER);
    const text = JSON.stringify([shown, steps, details]);
    return { sent: text.replace(/\/unsubscribe\/[\w-]+/g, ''), warning: warningIn(response) };
  }

  const changes = async (path: readonly string[], value: unknown): Promise<string> => {
    const overrides = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const { sent, warning } = await send({ overrides });
    if (warning !== undefined) return 'named';
    return sent === usual ? 'lost' : 'applied';
  };
  const probeOf = (channel: string, property: string): unknown => {
    if (property === 'integrationIdentifier') return 'none-of-this-name';
    if (property === 'replaces' || property === 'replyTo') return channel === 'chat' ? EARLIER : PROBES[property];
    return channel === 'sms' && property in OF_SMS ? OF_SMS[property as keyof typeof OF_SMS] : PROBES[property];
  };

  const CHANNELS = ['email', 'sms', 'chat', 'push'];
  const declared = [
    ...CHANNELS.flatMap((channel) =>
      propertiesOf(within(channel)).map((property) => [[channel], channel, property] as const),
    ),
    ...CHANNELS.flatMap((channel) =>
      propertiesOf(within('channels', channel))
        .filter((property) => property !== 'attachments')
        .map((property) => [['channels', channel], channel, property] as const),
    ),
    ...['layoutIdentifier', 'layoutId', 'severity'].map((property) => [[], '', property] as const),
  ];

  it('should know all of them', () => {
    const top = ['layoutIdentifier', 'layoutId', 'severity', 'delay', 'channels', 'providers', 'steps', ...CHANNELS];
    expect(Object.keys(OVERRIDES).sort()).toEqual(top.sort());
    expect(propertiesOf(schemas['TopicRecipientDto'])).toEqual(['type', 'topicKey', 'exclude']);
    expect(declared.length).toBeGreaterThan(40);
  });

  it.each(declared)('should apply overrides %j of %s: %s', async (path, channel, property) => {
    const probe = probeOf(channel, property);
    expect([property, probe]).not.toEqual([property, undefined]);
    expect(await changes([...path, property], probe)).toBe('applied');
  });

  it.each([
    ['sendgrid', { asm: { group_id: 1 } }],
    ['twilio', { ValidityPeriod: 60 }],
    ['mattermost', { icon_emoji: ':bell:' }],
    ['expo', { sound: 'default' }],
  ])('should hand further fields to %s, in each form', async (id, fields) => {
    for (const path of [[id], ['providers', id]]) expect(await changes(path, fields)).toBe('applied');
    expect(await changes([id, '_passthrough', 'body'], fields)).toBe('applied');
  });

  it('should hand further fields of chat and push to their providers, and apply those of a step', async () => {
    expect(await changes(['chat'], { icon_emoji: ':bell:' })).toBe('applied');
    expect(await changes(['push'], { sound: 'default' })).toBe('applied');
    expect(await changes(['steps', 'mail', 'layoutId'], 'frame')).toBe('applied');
    expect(await changes(['steps', 'mail', 'providers', 'sendgrid', 'subject'], 'Probe')).toBe('applied');
  });

  it('should name what it does not know, everywhere', async () => {
    const named = [
      ['ownWord'],
      ['email', 'ownWord'],
      ['sms', 'ownWord'],
      ['email', 'attachments', '0', 'ownWord'],
      ['channels', 'ownWord'],
      ['channels', 'email', 'ownWord'],
      ['providers', 'ownWord'],
      ['steps', 'mail', 'ownWord'],
      ['delay', 'ownWord'],
    ];
    for (const path of named) {
      const inner = path.includes('attachments')
        ? { email: { attachments: [{ file: FILE, ownWord: 1 }] } }
        : path.reduceRight<unknown>((value, key) => ({ [key]: value }), path[0] === 'delay' ? undefined : 1);
      const overrides = path[0] === 'delay' ? { delay: { amount: 1, unit: 'days', ownWord: 1 } } : inner;
      const { warning } = await send({ overrides });
      expect([path, warning]).toEqual([path, `unknown body fields ignored: overrides.${path.join('.')}`]);
    }
    const parts = {
      to: { ...RECIPIENT, ownWord: 1 },
      actor: { subscriberId: 'bob', ownWord: 1 },
      tenant: { identifier: 'acme', ownWord: 1 },
    };
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    for (const [key, value] of Object.entries(parts)) {
      expect((await send({ [key]: value })).warning).toBe(`unknown body fields ignored: ${key}.ownWord`);
    }
  });

  it('should not call fields of any provider unknown: the trail names what the one that sends does not take', async () => {
    const ids = new Set(PROVIDER_CATALOGUE.map(({ id }) => id));
    const overrides = Object.fromEntries([...ids].map((id) => [id, { ownWord: 1 }]));
    for (const form of [overrides, { providers: overrides }, { steps: { mail: { providers: overrides } } }]) {
      expect((await send({ overrides: form })).warning).toBeUndefined();
    }
  });

  it('should store every declared field of a recipient', async () => {
    const values: Json = {
      firstName: 'Probe',
      lastName: 'Probe',
      email: 'probe@example.com',
      phone: '+15550999',
      avatar: 'https://example.com/probe.png',
      locale: 'de',
      timezone: 'Europe/Berlin',
      data: { probe: 1 },
    };
    const properties = propertiesOf(schemas['SubscriberRecipientDto']);
    expect(properties.sort()).toEqual(['subscriberId', 'channels', ...Object.keys(values)].sort());
    for (const key of ['to', 'actor']) {
      const described = { subscriberId: `probe-${key}`, ...values, channels: RECIPIENT.channels };
      expect((await send({ [key]: described })).warning).toBeUndefined();
      const stored = await dataOf<Json>(session.get(`/v1/subscribers/probe-${key}`), 200);
      expect(stored).toMatchObject(key === 'to' ? { ...values, channels: [{}, {}] } : values);
    }
  });
});

describe('a server that refuses unknown input', () => {
  const delivery = useDeliveryApi('free-form-strict', { STRICT_INPUT: '1' });

  it('should refuse what it would have named', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    for (const overrides of [{ email: { ownWord: 1 } }, { providers: { ownWord: {} } }, { steps: {}, ownWord: {} }]) {
      await session.post('/v1/events/trigger', { name: identifier, to: 'ann', payload: {}, overrides }).expect(400);
    }
    const fine = {
      nodemailer: { ownWord: 1 },
      sendgrid: { ownWord: 1 },
      providers: { slack: { blocks: [] } },
      severity: 'low',
    };
    await session.post('/v1/events/trigger', { name: identifier, to: 'ann', payload: {}, overrides: fine }).expect(201);
  });
});
