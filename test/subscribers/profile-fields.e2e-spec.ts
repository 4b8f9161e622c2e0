import request, { type Response } from 'supertest';
import { dataOf, type Json } from '../support/answers.js';
import { allowSessionsWithoutHmac, hmacOf, identifierOf } from '../support/browser-session.js';
import { createWorkflow, feedOf, inApp } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';
import { PROFILE_FIELDS, type ProfileKind } from '../../src/audience/subscribers/index.js';

// What the console has is written by `npm run docs`. Its sources are compiled for browsers.
jest.mock('../../apps/console/src/subscribers/profile-fields.json', () => PROFILE_FIELDS);
const SUBSCRIBERS = '../../apps/console/src/subscribers';
const { SUBSCRIBER_FIELDS } = jest.requireActual<{ SUBSCRIBER_FIELDS: readonly { readonly name: string }[] }>(
  `${SUBSCRIBERS}/subscriber-fields.js`,
);
const { checkedRows, guessedTargets } = jest.requireActual<{
  guessedTargets: (headings: readonly string[]) => string[];
  checkedRows: (...sheet: (readonly unknown[])[]) => { readonly rows: unknown[]; readonly faults: unknown[] };
}>(`${SUBSCRIBERS}/import-rows.js`);

/** Two values of each kind, and one that is refused. */
const VALUES: Readonly<Record<ProfileKind, readonly [one: unknown, other: unknown, wrong: unknown]>> = {
  text: ['One', 'Other', 5],
  phone: ['+15551230100', '+15551230101', {}],
  email: ['one@example.com', 'other@example.com', 'none'],
  url: ['https://example.com/1.png', 'https://example.com/2.png', ['https://example.com']],
  locale: ['en-GB', 'de-AT', 'e'],
  timezone: ['Europe/London', 'Asia/Tokyo', 'Mars/Olympus'],
  freeForm: [{ plan: 'pro' }, { plan: 'free' }, 'text'],
};
const NAMES: readonly string[] = PROFILE_FIELDS.map(({ name }) => name);
const TEXTS = PROFILE_FIELDS.filter(({ kind }) => kind !== 'freeForm');
const profileOf = (value: (kind: ProfileKind) => unknown, fields = PROFILE_FIELDS): Json =>
  Object.fromEntries(fields.map(({ name, kind }) => [name, value(kind)]));
const ONE = profileOf((kind) => VALUES[kind][0]);
const OTHER = profileOf((kind) => VALUES[kind][1]);

const delivery = useDeliveryApi('profile_fields');
const session = useSession(delivery.api);
let identifier: string;
let applicationIdentifier: string;

beforeEach(async () => {
  ({ identifier } = await createWorkflow(session, [inApp(NAMES.map((name) => `{{subscriber.${name}}}`).join(' '))]));
  applicationIdentifier = await identifierOf(session);
});

type Send = (subscriberId: string, profile: Json) => PromiseLike<Response>;

const browser = (path: string, body: Json): request.Test => request(delivery.api.url).post(path).send(body);
/** Everything that takes a profile. */
const ROUTES: Readonly<Record<string, Send>> = {
  'POST /v1/subscribers': (subscriberId, profile) => session.post('/v1/subscribers', { subscriberId, ...profile }),
  'POST /v1/subscribers/bulk': (subscriberId, profile) =>
    session.post('/v1/subscribers/bulk', { subscribers: [{ subscriberId, ...profile }] }),
  'PUT /v1/subscribers/{subscriberId}': (subscriberId, profile) =>
    session.put(`/v1/subscribers/${subscriberId}`, profile),
  'to of a trigger': (subscriberId, profile) =>
    session.post('/v1/events/trigger', { name: identifier, to: { subscriberId, ...profile } }),
  'an entry of to': (subscriberId, profile) =>
    session.post('/v1/events/trigger', { name: identifier, to: ['other', { subscriberId, ...profile }] }),
  'actor of a trigger': (subscriberId, profile) =>
    session.post('/v1/events/trigger', { name: identifier, to: 'other', actor: { subscriberId, ...profile } }),
  'a session of the Inbox': (subscriberId, profile) =>
    browser('/v1/inbox/session', {
      applicationIdentifier,
      subscriberHash: hmacOf(session, subscriberId),
      subscriber: { subscriberId, ...profile },
    }),
};

const made = async (subscriberId: string, profile: Json): Promise<void> => {
  await session.post('/v1/subscribers', { subscriberId, ...profile }).expect(201);
};
const stored = async (subscriberId: string): Promise<Json> => {
  const data = await dataOf(session.get(`/v1/subscribers/${subscriberId}`), 200);
  return Object.fromEntries(Object.entries(data).filter(([name]) => NAMES.includes(name)));
};

/** A bulk call says for each subscriber what is wrong. */
function faultsIn({ message, data }: Json): string[] {
  const { failed } = (data ?? {}) as { failed?: { message: string }[] };
  return failed === undefined ? (message as string[]) : failed.map((failure) => failure.message);
}

describe.each(Object.entries(ROUTES))('the profile in %s', (route, send) => {
  const sent = async (profile: Json): Promise<Json> => {
    const answer = await send('ada', profile);
    expect([answer.status < 300, answer.headers['herald-warning']]).toEqual([true, undefined]);
    await delivery.drain();
    return stored('ada');
  };

  it('should take every field', async () => {
    await made('ada', ONE);
    expect(await sent(OTHER)).toEqual(OTHER);
  });

  it('should keep what is absent', async () => {
    await made('ada', ONE);
    expect(await sent({})).toEqual(ONE);
  });

  it.each(['', null])('should remove what is %j', async (nothing) => {
    const fields = nothing === null ? PROFILE_FIELDS : TEXTS;
    await made('ada', ONE);
    const { data } = ONE;
    expect(await sent(profileOf(() => nothing, fields))).toEqual(nothing === null ? {} : { data });
    const rows = await delivery.rows('subscribers', { subscriberId: 'ada' });
    const row = rows.find(({ _environmentId }) => String(_environmentId) === session.environmentId) ?? {};
    expect(Object.keys(row).filter((name) => NAMES.includes(name))).toEqual(nothing === null ? [] : ['data']);
  });

  it('should name every field that is wrong', async () => {
    await made('ada', ONE);
    const wrong = PROFILE_FIELDS.filter(({ kind }) => route !== 'a session of the Inbox' || kind !== 'timezone');
    const { status, body } = await send(
      'ada',
      profileOf((kind) => VALUES[kind][2], wrong),
    );
    const faults = faultsIn(body as Json);
    const named = wrong.filter(({ name }) => faults.some((fault) => fault.includes(`${name} must`)));
    expect([status, named]).toEqual([route.endsWith('/bulk') ? 201 : 400, wrong]);
    expect(await stored('ada')).toEqual(ONE);
  });

  it.each(['', null])('should store nothing for %j of somebody new', async (nothing) => {
    if (route.startsWith('PUT')) return;
    expect(await sent(profileOf(() => nothing, TEXTS))).toEqual({});
  });
});

describe('the profile', () => {
  it('should stay as it is in a session that nobody has proven', async () => {
    await allowSessionsWithoutHmac(session);
    await made('ada', ONE);
    const subscriber = { subscriberId: 'ada', ...profileOf(() => '', TEXTS) };
    await browser('/v1/inbox/session', { applicationIdentifier, subscriber }).expect(201);
    expect(await stored('ada')).toEqual(ONE);
  });

  it('should be as the Inbox finds it if the browser names a time zone that nobody knows', async () => {
    await made('ada', ONE);
    await ROUTES['a session of the Inbox']?.('ada', { timezone: 'Mars/Olympus' });
    expect(await stored('ada')).toEqual(ONE);
  });

  it('should be in templates, and among the variables that editors offer', async () => {
    await session.post('/v1/events/trigger', { name: identifier, to: { subscriberId: 'ada', ...OTHER } }).expect(201);
    await delivery.drain();
    const [message] = await feedOf(session, 'ada');
    for (const { name } of TEXTS) expect(message?.content).toContain(OTHER[name]);
    const { system } = await dataOf<{ system: Record<string, Json> }>(session.get('/v1/workflows/variables'), 200);
    for (const one of ['subscriber', 'actor'])
      expect(Object.keys(system[one] ?? {})).toEqual(expect.arrayContaining([...NAMES]));
  });

  it.each(NAMES)('should know %s wherever the OpenAPI document has a subscriber', async (field) => {
    const { body } = await request(delivery.api.url).get('/openapi.json');
    const { schemas } = (body as { components: { schemas: Record<string, { properties: Record<string, Json> }> } })
      .components;
    const people = [
      'CreateSubscriberDto',
      'UpdateSubscriberDto',
      'SubscriberRecipientDto',
      'InboxSubscriberDto',
      'SubscriberResponse',
    ];
    expect(people.filter((name) => schemas[name]?.properties[field] === undefined)).toEqual([]);
  });

  it('should be in the forms of the console and in its import', () => {
    expect(SUBSCRIBER_FIELDS.map(({ name }) => name)).toEqual(TEXTS.map(({ name }) => name));
    const headings = ['id', ...TEXTS.map(({ label }) => label)];
    expect(guessedTargets(headings)).toEqual(['subscriberId', ...TEXTS.map(({ name }) => name)]);
    const cells = ['ada', ...TEXTS.map(({ name }) => String(ONE[name]))];
    const { rows, faults } = checkedRows(headings, [cells], guessedTargets(headings));
    const { data: _free, ...texts } = ONE;
    expect([rows, faults]).toEqual([[{ line: 2, subscriber: { subscriberId: 'ada', ...texts } }], []]);
  });
});
