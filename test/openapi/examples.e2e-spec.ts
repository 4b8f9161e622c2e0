import { generateVAPIDKeys } from 'web-push';
import { setTranslation } from '../factories/translation.factory.js';
import { readFileSync } from 'node:fs';
import type { TestSession } from '../harness/index.js';
import { agentKey } from '../support/agents.js';
import { dataOf, type Json } from '../support/answers.js';
import { feedOf } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { hmacOf, identifierOf, openSession } from '../support/browser-session.js';
import { joined } from '../support/signed-in-browser.js';
import { readDocument } from '../support/routes.js';
import { type TriedRequest, triedRequests } from '../support/try-it-out.js';

const document = readDocument();
/** They concern the person who is signed in, or links and passwords, of which no example is valid. test/users calls them. */
const OF_A_PERSON = /^(?:signIn|signOut|getSession|lookAtInvitation|acceptInvitation|\w+M[ey](?:$|[A-Z])\w*)$/;
// The stream of events does not end, only a Herald for tests has a test clock, and promotions are for people.
const NOT_TRIED = [
  ...['streamInbox', 'getTestClock', 'moveTestClock'],
  ...['previewPromotion', 'promote', 'diffEnvironmentV2', 'publishEnvironmentV2', 'syncWorkflowV2'],
  // The workflow of the examples is in Handlebars, and has no environment in its path.
  ...['updateWorkflowV2', 'listEnvironmentTagsV2'],
  // It is for people of the console.
  'decideQuestion',
];
const REQUESTS = triedRequests(document).filter(
  ({ operation: { operationId, tags } }) =>
    !NOT_TRIED.includes(operationId) && !(tags?.includes('Users') === true && OF_A_PERSON.test(operationId)),
);
/** The id of examples, which no record has. */
const RECORD_ID = '64f0c1a2b3c4d5e6f7a8b9c0';

// People of the examples are known to all organizations of a store, so the file has one of its own.
const delivery = useDeliveryApi('openapi_examples');

interface Tried {
  readonly name: string;
  readonly status: number;
  readonly code?: string;
  readonly text: string;
}

/** As a reader who has replaced the example of the application identifier, and has a token where a route is for subscribers. */
async function tryOut(session: TestSession, { name, method, url, body, operation }: TriedRequest): Promise<Tried> {
  const sent = isObject(body) && 'applicationIdentifier' in body ? await withIdentifier(session, body) : body;
  const call = session[method](url, sent as object | undefined);
  if (operation.security?.some((scheme) => 'SubscriberToken' in scheme) === true) {
    call.set('Authorization', `Bearer ${await openSession(delivery.api, session, 'ada')}`);
  }
  const { status, text, body: answer } = await call;
  const { code } = answer as { code?: string };
  return { name, status, ...(code !== undefined && { code }), text };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const withIdentifier = async (session: TestSession, body: object): Promise<object> => ({
  ...body,
  applicationIdentifier: await identifierOf(session),
  // What a server adds for the user of the example; each client has its own name for it.
  hmacHash: hmacOf(session, 'ada'),
  subscriberHash: hmacOf(session, 'ada'),
});

/** Refusals that say no more than that something has to be created first, or was already. */
const AWAITED = /_not_found$|_already_exists$|^no_active_integration$|^last_api_key$|^topic_has_subscribers$/;
/** The same of a record that a body names. */
const AWAITED_NAME = /must be the [a-z ]+ of a [a-z ]+ of this environment/;
const isFine = ({ status, code = '', text }: Tried): boolean =>
  status < 300 || AWAITED.test(code) || (code === 'validation_failed' && AWAITED_NAME.test(text));
const shown = ({ name, status, text }: Tried): string => `${name}: ${status} ${text}`;

describe('Try it out, as it stands', () => {
  it.each([
    ['in the order of the document', REQUESTS],
    ['in reverse', REQUESTS.toReversed()],
    ['with what creates first', REQUESTS.toSorted((a, b) => Number(b.method === 'post') - Number(a.method === 'post'))],
  ])('should never be refused for what the example says: %s', async (_order, requests) => {
    const session = await delivery.api.session();
    const tried: Tried[] = [];
    for (const request of requests) tried.push(await tryOut(session, request));
    expect(tried.filter((one) => !isFine(one)).map(shown)).toEqual([]);
    expect(tried.filter(({ status }) => status < 300).length).toBeGreaterThan(requests.length / 3);
  });

  it('should name no record id where the same can be named by an identifier', () => {
    const open = REQUESTS.filter(({ url }) => url.includes(RECORD_ID)).filter(({ operation }) =>
      operation.parameters?.some(
        ({ in: where, example, schema }) => where === 'path' && example === RECORD_ID && schema?.pattern === undefined,
      ),
    );
    // Keys have no other name.
    expect(open.map(({ operation }) => operation.operationId).sort()).toEqual([
      'revokeApiKey',
      'rotateApiKey',
      'updateApiKey',
    ]);
  });
});

describe('The first delivery, as the page tells it', () => {
  it('should create the workflow, trigger it and show the message in the feed', async () => {
    const session = await delivery.api.session();
    const request = (id: string): TriedRequest => {
      const found = REQUESTS.find(({ operation }) => operation.operationId === id);
      if (found === undefined) throw new Error(`the document has no ${id}`);
      return found;
    };
    expect(await tryOut(session, request('createWorkflow'))).toMatchObject({ status: 201 });
    const { status, text } = await tryOut(session, request('triggerEvent'));
    expect({ status, ...(JSON.parse(text) as { data: Json }).data }).toMatchObject({ status: 'processed' });
    await delivery.drain();
    const [message] = await feedOf(session, 'ada');
    expect(message).toMatchObject({ content: 'Hello Ada, order 4711 is on its way.' });
    for (const id of ['getFeed', 'listNotifications', 'listMessages', 'listSubscribers', 'listWorkflows']) {
      const page = JSON.parse((await tryOut(session, request(id))).text) as { data: unknown[] };
      expect({ id, rows: page.data.length }).toEqual({ id, rows: 1 });
    }
  });
});

describe('The examples and the README', () => {
  /** The bodies that the README sends. */
  const readme = readFileSync('README.md', 'utf8');
  const bodyTo = (path: string): object => {
    const sent = new RegExp(`^npx herald call POST ${path} '([^']*)'`, 'm').exec(readme)?.[1];
    if (sent === undefined) throw new Error(`The README sends nothing to ${path}.`);
    return JSON.parse(sent) as object;
  };
  const example = (id: string): TriedRequest[] => REQUESTS.filter(({ operation }) => operation.operationId === id);

  it.each(['first', 'second'])('should meet the same workflow when the README comes %s', async (place) => {
    const session = await delivery.api.session();
    const ofReadme = async (): Promise<void> => {
      await session.post('/v1/subscribers', bodyTo('subscribers')).expect(201);
      await session.post('/v1/workflows', bodyTo('workflows')).expect(201);
    };
    const [create] = example('createWorkflow');
    const ofSwagger = async (): Promise<unknown> => create && tryOut(session, create);
    await (place === 'first' ? ofReadme().then(ofSwagger) : ofSwagger().then(ofReadme));
    await session.post('/v1/events/trigger', bodyTo('events/trigger')).expect(201);
    const [trigger] = example('triggerEvent');
    expect(trigger && (await tryOut(session, trigger))).toMatchObject({ status: 201 });
    await delivery.drain();
    const textsFor = async (id: string): Promise<string[]> => (await feedOf(session, id)).map(({ content }) => content);
    expect(await textsFor('sam')).toEqual(['Hello Sam, order 42 is on its way.']);
    expect(await textsFor('ada')).toEqual(['Hello Ada, order 4711 is on its way.']);
  });
});

describe('Examples with the ids of records', () => {
  it('should succeed once the record id of the example is replaced by one that there is', async () => {
    const session = await delivery.api.session();
    const ids = await createStory(session);
    const failed: string[] = [];
    for (const request of REQUESTS.filter(({ operation }) => isPlain(operation.operationId))) {
      const tried = await tryOut(session, withIds(request, ids));
      if (tried.status >= 300) failed.push(shown(tried));
    }
    expect(failed).toEqual([]);
  });
});

/** Creates a record of its own, with an id that other paths take. */
const CREATING = REQUESTS.filter(
  ({ method, operation: { parameters = [] } }) =>
    method === 'post' && parameters.every(({ in: where }) => where !== 'path'),
).filter(({ operation }) => /^(create|issue)/.test(operation.operationId));

/** Without what creates or deletes, and what needs something to have failed, or to have been caught. */
function isPlain(id: string): boolean {
  return (
    !/^(create|delete|revoke|rotateApiKey|replay|cancelNotification|remove|setPrimary|clear)/.test(id) &&
    // The message of the examples has no buttons, and their question is answered before.
    !/ProviderCallback$|InboxAction$|ActionV2$|^cancelEvent$|^cancelQuestion$|^getTopicSubscriber$|^getCaughtMessage$/.test(
      id,
    )
  );
}

type Ids = Readonly<Record<string, string>>;

/** Sends what creates records, and delivers; answers with the ids by the names of parameters and fields. */
async function createStory(session: TestSession): Promise<Ids> {
  const ids: Record<string, string> = {};
  // Overrides name the workflow and the tenant of other examples.
  const last = (id: string): number => Number(id === 'createWorkflowOverride');
  const inOrder = CREATING.toSorted((a, b) => last(a.operation.operationId) - last(b.operation.operationId));
  for (const request of inOrder) {
    const { status, text } = await tryOut(session, request);
    if (status >= 300) throw new Error(`${request.name}: ${status} ${text}`);
    const parameter = Object.keys(document.paths)
      .find((path) => path.startsWith(`${request.url}/{`) && path.endsWith('}'))
      ?.replace(/.*\{|\}$/g, '');
    // the first example is the one that others go on with
    if (parameter !== undefined) ids[parameter] ??= (JSON.parse(text) as { data: { _id: string } }).data._id;
    if (request.operation.operationId === 'createNotificationReplay')
      ids['replayId'] = (JSON.parse(text) as { data: { _id: string } }).data._id;
  }
  await joined(session, 'viewer');
  const [person] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
  const invited = session.post('/v1/users/invitations', { email: 'alan@example.com', role: 'viewer' });
  ids['userId'] = person?._id ?? '';
  ids['invitationId'] = (await dataOf<{ _id: string }>(invited, 201))._id;
  // Only the keys of agents have limits to change.
  ids['apiKeyId'] = (await agentKey(session))._id;
  ids['levelOrWorkflowId'] = ids['workflowId'] ?? '';
  const { publicKey, privateKey } = generateVAPIDKeys();
  const credentials = { applicationId: publicKey, secretKey: privateKey, from: 'mailto:ops@herald.example' };
  const webPush = { channel: 'push', providerId: 'web-push', active: true, check: false, credentials };
  await session.post('/v1/integrations', webPush).expect(201);
  const expo = { ...webPush, providerId: 'expo', credentials: { apiKey: 'expo-access-token' } };
  await session.post('/v1/integrations', expo).expect(201);
  await setTranslation(session, 'de', {});
  for (const request of REQUESTS.filter(({ operation }) => operation.operationId === 'triggerEvent').slice(0, 1)) {
    const { text } = await tryOut(session, request);
    ids['transactionId'] = (JSON.parse(text) as { data: { transactionId: string } }).data.transactionId;
  }
  await delivery.drain();
  const [message] = await dataOf<Json[]>(session.get('/v1/messages'), 200);
  ids['messageId'] = String(message?.['_id']);
  ids['notificationIds'] = ids['messageId'];
  ids['notificationId'] = String(message?.['_notificationId']);
  ids['notificationGroupId'] = ids['groupId'] ?? '';
  return ids;
}

function withIds(request: TriedRequest, ids: Ids): TriedRequest {
  const names = (request.operation.parameters ?? [])
    .filter(({ example }) => example === RECORD_ID)
    .map(({ name }) => name);
  const required = names.includes('notificationId') ? names : [...names, 'notificationId'];
  const url = required.reduce((filling, name) => filling.replace(RECORD_ID, ids[name] ?? RECORD_ID), request.url);
  const body = request.body === undefined ? undefined : (JSON.parse(bodyWithIds(request.body, ids)) as unknown);
  const named = request.operation.operationId === 'getEvent' ? `/v1/events/trigger/${ids['transactionId'] ?? ''}` : url;
  return { ...request, url: named, ...(body !== undefined && { body }) };
}

const bodyWithIds = (body: unknown, ids: Ids): string =>
  JSON.stringify(body, (key, value: unknown) => {
    if (value === RECORD_ID) return ids[key] ?? value;
    return Array.isArray(value) && value[0] === RECORD_ID ? [ids[key]] : value;
  });
