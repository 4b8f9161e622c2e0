import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, email, feedOf, inApp, messagesOf, smtpIntegration, trigger } from '../support/delivery.js';
import { storeNamed } from '../support/delivery-api.js';
import { openSession } from '../support/browser-session.js';
import { InboxClient } from '../support/inbox-client.js';
import { fewestCommands } from '../support/store-commands.js';
import { startTestApi, useApi } from '../support/test-api.js';
import { DELIVERY_LIMITS, REQUEST_LIMITS, STORED_LIMITS, TRIGGER_COMMANDS } from './limits.js';

const SUBSCRIBERS = 100;
const PROFILE = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };

// A database of its own, where work is delivered when the test drains it and nothing else asks the store.
const clock = new ManualClock();
const api = useApi(() =>
  startTestApi({ DELIVERY_WORKER: 'off' }, { ...storeNamed('costs'), monitorCommands: true }, clock),
);
const deliverAll = (): Promise<unknown> => api.app.get(DeliveryWorker).drain();
/** Mails that wait too long for a thread to render them, as on a busy machine, are put off for seconds. */
const deliverPostponed = (): Promise<unknown> =>
  api.app.get(DeliveryWorker).drain(new Date(clock.now().getTime() + 60_000));
let session: TestSession;
let workflow: string;
let stepId: string;
let mailWorkflow: string;
let catcher: SmtpCatcher;
let messageIds: string[];
let client: InboxClient;

beforeAll(async () => {
  session = await api.session();
  const created = await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}, {{n}}')], { name: 'Costs' });
  workflow = created.identifier;
  stepId = created.steps[0]?._id ?? '';
  ({ identifier: mailWorkflow } = await createWorkflow(session, [email('Number {{n}}', '<p>Hello</p>')], {
    name: 'Costs of mail',
  }));
  catcher = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  await smtpIntegration(session, catcher.port);
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, n) => ({ subscriberId: idOf(n), ...PROFILE }));
  await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
  await session.post('/v1/events/trigger/bulk', { events: events(20, () => idOf(0)) }).expect(201);
  await deliverAll();
  client = new InboxClient(api.url, await openSession(api, session, idOf(0)));
  messageIds = (await feedOf(session, idOf(0))).map(({ _id }) => _id);
});

afterAll(() => catcher.close());

const idOf = (n: number): string => `s${String(n).padStart(3, '0')}`;
const events = (count: number, to: (n: number) => string, name = workflow): object[] =>
  Array.from({ length: count }, (_, n) => ({ name, to: to(n), payload: { n: 100 + n } }));

const REQUESTS: Record<keyof typeof REQUEST_LIMITS, (attempt: number) => ReturnType<TestSession['get']>> = {
  'GET /v1/health-check': () => session.get('/v1/health-check'),
  'POST /v1/subscribers': (attempt) => session.post('/v1/subscribers', { subscriberId: `new-${attempt}`, ...PROFILE }),
  'GET /v1/subscribers/{subscriberId}': () => session.get(`/v1/subscribers/${idOf(5)}`),
  'GET /v1/subscribers?limit=20': () => session.get('/v1/subscribers?limit=20'),
  'GET /v1/subscribers/{subscriberId}/notifications/feed?limit=10': () =>
    session.get(`/v1/subscribers/${idOf(0)}/notifications/feed?limit=10`),
  'GET /v1/subscribers/{subscriberId}/notifications/unseen': () =>
    session.get(`/v1/subscribers/${idOf(0)}/notifications/unseen`),
  'POST /v1/subscribers/{subscriberId}/messages/mark-as': (attempt) =>
    session.post(`/v1/subscribers/${idOf(0)}/messages/mark-as`, { messageId: messageIds[attempt], markAs: 'read' }),
  'GET /v1/inbox/notifications': () => client.get('notifications', 'limit=10&archived=false&snoozed=false'),
  'GET /v1/inbox/notifications/count': () =>
    client.get('notifications/count', { filters: '[{"read":false},{"severity":"high"}]' }),
  'PATCH /v1/inbox/notifications/{notificationId}/read': (attempt) =>
    client.patch(`notifications/${messageIds[attempt] ?? ''}/read`),
  'POST /v1/events/trigger': () =>
    session.post('/v1/events/trigger', { name: workflow, to: idOf(1), payload: { n: 1 } }),
  'POST /v1/events/trigger/dry-run': () =>
    session.post('/v1/events/trigger/dry-run', { name: workflow, to: idOf(1), payload: { n: 1 } }),
  'POST /v1/workflows/{workflowId}/steps/{stepId}/preview': () =>
    session.post(`/v1/workflows/${workflow}/steps/${stepId}/preview`, { subscriber: idOf(1), payload: { n: 1 } }),
};

/** How often the worker looks once more and finds nothing depends on the speed of the machine. */
function withoutIdleLooks(commands: readonly string[]): string[] {
  const twice = ['find triggerEvents', 'find notifications', 'find triggerEvents', 'find notifications'];
  let end = commands.length;
  while (twice.every((command, n) => commands[end - twice.length + n] === command)) end -= 2;
  return commands.slice(0, end);
}

describe('costs of a request', () => {
  afterEach(deliverAll);

  it.each(Object.keys(REQUEST_LIMITS) as (keyof typeof REQUEST_LIMITS)[])(
    'should stay within the limits: %s',
    async (route) => {
      const limit = REQUEST_LIMITS[route];
      let bytes = 0;
      const commands = await fewestCommands(api, async (attempt) => {
        const { status, text } = await REQUESTS[route](attempt);
        expect(status).toBeLessThan(300);
        bytes = Buffer.byteLength(text);
      });
      expect(commands).toEqual(commands.slice(0, limit.commands));
      expect(bytes).toBeLessThanOrEqual(limit.bytes);
    },
  );
});

describe('costs of a delivery', () => {
  const SENT: Record<keyof typeof DELIVERY_LIMITS, () => Promise<unknown>> = {
    'a single trigger': () => trigger(session, { name: workflow, to: idOf(2), payload: { n: 1 } }),
    'a bulk trigger of 100 events': () =>
      dataOf(session.post('/v1/events/trigger/bulk', { events: events(100, idOf) }), 201),
    'a broadcast to 100 subscribers': () =>
      dataOf(session.post('/v1/events/trigger/broadcast', { name: workflow, payload: { n: 1 } }), 201),
    'a bulk trigger of 100 mails by SMTP': () =>
      dataOf(session.post('/v1/events/trigger/bulk', { events: events(100, idOf, mailWorkflow) }), 201),
  };

  it.each(Object.keys(DELIVERY_LIMITS) as (keyof typeof DELIVERY_LIMITS)[])(
    'should stay within the limit: %s',
    async (name) => {
      const { notifications, commands: most } = DELIVERY_LIMITS[name];
      const before = await countMessages();
      const attempts = 3;
      const deliver = async (): Promise<void> => {
        await SENT[name]();
        await deliverAll();
      };
      const commands = withoutIdleLooks(await fewestCommands(api, deliver, attempts));
      await deliverPostponed();
      expect((await countMessages()) - before).toBeGreaterThanOrEqual(attempts * notifications);
      expect(commands).toEqual(commands.slice(0, most));
    },
  );

  it('should send each mail of the bulk once', async () => {
    const before = catcher.mails.length;
    await SENT['a bulk trigger of 100 mails by SMTP']();
    await deliverPostponed();
    expect(catcher.mails).toHaveLength(before + SUBSCRIBERS);
  });

  it('should be these commands for a single trigger', async () => {
    await deliverAll();
    const commands = await fewestCommands(api, async () => {
      await trigger(session, { name: workflow, to: idOf(4), payload: { n: 1 } });
      await deliverAll();
    });
    const isSearch = (command: string): boolean =>
      /^find (triggerEvents|notifications|webhook|storeState)/.test(command);
    const isOfNotifications = (command: string): boolean =>
      /triggerEvents|notifications|messages|executionDetails|subscribers|preferences|workflowSnapshots/.test(command);
    const spent = commands.filter((command) => isOfNotifications(command) && !isSearch(command));
    expect(spent.sort()).toEqual(TRIGGER_COMMANDS);
  });

  it('should leave no more than the limits in the store', async () => {
    await deliverAll();
    const before = await storedIds();
    const transactionId = await trigger(session, { name: workflow, to: idOf(3), payload: { n: 1 } });
    await deliverAll();
    expect(await messagesOf(session, transactionId)).toHaveLength(1);
    const stored = await storedSince(before);
    expect(stored.documents).toBeLessThanOrEqual(STORED_LIMITS.documents);
    expect(stored.documentBytes).toBeLessThanOrEqual(STORED_LIMITS.documentBytes);
    expect(stored.indexEntries).toBeLessThanOrEqual(STORED_LIMITS.indexEntries);
  });
});

function db(): mongo.Db {
  const found = api.app.get<Connection>(getConnectionToken()).db;
  if (found === undefined) throw new Error('not connected');
  return found;
}

const countMessages = (): Promise<number> => db().collection('messages').countDocuments({});

/** Written for each minute and provider, or each hour, however many notifications are delivered. */
const STATISTICS = ['deliveryBuckets', 'activityTallies', 'activityTallyWork'];

async function collections(): Promise<mongo.Collection[]> {
  const found = await db().listCollections({}, { nameOnly: true }).toArray();
  return found.filter(({ name }) => !STATISTICS.includes(name)).map(({ name }) => db().collection(name));
}

async function storedIds(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const collection of await collections()) {
    const rows = await collection.find({}, { projection: { _id: 1 } }).toArray();
    found.set(collection.collectionName, new Set(rows.map(({ _id }) => String(_id))));
  }
  return found;
}

/** Documents that were not there before, and what they take. */
async function storedSince(
  before: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<{ documents: number; documentBytes: number; indexEntries: number }> {
  const total = { documents: 0, documentBytes: 0, indexEntries: 0 };
  for (const collection of await collections()) {
    const rows = (await collection.find({}).toArray()).filter(
      ({ _id }) => before.get(collection.collectionName)?.has(String(_id)) !== true,
    );
    if (rows.length === 0) continue;
    total.documents += rows.length;
    for (const row of rows) total.documentBytes += mongo.BSON.calculateObjectSize(row);
    const isNew = { _id: { $in: rows.map(({ _id }) => _id) } };
    for (const { partialFilterExpression } of await collection.indexes())
      total.indexEntries += await collection.countDocuments({ $and: [isNew, partialFilterExpression ?? {}] });
  }
  return total;
}
