import { CALLBACK_CASES } from '../../libs/channels/test/callback-cases.js';
import { RecipientLinks } from '../../src/platform/recipient-links/index.js';
import { createWorld, type World } from '../contract/nulls/world.js';
import { dataOf } from '../support/answers.js';
import { type Attack, PauseProbe, type RawRequest } from '../support/pause-probe.js';
import { isForSubscribers, operationsOf, readDocument, type Route } from '../support/routes.js';
import { joined } from '../support/signed-in-browser.js';
import { useTestApi } from '../support/test-api.js';
import { worstBodies, type WorstBody, worstHeads, worstReports } from '../support/worst-bodies.js';

/**
 * No input may keep the event loop busy for longer than 50 ms. Processor time of all threads, the collection of garbage included, on a
 * machine that does other things, is two to three times that.
 */
const MOST_MS = 150;
/** Code that runs for the first time, and garbage of others, may take as long again. */
const TRIES = 4;

const OBJECT_ID = '0123456789abcdef01234567';
const document = readDocument();
/** What deletes comes last, and of that what deletes callers: the others need them. */
const rankOf = (route: Route): number => (route.method !== 'DELETE' ? 0 : isForSubscribers(route.path) ? 1 : 2);
const operations = operationsOf(document).sort((a, b) => rankOf(a) - rankOf(b));

const api = useTestApi({});
let world: World;
let probe: PauseProbe;
let callers: Record<'key' | 'person' | 'subscriber', Record<string, string>>;

beforeAll(async () => {
  world = await createWorld(api);
  probe = new PauseProbe(api.url);
  const person = await joined(world.session, 'owner');
  callers = {
    key: { authorization: `ApiKey ${world.session.apiKey}` },
    subscriber: { authorization: await world.open(world.subscriberId) },
    person: {
      cookie: person.cookie ?? '',
      'x-csrf-token': person.csrfToken ?? '',
      'herald-environment-id': world.session.environmentId,
    },
  };
});
afterAll(() => probe.close());

function callerOf({ path }: Route): Record<string, string> {
  if (isForSubscribers(path)) return callers.subscriber;
  return path.startsWith('/v1/users/') ? callers.person : callers.key;
}

function pathWith(path: string): string {
  const { workflow, subscriberId, layoutId, feed, messageId, tenant, topic, groupId } = world;
  const known: Record<string, string> = {
    workflowId: workflow._id,
    workflowIdentifier: workflow.identifier,
    stepId: workflow.stepId,
    subscriberId,
    layoutId,
    feedId: feed._id,
    messageId,
    tenantId: tenant,
    tenantIdentifier: tenant,
    topicKey: topic,
    groupId,
    locale: 'en',
    channel: 'email',
    version: '0',
  };
  return path.replace(/\{([^}]+)\}/g, (_all, name: string) => known[name] ?? OBJECT_ID);
}

/** The pause that repeats itself: what happens once is not the input's fault. */
async function pauseOf(requests: readonly RawRequest[]): Promise<Attack> {
  let best = await probe.measure(requests);
  for (let tries = 1; best.pauseMs > MOST_MS && tries < TRIES; tries++) {
    const again = await probe.measure(requests);
    if (again.pauseMs < best.pauseMs) best = again;
  }
  return best;
}

/** Not there, a provider that does not answer, too many at once. */
const UNAVAILABLE: ReadonlySet<number> = new Set([501, 502, 503]);

async function expectShortPauses(kinds: readonly string[], requests: readonly RawRequest[]): Promise<Attack> {
  const whole = await pauseOf(requests);
  expect(whole.statuses.filter((status) => status >= 500 && !UNAVAILABLE.has(status))).toEqual([]);
  if (whole.pauseMs <= MOST_MS) return whole;
  // Names what it was.
  const each = [];
  for (const [at, one] of requests.entries()) {
    each.push({ kind: kinds[at], ...(await pauseOf([one])) });
  }
  expect(each.filter(({ pauseMs }) => pauseMs > MOST_MS)).toEqual([]);
  return whole;
}

const withBody = (route: Route, headers: Record<string, string>, { bytes, headers: own }: WorstBody): RawRequest => ({
  method: route.method,
  path: route.path,
  headers: { ...headers, ...own },
  body: bytes,
});

describe('the worst input', () => {
  it.each(CALLBACK_CASES.map((one) => [one.id, one] as const))(
    'should not keep the process busy as a callback of %s',
    async (id, { channel = 'email', credentials, body, signed }) => {
      const path = `/v1/provider-callbacks/${await callbackIntegration(id, channel, credentials)}`;
      const isForm = typeof body === 'string';
      const { headers = {} } = signed(isForm ? body : JSON.stringify(body));
      const json = {
        TopicArn: credentials['callbackSecret'],
        Timestamp: new Date(),
        Type: 'Notification',
        ...(isForm ? {} : (body as object)),
      };
      const bodies = worstReports(json, isForm ? body : 'a=1');
      const signs = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']));
      await expectShortPauses(
        bodies.map(({ kind }) => kind),
        bodies.map((one) => withBody({ method: 'POST', path }, signs, one)),
      );
    },
  );

  it.each(['preferences', 'unsubscribe'] as const)('should not keep the process busy as a form of %s', async (kind) => {
    const { _id } = await dataOf<{ _id: string }>(world.session.get(`/v1/subscribers/${world.subscriberId}`), 200);
    const token = api.app.get(RecipientLinks).tokenOf(kind, {
      channel: 'email',
      environmentId: world.session.environmentId,
      organizationId: world.session.organizationId,
      subscriberId: _id,
      workflowId: world.workflow._id,
      messageId: world.messageId,
    });
    const path = `/${kind}/${token}`;
    const shown = Array.from(
      { length: 6_000 },
      (_one, at) => `was.workflow.${at.toString(16).padStart(24, '0')}=email:1`,
    );
    const bodies = [
      ...worstReports({ a: 1 }, shown.join('&').slice(0, 200_000)),
      {
        kind: 'many switches',
        bytes: Buffer.from(shown.join('&').slice(0, 250_000)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      {
        kind: 'many states',
        bytes: Buffer.from(`was.channel=${'email:1,'.repeat(15_000)}&${'channel=x&'.repeat(9_000)}`),
        headers: {},
      },
    ];
    await expectShortPauses(
      bodies.map((one) => one.kind),
      bodies.map((one) => withBody({ method: 'POST', path }, {}, one)),
    );
  });

  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    'should not keep the process busy at %s',
    async (_name, { method, path, operation }) => {
      const route = { method, path: pathWith(path) };
      const headers = callerOf({ method, path });
      const bodies = operation.requestBody === undefined ? [] : worstBodies(document, operation);
      const heads = worstHeads(route.path).map((head) => ({
        method,
        path: head.path,
        headers: { ...headers, ...head.headers },
      }));
      const { statuses } = await expectShortPauses(
        [...bodies.map(({ kind }) => kind), 'parameters', 'lists', 'nested parameters', 'headers', 'cookies'],
        [...bodies.map((body) => withBody(route, headers, body)), ...heads],
      );
      // Where the caller is not let in, nothing is read.
      if (bodies.length > 0) expect(statuses.filter((status) => status !== 401 && status !== 403)).not.toEqual([]);
    },
  );
});

async function callbackIntegration(providerId: string, channel: string, own: Record<string, string>): Promise<string> {
  const providers = await dataOf<{ id: string; channel: string; credentials: { key: string; required: boolean }[] }[]>(
    world.session.get('/v1/integrations/providers'),
    200,
  );
  const needed = providers.find((one) => one.id === providerId && one.channel === channel)?.credentials ?? [];
  const credentials = Object.fromEntries(
    needed.filter(({ required }) => required).map(({ key }) => [key, key === 'from' ? 'a@b.example' : 'eu-west-1']),
  );
  const body = { providerId, channel, active: true, credentials: { ...credentials, ...own } };
  const { _id } = await dataOf<{ _id: string }>(world.session.post('/v1/integrations', body), 201);
  return _id;
}
