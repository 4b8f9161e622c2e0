import { createHmac } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { EventBus } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import type { RecordedRequest } from '../../libs/channels/test/recording-server.js';
import { MessageFailed } from '../../src/engine/delivery/index.js';
import { ChangeSweeper } from '../../src/outcomes/webhooks/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { subscriberFactory } from '../factories/subscriber.factory.js';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { createCallbackIntegration, sendCallback, SIGN } from '../support/provider-callback.js';
import { createReceiver, isAuthentic, type Receiver } from '../support/webhook-receiver.js';

const delivery = useDeliveryApi('webhook_events', { DELIVERY_POLL_MS: '50' });
const { api } = delivery;
let session: TestSession;
const receivers: Receiver[] = [];
beforeEach(async () => {
  session = await api.session();
});
afterEach(() => Promise.all(receivers.splice(0).map(({ server }) => server.close())));

async function receiver(...events: string[]): Promise<Receiver> {
  const made = await createReceiver(session, events);
  receivers.push(made);
  return made;
}

/** Nothing more is on its way to the receiver, and this many have arrived. */
async function settledAt({ deliveries, server }: Receiver, count: number): Promise<void> {
  await eventually(async () => {
    const rows = await deliveries();
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'delivered'));
    expect(server.requests).toHaveLength(count);
  });
}

/**
 * Waits until so many deliveries are there and nothing repeats them: `later` causes one more, which is noted after whatever
 * was noted before it.
 */
async function settledFor(hook: Receiver, count: number, later: () => Promise<unknown>): Promise<void> {
  await settledAt(hook, count);
  await later();
  await settledAt(hook, count + 1);
}

/** Notes what subscribers did and no listener has noted. */
const sweep = (): Promise<void> => api.app.get(ChangeSweeper).sweepAll();

/** As docs/webhooks.md describes it, without the client. */
function signatureOf({ headers, body }: RecordedRequest, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('message.sent', () => {
  it('should be told when a workflow has put a message into a feed, signed', async () => {
    const hook = await receiver('message.sent', 'message.failed');
    const { subscriberId } = subscriberFactory();
    const workflow = await createWorkflow(session, [inApp('Hello')]);
    const transactionId = await trigger(session, { name: workflow.identifier, to: subscriberId, payload: { a: 1 } });
    await settledAt(hook, 1);

    const [request] = hook.server.requests;
    const [told] = hook.bodies();
    if (request === undefined || told === undefined) throw new Error('Nothing was told.');
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': told.id });
    const { secret } = hook.webhook;
    expect(request.headers['webhook-signature']).toBe(signatureOf(request, secret));
    expect(await isAuthentic(request, secret)).toBe(true);
    expect(await isAuthentic({ ...request, body: Buffer.from(`${request.body.toString()} `) }, secret)).toBe(false);
    expect(told).toEqual({
      id: (await hook.deliveries())[0]?.['_id'],
      type: 'message.sent',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      environmentId: session.environmentId,
      data: {
        message: expect.objectContaining({
          channel: 'in_app',
          status: 'sent',
          subscriberId,
          transactionId,
          _templateId: workflow._id,
          seen: false,
        }) as unknown,
      },
    });
    expect(told.data.message).not.toHaveProperty('content');
    expect(told.data.message).not.toHaveProperty('payload');
  });

  it('should be told to each endpoint that wants it, of the same environment only', async () => {
    const [here, elsewhere] = await api.siblings();
    session = here;
    const hooks = [await receiver('message.sent'), await receiver('message.sent', 'message.read')];
    const deaf = await receiver('message.read');
    session = elsewhere;
    const foreign = await receiver('message.sent');
    const workflow = await createWorkflow(here, [inApp('Hello')]);
    await trigger(here, { name: workflow.identifier, to: ['ann', 'bob'] });
    for (const hook of hooks) await eventually(() => expect(hook.server.requests).toHaveLength(2));
    expect([...deaf.server.requests, ...foreign.server.requests]).toEqual([]);
    expect(await delivery.rows('webhookDeliveries', environment(here))).toHaveLength(4);
    expect(await delivery.rows('webhookDeliveries', environment(elsewhere))).toEqual([]);
  });

  it('should leave no trace where nobody wants it', async () => {
    const workflow = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name: workflow.identifier, to: 'ann' });
    await eventually(async () => {
      const [run] = await delivery.rows('notifications', environment(session));
      expect(run).toMatchObject({ status: 'completed' });
    });
    const hook = await receiver('message.sent');
    const transactionId = await trigger(session, { name: workflow.identifier, to: 'ann' });
    await settledAt(hook, 1);
    expect(await delivery.rows('webhookDeliveries', environment(session))).toHaveLength(1);
    expect(hook.bodies()[0]?.data.message).toMatchObject({ transactionId });
  });
});

describe('message.failed', () => {
  it('should be told once, however often the engine tells it', async () => {
    const hook = await receiver('message.failed');
    const inbox = await createInbox(api, session);
    const mail = { channel: 'email', status: 'error', errorText: 'refused' } as const;
    const [id = '', other = ''] = await inbox.deliver(mail, mail);
    const tenant = { ...session, userId: '', apiKeyId: '' };
    const origin = { subscriberRecordId: '', notificationId: '', workflowId: '', transactionId: '' };
    const fail = (messageId: string): Promise<void> =>
      api.app
        .get(EventBus)
        .publish(new MessageFailed(tenant, messageId, 'email', inbox.subscriber.subscriberId, origin, 'refused'));
    await Promise.all([1, 2, 3].map(() => fail(id)));
    await settledFor(hook, 1, () => fail(other));
    expect(hook.bodies()[0]?.data.message).toMatchObject({ _id: id, status: 'error', errorText: 'refused' });
  });
});

describe('what providers report', () => {
  it('should be told as often as it happens, and not again when it is reported again', async () => {
    const hook = await receiver('message.delivered', 'message.opened', 'message.bounced');
    const { at } = await createCallbackIntegration(session, 'sendgrid');
    const inbox = await createInbox(api, session);
    await inbox.deliver({ channel: 'email', providerId: 'sendgrid', identifier: 'mail-1' });
    const event = (kind: string, timestamp: number): object => ({ event: kind, sg_message_id: 'mail-1', timestamp });
    const delivered = { ...event('delivered', 1), response: '250 OK' };
    await sendCallback(api, at, SIGN.sendgrid([delivered, event('open', 2), event('open', 3)])).expect(200);
    await sendCallback(api, at, SIGN.sendgrid([delivered, event('open', 2)])).expect(200);
    await settledFor(hook, 3, () => sendCallback(api, at, SIGN.sendgrid([event('open', 4)])).expect(200));
    const told = hook.bodies().sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    expect(told.map(({ type }) => type)).toEqual(['message.delivered', ...[2, 3, 4].map(() => 'message.opened')]);
    expect(told[0]).toMatchObject({ createdAt: new Date(1_000).toISOString(), data: { response: '250 OK' } });
  });
});

describe('what subscribers do', () => {
  const mark = (inbox: Inbox, messageId: string[], markAs: string): Promise<unknown> =>
    session.post(`${inbox.path}/messages/mark-as`, { messageId, markAs }).expect(201);

  it('should be told: seen, read and acted on', async () => {
    const hook = await receiver('message.seen', 'message.read', 'message.action');
    const inbox = await createInbox(api, session);
    const cta = { action: { buttons: [{ type: 'primary' as const, content: 'Yes' }] } };
    const [id = '', other = ''] = await inbox.deliver({ cta }, {});
    await mark(inbox, [id], 'seen');
    await settledAt(hook, 1);
    await mark(inbox, [id], 'read');
    await settledAt(hook, 2);
    const act = (payload: object): Promise<unknown> =>
      session.post(`${inbox.path}/messages/${id}/actions/primary`, { status: 'done', payload }).expect(201);
    await act({ choice: 1 });
    await act({ choice: 1 });
    await settledFor(hook, 3, () => mark(inbox, [other], 'seen'));
    const ofOne = hook.bodies().filter(({ data }) => data.message['_id'] === id);
    const told = new Map(ofOne.map(({ type, data }) => [type, data.message]));
    expect([...told.keys()].sort()).toEqual(['message.action', 'message.read', 'message.seen']);
    expect(told.get('message.seen')).toMatchObject({ _id: id, seen: true, read: false });
    expect(told.get('message.read')).toMatchObject({ _id: id, seen: true, read: true });
    expect(told.get('message.action')).toMatchObject({
      action: { status: 'done', result: { type: 'primary', payload: { choice: 1 } } },
      subscriberId: inbox.subscriber.subscriberId,
    });
  });

  it('should be told of every message when all are marked at once', async () => {
    const hook = await receiver('message.read');
    const inbox = await createInbox(api, session);
    const ids = await inbox.deliver({}, {}, {});
    await session.post(`${inbox.path}/messages/mark-all`, { markAs: 'read' }).expect(201);
    await settledAt(hook, 3);
    expect(
      hook
        .bodies()
        .map(({ data }) => data.message['_id'])
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('should be told once when it was marked and looked for as well', async () => {
    const hook = await receiver('message.seen');
    const inbox = await createInbox(api, session);
    const [id = '', other = ''] = await inbox.deliver({}, {});
    await mark(inbox, [id], 'seen');
    await Promise.all([sweep(), sweep()]);
    await settledFor(hook, 1, () => mark(inbox, [other], 'seen'));
  });

  it('should be told after all when a process died before it noted it', async () => {
    const hook = await receiver('message.seen');
    const inbox = await createInbox(api, session);
    const [id = '', other = ''] = await inbox.deliver({}, {});
    await update('messages', id, { seen: true, lastSeenDate: new Date() });
    await sweep();
    await settledAt(hook, 1);
    await sweep();
    await settledFor(hook, 1, () => mark(inbox, [other], 'seen'));
    expect(hook.bodies()[0]?.data.message).toMatchObject({ _id: id });
  });

  it('should not be told when it was done before the webhook was there', async () => {
    const inbox = await createInbox(api, session);
    const [old = '', fresh = '', other = ''] = await inbox.deliver({}, {}, {});
    await update('messages', old, { seen: true, lastSeenDate: new Date(Date.now() - 60_000) });
    const hook = await receiver('message.seen');
    await mark(inbox, [fresh], 'seen');
    await sweep();
    await settledFor(hook, 1, () => mark(inbox, [other], 'seen'));
    expect(hook.bodies()[0]?.data.message).toMatchObject({ _id: fresh });
  });
});

const environment = ({ environmentId }: TestSession): object => ({ _environmentId: new Types.ObjectId(environmentId) });

/** Changes a record behind Herald's back. */
async function update(collection: string, id: string, fields: object): Promise<void> {
  const { db } = api.app.get<Connection>(getConnectionToken());
  const result = await db?.collection(collection).updateOne({ _id: new Types.ObjectId(id) }, { $set: fields });
  expect(result?.matchedCount).toBe(1);
}
