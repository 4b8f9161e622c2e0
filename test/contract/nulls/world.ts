import type { TestApp, TestSession } from '../../harness/index.js';
import { activeEmailFactory, discordFactory, fcmFactory } from '../../factories/integration.factory.js';
import { createLayout } from '../../factories/layout.factory.js';
import { createInbox } from '../../factories/message.factory.js';
import { createActiveWorkflow, identifierOf as triggerOf } from '../../factories/workflow.factory.js';
import { dataOf, type Json } from '../../support/answers.js';
import { hmacOf, identifierOf, openSession } from '../../support/browser-session.js';
import { joined } from '../../support/signed-in-browser.js';

export type Caller = 'key' | 'subscriber' | 'person' | 'nobody' | `Bearer ${string}`;

export interface Answer {
  readonly status: number;
  readonly body: Json | undefined;
}

/** What requests need that can succeed. */
export interface World {
  readonly session: TestSession;
  /** A text that nothing else has; answers are compared as if all were the same. */
  readonly name: () => string;
  readonly environment: string;
  readonly subscriberId: string;
  readonly workflow: { readonly _id: string; readonly identifier: string; readonly stepId: string };
  readonly groupId: string;
  readonly layoutId: string;
  readonly feed: { readonly _id: string; readonly identifier: string };
  readonly tenant: string;
  readonly topic: string;
  readonly segment: string;
  /** Of the person. */
  readonly email: string;
  readonly messageId: string;
  /** Id of another environment in which the person has a role. */
  readonly sourceId: string;
  readonly hmac: (subscriberId: string) => string;
  readonly send: (by: Caller, method: string, path: string, body?: object) => Promise<Answer>;
  /** Opens a session. */
  readonly open: (subscriberId: string) => Promise<`Bearer ${string}`>;
  /** The data of an answer that must be a success. */
  readonly make: (method: string, path: string, body: object) => Promise<Json>;
}

/** What a record cannot be made of. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly answer: Json | undefined,
  ) {
    super(`${status} ${JSON.stringify(answer)}`);
  }
}

let count = 0;
const name = (): string => `null-case-${++count}`;

export async function createWorld(api: TestApp): Promise<World> {
  const [session, sibling] = await api.siblings();
  for (const integration of [activeEmailFactory(), discordFactory(), fcmFactory()])
    await session.post('/v1/integrations', integration).expect(201);
  const inbox = await createInbox(api, session);
  const { subscriberId } = inbox.subscriber;
  const workflow = await createActiveWorkflow(session);
  const [step] = workflow['steps'] as { _id: string }[];
  const feed = await dataOf<{ _id: string; identifier: string }>(session.post('/v1/feeds', { name: name() }), 201);
  const tenant = name();
  await session.post('/v1/tenants', { identifier: tenant, name: 'Acme' }).expect(201);
  const cta = { type: 'redirect' as const, action: { buttons: [{ type: 'primary' as const, content: 'Ok' }] } };
  const [messageId = ''] = await inbox.deliver({ cta });
  await session.put('/v1/translations/en', { messages: {} }).expect(200);
  const topic = name();
  await session.post('/v1/topics', { key: topic, name: 'A' }).expect(201);
  const segment = name();
  await session.post('/v1/segments', { segmentId: segment, name: 'A', conditions: [] }).expect(201);
  const { email, headers } = await callersOf(api, session, sibling, subscriberId);
  const send: World['send'] = async (by, method, path, body) => {
    const answer = await fetch(api.url + path, {
      method,
      headers: { ...(headers[by] ?? { authorization: by }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as Json) };
  };
  return {
    session,
    name,
    environment: await identifierOf(session),
    subscriberId,
    workflow: { _id: workflow._id, identifier: triggerOf(workflow), stepId: step?._id ?? '' },
    groupId: String(workflow['_notificationGroupId']),
    layoutId: String((await createLayout(session))['_id']),
    feed,
    tenant,
    topic,
    segment,
    email,
    messageId,
    sourceId: sibling.environmentId,
    open: (id) => open(api, session, id),
    hmac: (id) => hmacOf(session, id),
    send,
    make: async (method, path, body) => {
      const answer = await send('key', method, path, body);
      if (answer.status >= 300) throw new Refused(answer.status, answer.body);
      return (answer.body?.['data'] ?? {}) as Json;
    },
  };
}

async function callersOf(
  api: TestApp,
  session: TestSession,
  sibling: TestSession,
  subscriberId: string,
): Promise<{ email: string; headers: Record<string, Record<string, string>> }> {
  const person = await joined(session, 'owner');
  const invite = { email: person.email, role: 'owner', environmentIds: [sibling.environmentId] };
  const { url } = await dataOf<{ url: string }>(sibling.post('/v1/users/invitations', invite), 201);
  await person.accept(new URL(url).hash.slice(1));
  const headers = {
    key: { authorization: `ApiKey ${session.apiKey}` },
    subscriber: { authorization: await open(api, session, subscriberId) },
    person: {
      cookie: person.cookie ?? '',
      'x-csrf-token': person.csrfToken ?? '',
      'herald-environment-id': session.environmentId,
    },
    nobody: {},
  };
  return { email: person.email, headers };
}

async function open(api: TestApp, session: TestSession, subscriberId: string): Promise<`Bearer ${string}`> {
  return `Bearer ${await openSession(api, session, subscriberId)}`;
}
