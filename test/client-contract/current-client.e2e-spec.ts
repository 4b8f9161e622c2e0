import { readFileSync } from 'node:fs';
import { Novu } from '@novu/api';
import type { TestSession } from '../harness/index.js';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { dataOf } from '../support/answers.js';
import { methodsOfClient } from '../support/current-client.js';
import { createWorkflow, inApp, messagesOf, type ShownNotification, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

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
  await session.post('/v1/topics', { key: 'watchers', name: 'Watchers' }).expect(201);
  await session.post('/v1/topics/watchers/subscribers', { subscribers: ['ada'] }).expect(200);
  await delivery.drain();
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

/** Carried out; then the client misses `deletedAt` of a workflow that nobody deleted, as it does with the system that it is made for. */
const REFUSED_ANSWERS = ['subscribersMessagesUpdateAsSeen'];

describe('the client of version 3', () => {
  it.each(Object.entries(CALLS))('should read what %s returns', async (_name, [call, expected]) => {
    expect(await call()).toMatchObject(expected);
  });

  it('should have been called for every route', () => {
    const served = methodsOfClient().filter(({ isServed }) => isServed);
    expect([...Object.keys(CALLS), ...REFUSED_ANSWERS].sort()).toEqual(served.map(({ name }) => name).sort());
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
