import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import type { TestSession } from '../harness/index.js';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { dataOf } from '../support/answers.js';
import { methodsOfClient } from '../support/current-client.js';
import { createWorkflow, inApp, messagesOf, type ShownNotification, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { callsOfV2 } from './current-client-v2.js';
import { workflowCalls } from './current-client-workflows.js';

/** The published client of version 3. It checks each answer against its own declaration, and throws where a field is missing. */
const delivery = useDeliveryApi('current_client');
let channels: AllChannels;
let session: TestSession;
let novu: Novu;
let workflowId: string;
/** Of an event that ada got on every channel. */
let transactionId: string;

beforeAll(async () => {
  channels = await startAllChannels();
  session = await delivery.api.session();
  await channels.integrate(session);
  novu = clientOf(session.apiKey);
  ({ identifier: workflowId } = await createWorkflow(session, channels.steps));
  transactionId = await trigger(session, { name: workflowId, to: channels.recipient('ada'), payload: { order: 7 } });
  // What the event brings in can be in a topic once the event was carried out.
  await delivery.drain();
  await session.post('/v1/topics', { key: 'watchers', name: 'Watchers' }).expect(201);
  await session.post('/v1/topics/watchers/subscribers', { subscribers: ['ada'] }).expect(200);
});

afterAll(() => channels.close());

const clientOf = (secretKey: string): Novu =>
  new Novu({ secretKey, serverURL: delivery.api.url, retryConfig: { strategy: 'none' } });

const messageIdOf = async (channel: string): Promise<string> =>
  String((await messagesOf(session, transactionId)).find((message) => message.channel === channel)?._id);

const notificationId = async (): Promise<string> => {
  const [row] = dataOf<ShownNotification[]>(
    await session.get(`/v1/notifications?transactionId=${transactionId}`).expect(200),
  );
  return String(row?._id);
};

/** What messages without link and buttons have. */
const NO_CTA = { action: { buttons: [] } };
const SMS = { name: 'Texts', providerId: 'generic-sms', channel: 'sms', active: false } as const;
const integration = async (): Promise<string> => (await novu.integrations.create(SMS)).result.id ?? '';
const CHANNEL = {
  providerId: 'mattermost',
  credentials: { webhookUrl: 'https://chat.example.com/hooks/eve' },
} as const;
const made = async (subscriberId: string): Promise<string> => {
  await session.post('/v1/subscribers', { subscriberId }).expect(201);
  return subscriberId;
};

/** A call of each method that has a route, and what it returns. */
const CALLS: Readonly<Record<string, readonly [call: () => Promise<unknown>, expected: object]>> = {
  trigger: [
    () => novu.trigger({ workflowId, to: { subscriberId: 'bob' }, payload: { order: 8 }, transactionId: 'one' }),
    { result: { acknowledged: true, status: 'processed', transactionId: 'one' } },
  ],
  triggerBulk: [
    () =>
      novu.triggerBulk({
        events: [
          { workflowId, to: 'bob' },
          { workflowId: 'nothing', to: 'bob' },
        ],
      }),
    { result: [{ status: 'processed' }, { status: 'error', error: ['workflow_not_found'] }] },
  ],
  triggerBroadcast: [
    () => novu.triggerBroadcast({ name: workflowId, payload: {} }),
    { result: { acknowledged: true, status: 'processed' } },
  ],
  cancel: [() => novu.cancel('unknown'), { result: false }],
  environmentsList: [() => novu.environments.list(), { result: [{ name: 'Development' }, { name: 'Production' }] }],
  integrationsCreate: [() => novu.integrations.create(SMS), { result: { providerId: 'generic-sms', active: false } }],
  integrationsList: [() => novu.integrations.list(), { result: expect.any(Array) }],
  integrationsListActive: [() => novu.integrations.listActive(), { result: expect.any(Array) }],
  integrationsUpdate: [
    async () => novu.integrations.update({ name: 'Renamed' }, await integration()),
    { result: { name: 'Renamed' } },
  ],
  integrationsSetAsPrimary: [
    async () => {
      const { result } = await novu.integrations.list();
      return novu.integrations.setAsPrimary(String(result.find(({ channel }) => channel === 'email')?.id));
    },
    { result: { channel: 'email', primary: true } },
  ],
  integrationsDelete: [async () => novu.integrations.delete(await integration()), { result: expect.any(Array) }],
  messagesRetrieve: [
    () => novu.messages.retrieve({ subscriberId: 'ada', limit: 20 }),
    { result: { page: 0, hasMore: false, data: expect.any(Array) } },
  ],
  messagesDelete: [
    async () => novu.messages.delete(await messageIdOf('sms')),
    { result: { acknowledged: true, status: 'deleted' } },
  ],
  messagesDeleteByTransactionId: [() => novu.messages.deleteByTransactionId(transactionId, 'push'), { headers: {} }],
  // Without the filter, the client stumbles over steps that no provider was called for.
  notificationsList: [
    () => novu.notifications.list({ page: 0, limit: 10, transactionId }),
    { result: { page: 0, hasMore: false, data: [{ jobs: expect.any(Array) }] } },
  ],
  notificationsRetrieve: [
    async () => novu.notifications.retrieve(await notificationId()),
    { result: { channels: expect.any(Array), jobs: expect.any(Array) } },
  ],
  subscribersCreateBulk: [
    () =>
      novu.subscribers.createBulk({ subscribers: [{ subscriberId: 'cleo' }, { subscriberId: 'dan', email: 'none' }] }),
    {
      result: {
        created: [{ subscriberId: 'cleo' }],
        updated: [],
        failed: [{ subscriberId: 'dan', message: 'subscribers.1.email must be an email' }],
      },
    },
  ],
  subscribersCredentialsUpdate: [
    async () => novu.subscribers.credentials.update(CHANNEL, await made('eve')),
    { result: { subscriberId: 'eve', channels: [CHANNEL] } },
  ],
  subscribersCredentialsAppend: [
    async () => novu.subscribers.credentials.append(CHANNEL, await made('eve')),
    { result: { subscriberId: 'eve', channels: [CHANNEL] } },
  ],
  subscribersCredentialsDelete: [
    async () => novu.subscribers.credentials.delete(await made('eve'), 'mattermost'),
    { headers: {} },
  ],
  subscribersMessagesMarkAll: [
    () => novu.subscribers.messages.markAll({ markAs: 'seen' }, 'ada'),
    { result: expect.any(Number) },
  ],
  subscribersMessagesMarkAllAs: [
    async () => novu.subscribers.messages.markAllAs({ messageId: await messageIdOf('in_app'), markAs: 'read' }, 'ada'),
    { result: [{ channel: 'in_app', read: true, cta: NO_CTA }] },
  ],
  subscribersNotificationsFeed: [
    () => novu.subscribers.notifications.feed({ subscriberId: 'ada' }),
    { result: { data: expect.arrayContaining([expect.objectContaining({ channel: 'in_app', cta: NO_CTA })]) } },
  ],
  subscribersNotificationsUnseenCount: [
    () => novu.subscribers.notifications.unseenCount({ subscriberId: 'ada', seen: false }),
    { result: { count: expect.any(Number) } },
  ],
  subscribersPropertiesUpdateOnlineFlag: [
    async () => novu.subscribers.properties.updateOnlineFlag({ isOnline: true }, await made('eve')),
    { result: { subscriberId: 'eve', isOnline: true } },
  ],
  topicsSubscribersRetrieve: [
    () => novu.topics.subscribers.retrieve('ada', 'watchers'),
    { result: { topicKey: 'watchers', externalSubscriberId: 'ada' } },
  ],
};

const BUTTON = { data: { url: '/orders' }, action: { buttons: [{ type: 'primary', content: 'Accept' }] } };
let asked = 0;

const CALLS_OF_V2 = callsOfV2({
  novu: () => novu,
  workflowId: () => workflowId,
  notified: async () => {
    asked += 1;
    const subscriberId = `asked-${asked}`;
    const workflow = await createWorkflow(session, [
      inApp('Well?', { template: { type: 'in_app', content: 'Well?', cta: BUTTON } }),
    ]);
    await trigger(session, { name: workflow.identifier, to: subscriberId });
    await delivery.drain();
    const { result } = await novu.subscribers.notifications.list({ subscriberId });
    // Other calls count the workflows.
    await session.delete(`/v1/workflows/${workflow._id}`).expect(200);
    return { subscriberId, notificationId: String(result.data[0]?.id) };
  },
});

const CALLS_OF_WORKFLOWS = workflowCalls(
  () => novu,
  () => session.environmentId,
);

/** For people only: an API key, which clients have, belongs to one environment. */
const FOR_PEOPLE = ['environmentsDiff', 'environmentsPublish', 'workflowsSync'];

/** Carried out; then the client misses `deletedAt` of a workflow that nobody deleted, as it does with the system that it is made for. */
const REFUSED_ANSWERS = ['subscribersMessagesUpdateAsSeen'];

describe('the client of version 3', () => {
  it.each(Object.entries({ ...CALLS, ...CALLS_OF_V2, ...CALLS_OF_WORKFLOWS }))(
    'should read what %s returns',
    async (_name, [call, expected]) => {
      expect(await call()).toMatchObject(expected);
    },
  );

  it('should have been called for every route', () => {
    const served = methodsOfClient().filter(({ isServed }) => isServed);
    const called = [CALLS, CALLS_OF_V2, CALLS_OF_WORKFLOWS].flatMap((calls) => Object.keys(calls));
    expect([...called, ...REFUSED_ANSWERS, ...FOR_PEOPLE].sort()).toEqual(served.map(({ name }) => name).sort());
  });

  it.each(['in_app', 'email', 'sms', 'chat', 'push'] as const)(
    'should read messages of the channel %s',
    async (channel) => {
      const sent = await trigger(session, { name: workflowId, to: channels.recipient('fay'), payload: { order: 9 } });
      await delivery.drain();
      const { result } = await novu.messages.retrieve({ channel, transactionId: [sent] });
      expect(result.data).toMatchObject([{ channel, transactionId: sent, cta: NO_CTA }]);
    },
  );

  it('should carry out the action of a button', async () => {
    const cta = { data: { url: '/orders' }, action: { buttons: [{ type: 'primary', content: 'Accept' }] } };
    const workflow = await createWorkflow(session, [
      inApp('Well?', { template: { type: 'in_app', content: 'Well?', cta } }),
    ]);
    const sent = await trigger(session, { name: workflow.identifier, to: 'gil' });
    await delivery.drain();
    const [message] = await messagesOf(session, sent);
    const call = novu.subscribers.messages.updateAsSeen({
      markMessageActionAsSeenDto: { status: 'done' },
      messageId: String(message?._id),
      subscriberId: 'gil',
      type: 'primary',
    });
    await expect(call).rejects.toMatchObject({ name: 'ResponseValidationError', statusCode: 201 });
    expect(await messagesOf(session, sent)).toMatchObject([{ cta: { action: { status: 'done' } } }]);
  });

  it('should read why a trigger is refused', async () => {
    await expect(novu.trigger({ workflowId, to: { subscriberId: 'bob', email: 'none' } })).rejects.toMatchObject({
      name: 'PayloadValidationExceptionDto',
      statusCode: 400,
      type: 'PAYLOAD_VALIDATION_ERROR',
      errors: [{ field: 'to.email', message: 'to.email must be an email' }],
    });
    await expect(novu.trigger({ workflowId: 'nothing', to: 'bob' })).rejects.toMatchObject({
      name: 'ValidationErrorDto',
      statusCode: 422,
      errors: { general: { messages: ['workflow_not_found'] } },
    });
    await expect(clientOf('not-a-key-of-anybody').trigger({ workflowId, to: 'bob' })).rejects.toMatchObject({
      name: 'ErrorDto',
      statusCode: 401,
    });
  });
});

describe('the client of version 3 on a journey', () => {
  it('should follow one person from the first trigger to the last notification', async () => {
    await novu.subscribers.create({ subscriberId: 'hal', firstName: 'Hal', email: 'hal@example.com' });
    await novu.topics.create({ key: 'crew' });
    await novu.topics.subscriptions.create({ subscriberIds: ['hal'] }, 'crew');
    await novu.subscribers.preferences.update({ workflowId, channels: { sms: false, push: false } }, 'hal');
    for (const number of [1, 2, 3]) {
      await novu.trigger({ workflowId, to: [{ type: 'Topic', topicKey: 'crew' }], payload: { number } });
      await delivery.drain();
    }
    const { result: sent } = await novu.messages.retrieve({ subscriberId: 'hal', limit: 100 });
    expect(new Set(sent.data.map(({ channel }) => channel))).toEqual(new Set(['in_app', 'email']));
    const { notifications } = novu.subscribers;
    const list = async (more: object = {}) => (await notifications.list({ subscriberId: 'hal', ...more })).result;
    const first = await list({ limit: 2 });
    const [newest, middle] = first.data;
    expect(first).toMatchObject({ hasMore: true, data: [{ to: { firstName: 'Hal' } }, {}] });
    const second = await list({ limit: 2, after: middle?.id });
    expect([second.hasMore, second.data.length]).toEqual([false, 1]);
    const one = { subscriberId: 'hal', notificationId: String(newest?.id) };
    await notifications.markAsRead(one);
    await notifications.archive({ subscriberId: 'hal', notificationId: String(middle?.id) });
    expect((await list({ read: true, archived: false })).data).toMatchObject([{ id: newest?.id }]);
    expect((await list({ archived: true })).data).toMatchObject([{ id: middle?.id }]);
    const snoozeUntil = new Date(delivery.clock.now().getTime() + 3_600_000);
    await notifications.snooze({ ...one, snoozeSubscriberNotificationDto: { snoozeUntil } });
    expect((await list({ snoozed: true })).data).toMatchObject([{ id: newest?.id, isSnoozed: true }]);
    await notifications.unsnooze(one);
    await notifications.archiveAllRead({}, 'hal');
    await notifications.deleteAll({}, 'hal');
    expect((await list()).data).toEqual([]);
    await novu.subscribers.delete('hal');
    expect((await novu.topics.subscriptions.list({ topicKey: 'crew' })).result.data).toEqual([]);
  });

  it('should read two pages of a list, there and back', async () => {
    for (const key of ['one', 'two', 'three']) await novu.topics.create({ key: `deck-${key}` });
    const read = async (window: object) => (await novu.topics.list({ limit: 2, ...window })).result;
    const newest = await read({});
    const older = await read({ after: newest.next ?? '' });
    expect((await read({ before: older.previous ?? '' })).data).toEqual(newest.data);
    const oldest = await read({ orderDirection: 'ASC', orderBy: 'createdAt' });
    const newer = await read({ orderDirection: 'ASC', orderBy: 'createdAt', after: oldest.next ?? '' });
    const back = await read({ orderDirection: 'ASC', orderBy: 'createdAt', before: newer.previous ?? '' });
    expect([back.data, back.previous]).toEqual([oldest.data, null]);
  });

  it('should read why a call is refused', async () => {
    const notFound = { name: 'ErrorDto', statusCode: 404 };
    await expect(novu.subscribers.retrieve('nobody')).rejects.toMatchObject(notFound);
    await expect(novu.topics.get('nothing')).rejects.toMatchObject(notFound);
    const nothing = { subscriberId: 'ada', notificationId: '0123456789abcdef01234567' };
    await expect(novu.subscribers.notifications.markAsRead(nothing)).rejects.toMatchObject(notFound);
    await expect(novu.subscribers.create({ subscriberId: 'ian', email: 'none' })).rejects.toMatchObject({
      name: 'ErrorDto',
      statusCode: 400,
      data$: { message: ['email must be an email'] },
    });
    await expect(novu.topics.list({ after: 'x' })).rejects.toMatchObject({ name: 'ErrorDto', statusCode: 400 });
    const inContext = { channels: { email: false }, context: { tenant: 'acme' } };
    await expect(novu.subscribers.preferences.update(inContext, 'ada')).rejects.toMatchObject({
      name: 'ValidationErrorDto',
      statusCode: 422,
      errors: { general: { messages: [expect.stringContaining('Herald does not take context here')] } },
    });
    await expect(clientOf('not-a-key-of-anybody').subscribers.retrieve('ada')).rejects.toMatchObject({
      name: 'ErrorDto',
      statusCode: 401,
    });
    // The client takes this response for a subscriber.
    await expect(novu.subscribers.create({ subscriberId: 'ada' }, true)).rejects.toMatchObject({ statusCode: 409 });
    const message = expect.stringContaining('a promotion needs two') as string;
    const refused = { name: 'ErrorDto', statusCode: 403, message };
    const other = '0123456789abcdef01234567';
    await expect(novu.environments.diff({}, other)).rejects.toMatchObject(refused);
    await expect(novu.environments.publish({ dryRun: true }, other)).rejects.toMatchObject(refused);
    await expect(novu.workflows.sync({ targetEnvironmentId: other }, workflowId)).rejects.toMatchObject(refused);
    await expect(novu.layouts.list({})).rejects.toMatchObject({
      statusCode: 501,
      body: expect.stringContaining('route_not_served'),
    });
  });
});

describe('the table of the manual', () => {
  it('should say what is served', () => {
    const manual = readFileSync('docs/manual/clients.md', 'utf8');
    const [, table = ''] = /\n(\| Resource +\| Served[^]*?)\n\n/.exec(manual) ?? [];
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const methods = methodsOfClient();
    const expected = [...new Set(methods.map(({ resource }) => resource))].map((resource) => {
      const [served, missing] = [true, false].map((wanted) =>
        methods.filter((method) => method.resource === resource && method.isServed === wanted),
      ) as [typeof methods, typeof methods];
      return [`\`${resource}\``, wordsFor(served, missing), wordsFor(missing, served)];
    });
    expect(rows).toEqual(expected);
  });
});

/** All of a resource are not named one by one. */
function wordsFor(some: readonly { name: string }[], others: readonly object[]): string {
  if (some.length === 0) return '';
  return others.length === 0 ? `all ${some.length}` : some.map(({ name }) => `\`${name}\``).join(', ');
}
