import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { type FeedChange, FeedSignals } from '../../src/engine/messages/live/index.js';
import { SnoozeWorker } from '../../src/engine/messages/marks/index.js';
import { QuestionWorker } from '../../src/engine/questions/index.js';
import { ScheduleWorker } from '../../src/engine/schedules/index.js';
import { Presence } from '../../src/browser/real-time/presence.js';
import { TallyWorker } from '../../src/outcomes/activity/index.js';
import { ChangeSweeper } from '../../src/outcomes/webhooks/index.js';
import { OidcPeople } from '../../src/people/users/oidc-people.js';
import { agentKey } from './agents.js';
import { type AllChannels } from './all-channels.js';
import { dataOf, type Json } from './answers.js';
import { clientWith, openSession } from './browser-session.js';
import {
  createWorkflow,
  delay,
  digest,
  email,
  feedOf,
  inApp,
  notificationOf,
  throttle,
  trigger,
  waitForEvent,
} from './delivery.js';
import { type DeliveryApi } from './delivery-api.js';
import { eventually } from './eventually.js';
import { openInbox } from './inbox-client.js';
import { SocketClient, StreamClient } from './live-clients.js';
import { createCallbackIntegration, sendCallback, SIGN } from './provider-callback.js';
import { createMail } from './reported-mail.js';
import { readDocument } from './routes.js';
import { joined } from './signed-in-browser.js';
import { triedRequests } from './try-it-out.js';
import { createReceiver } from './webhook-receiver.js';

/** What the traffic is made with. */
export interface TrafficMakers {
  readonly delivery: DeliveryApi;
  readonly session: TestSession;
  /** The same caller at a process that accepts events and delivers none. */
  readonly elsewhere: TestSession;
  readonly channels: AllChannels;
}

type Part = (makers: TrafficMakers) => Promise<unknown>;

const HOUR_MS = 3_600_000;
const ADA = 'ada';
/** Somebody else, so that Ada's feed keeps what is unseen. */
const WAITING = 'wanda';
const PEOPLE = `/v1/subscribers/${ADA}`;
const document = readDocument();

/** What users of an environment do, so that every query of the program is sent at least once. The order matters. */
export const TRAFFIC: Record<string, Part> = {
  'every route': async ({ delivery, session }) => {
    const tried = triedRequests(document);
    for (const { method, url, body } of [...tried, ...tried.toReversed()]) await session[method](url, body as object);
    await delivery.drain();
    for (const { method, url } of tried) if (method === 'get') await session.get(url);
  },

  'the audit log': async ({ session }) => {
    const log = '/v1/audit-log';
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/feeds', { name: 'Audited' }), 201);
    const { entries, next = '' } = await dataOf<{ entries: Json[]; next?: string }>(session.get(`${log}?limit=1`), 200);
    const { id } = entries[0]?.['actor'] as { id: string };
    for (const query of [
      `cursor=${next}`,
      `actorId=${id}`,
      'resourceType=feed',
      `resourceId=${_id}`,
      'action=createFeed',
    ])
      await session.get(`${log}?${query}`).expect(200);
    await session.get(`${log}?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`).expect(200);
    await session.get(`${log}?resourceType=subscriber&resourceId=${ADA}`).expect(200);
    await session.get(`${log}/export`).expect(200);
  },

  'people who sign in': async ({ delivery, session }) => {
    const owner = await joined(session, 'owner');
    const { _id } = await owner.signIn(owner.email);
    const path = `/v1/users/${_id}`;
    for (const url of ['/v1/users', '/v1/users/me/sessions', `${path}/sessions`, '/v1/users/session/options'])
      await owner.get(url).expect(200);
    await owner.post('/v1/users/session', { email: owner.email, password: 'none of theirs 11' }).expect(401);
    await owner.delete('/v1/users/me/sessions').expect(204);
    await session.delete(path).expect(204);
    await signInWithProvider(delivery.api.app.get(OidcPeople, { strict: false }), session);
  },

  channels: async ({ delivery, session, channels }) => {
    await channels.integrate(session);
    const { identifier } = await createWorkflow(session, channels.steps, { name: 'Channels' });
    const file = { file: Buffer.from('x'.repeat(100)).toString('base64'), name: 'a.txt', mime: 'text/plain' };
    const attachments = [{ ...file, channels: ['email'] }];
    const to = channels.recipient(ADA);
    await trigger(session, {
      name: identifier,
      to,
      payload: { order: 1, attachments },
      tenant: 'acme',
      actor: 'grace',
    });
    // Who has set no preferences.
    await trigger(session, { name: identifier, to: channels.recipient('linus'), payload: { order: 2 } });
    await delivery.drain();
  },

  trigger: async ({ delivery, session, elsewhere }) => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')], { name: 'Hello' });
    await session
      .post('/v1/events/trigger', { name, to: [ADA, 'bob'] })
      .set('Idempotency-Key', 'one')
      .expect(201);
    const events = Array.from({ length: 5 }, (_, n) => ({ name, to: `s${n}` }));
    await session.post('/v1/events/trigger/bulk', { events }).expect(201);
    await session.post('/v1/events/trigger/broadcast', { name, payload: {} }).expect(201);
    await trigger(elsewhere, { name, to: ADA });
    await delivery.drain();
  },

  topics: async ({ delivery, session }) => {
    await session.post('/v1/topics', { key: 'walkers', name: 'Walkers' });
    await session.post('/v1/topics/walkers/subscribers', { subscribers: [ADA, 'bob'] }).expect(200);
    const to = [{ type: 'Topic' as const, topicKey: 'walkers' }];
    await trigger(session, { name: 'hello', to });
    await delivery.drain();
    await session.get('/v1/topics/walkers/subscribers/ada');
    await session.post('/v1/topics/walkers/subscribers/removal', { subscribers: ['bob'] });
  },

  digests: async ({ delivery, session }) => {
    const steps = [digest(), inApp('{{step.total_count}}')];
    const { identifier: name } = await createWorkflow(session, steps, { name: 'Digest' });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push(await trigger(session, { name, to: ADA, payload: { n } }));
      await delivery.drain();
    }
    // The first one leads; then one that was merged, and the rest is collected.
    for (const id of ids.slice(0, 2)) await session.delete(`/v1/events/trigger/${id}`).expect(200);
    await delivery.drain(HOUR_MS);
    const backoff = digest({ type: 'backoff', backoffAmount: 5, backoffUnit: 'minutes', backoff: true });
    const { identifier } = await createWorkflow(session, [backoff, inApp('x')], { name: 'Backoff' });
    for (let n = 0; n < 3; n += 1) await trigger(session, { name: identifier, to: ADA });
    await delivery.drain(HOUR_MS);
  },

  throttles: async ({ delivery, session }) => {
    const { identifier: name } = await createWorkflow(session, [throttle(), inApp('x')], { name: 'Throttle' });
    for (let n = 0; n < 2; n += 1) await trigger(session, { name, to: ADA });
    await delivery.drain();
    delivery.clock.advance(HOUR_MS);
    await trigger(session, { name, to: ADA });
    await delivery.drain();
  },

  budgets: async ({ delivery, session }) => {
    const { identifier: name } = await createWorkflow(session, [inApp('x')], { name: 'Budgeted' });
    const own = { channels: ['in_app'], max: 1, over: 'hold', digestWorkflow: name };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/budgets', { name: 'few', ...own }), 201);
    for (let n = 0; n < 3; n += 1) await trigger(session, { name, to: ADA });
    await delivery.drain();
    await delivery.drain(24 * HOUR_MS);
    await session.put(`/v1/budgets/${_id}`, { name: 'few', max: 1 }).expect(200);
    await session.get('/v1/budgets').expect(200);
    await session.delete(`/v1/budgets/${_id}`).expect(204);
  },
  waits: async ({ delivery, session }) => {
    const match = [{ path: 'id', value: '{{id}}' }];
    const steps = [inApp('x'), waitForEvent(), waitForEvent({ event: 'done' }), waitForEvent({ event: 'ok', match })];
    const { identifier: name } = await createWorkflow(session, steps, { name: 'Wait' });
    const transactionId = await trigger(session, { name, to: WAITING, payload: { id: 7 } });
    await delivery.drain();
    await session.post(`/v1/subscribers/${WAITING}/messages/mark-all`, { markAs: 'seen' }).expect(201);
    const [message] = await feedOf(session, WAITING);
    await session
      .post(`/v1/subscribers/${WAITING}/messages/mark-as`, { messageId: message?._id, markAs: 'read' })
      .expect(201);
    await delivery.drain();
    await session.post('/v1/events/signal', { name: 'done', transactionId, subscriberId: WAITING }).expect(200);
    await delivery.drain();
    await session.post('/v1/events/signal', { name: 'ok', payload: { id: 7 } }).expect(200);
    await delivery.drain();
  },

  delays: async ({ delivery, session }) => {
    const steps = [delay({ amount: 3, unit: 'days' }), inApp('x')];
    const { identifier: name } = await createWorkflow(session, steps, { name: 'Delay' });
    const canceled = await trigger(session, { name, to: ADA });
    await trigger(session, { name, to: 'bob' });
    await delivery.drain();
    await session.delete(`/v1/events/trigger/${canceled}`).expect(200);
    await delivery.drain(100 * HOUR_MS);
    await trigger(session, { name, to: 'carla' });
    await delivery.drain();
  },

  questions: async ({ delivery, session }) => {
    const worker = delivery.api.app.get(QuestionWorker);
    for (const subscriberId of ['asked', 'asked-too', 'gone-too']) {
      await session.post('/v1/subscribers', { subscriberId }).expect(201);
    }
    const subscribers = ['asked', 'asked-too', 'gone-too'];
    const { _id } = dataOf<Json>(await session.post('/v1/questions', { title: 'x', subscribers }).expect(201));
    await worker.drain();
    await delivery.drain();
    await session.delete('/v1/subscribers/gone-too').expect(200);
    await session.post(`/v1/questions/${String(_id)}/answers`, { subscriberId: 'asked', value: 'approve' }).expect(200);
    await worker.drain();
    for (const query of ['', '?status=open', '?subscriberId=asked']) {
      await session.get(`/v1/questions${query}`).expect(200);
    }
    await session.get(`/v1/questions/${String(_id)}`).expect(200);
  },
  agents: async ({ delivery, session }) => {
    const { identifier: workflow } = await createWorkflow(session, [inApp('x')], { name: 'By an agent' });
    const { key } = await agentKey(session, { limits: { approvalAbove: 1 } });
    for (const to of [['asked'], ['asked', 'asked-too']]) {
      const params = { name: 'trigger', arguments: { workflow, to, dryRun: false } };
      await request(session.baseUrl)
        .post('/mcp')
        .set('Authorization', `ApiKey ${key}`)
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        .expect(200);
    }
    const [waiting] = dataOf<Json[]>(await session.get('/v1/questions?status=open').expect(200));
    const editor = await joined(session, 'editor');
    await editor.post(`/v1/questions/${String(waiting?.['_id'])}/decision`, { value: 'approve' }).expect(200);
    await delivery.api.app.get(QuestionWorker).drain();
    await delivery.drain();
  },
  schedules: async ({ delivery, session }) => {
    const { identifier: workflow } = await createWorkflow(session, [inApp('x')], { name: 'Schedule' });
    const rule = { frequency: 'hourly' };
    const timed = { workflow, subscribers: [ADA], rule, missed: 'skip' };
    await session.post('/v1/schedules', timed).expect(201);
    await session.post('/v1/schedules', { ...timed, subscribers: ['gone'], actor: 'gone' }).expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'gone' }).expect(201);
    delivery.clock.advance(HOUR_MS);
    await delivery.api.app.get(ScheduleWorker).drain();
    delivery.clock.advance(10 * HOUR_MS);
    await delivery.api.app.get(ScheduleWorker).drain();
    for (const query of [`subscriberId=${ADA}`, `workflow=${workflow}`, 'topic=walkers', 'status=active'])
      await session.get(`/v1/schedules?${query}`).expect(200);
    await session.delete('/v1/subscribers/gone').expect(200);
    await delivery.drain();
  },

  failures: async ({ delivery, session }) => {
    const steps = [email('x', 'x', {}, { active: true }), inApp('x')];
    const { identifier: name } = await createWorkflow(session, steps, { name: 'Failure' });
    const transactionId = await trigger(session, { name, to: { subscriberId: 'nowhere' } });
    await delivery.drain();
    const { _id } = await notificationOf(session, transactionId);
    await session.post(`/v1/notifications/${_id}/replay`);
    await delivery.drain();
  },

  webhooks: async ({ delivery, session }) => {
    const receiver = await createReceiver(session, ['message.sent', 'message.failed', 'message.seen', 'message.read']);
    await trigger(session, { name: 'hello', to: ADA });
    await delivery.drain();
    const [first] = await feedOf(session, ADA);
    await session.post(`${PEOPLE}/messages/mark-as`, { messageId: first?._id, markAs: 'read' }).expect(201);
    await eventually(async () => expect(await receiver.deliveries('?status=delivered')).not.toEqual([]));
    await delivery.api.app.get(ChangeSweeper).sweepAll();
    const [delivered] = await receiver.deliveries();
    await session.post(`${receiver.path}/deliveries/${String(delivered?.['_id'])}/replay`);
    await session.post(`${receiver.path}/deliveries/replay`, {});
    await session.delete(receiver.path);
    await receiver.server.close();
  },

  callbacks: async ({ delivery, session }) => {
    const { at } = await createCallbackIntegration(session, 'mailgun');
    const mail = await createMail(delivery.api, session, 'mailgun');
    const body = { event: 'opened', message: { headers: { 'message-id': mail.identifier } } };
    const opened = SIGN.mailgun(body);
    for (let n = 0; n < 2; n += 1) await sendCallback(delivery.api, at, opened).expect(200);
  },

  feeds: async ({ session }) => {
    const payload = Buffer.from(JSON.stringify({ n: 1 })).toString('base64');
    for (const query of ['', '?seen=false', '?read=false&feedIdentifier=news', `?payload=${payload}`, '?page=2'])
      await session.get(`${PEOPLE}/notifications/feed${query}`).expect(200);
  },

  counts: async ({ session }) => {
    for (const query of ['', '?seen=true', '?feedIdentifier=news', '?limit=5'])
      await session.get(`${PEOPLE}/notifications/unseen${query}`).expect(200);
  },

  marks: async ({ session }) => {
    const [first, second] = await feedOf(session, ADA);
    const messageId = [first?._id, second?._id];
    await session.post(`${PEOPLE}/messages/mark-as`, { messageId, markAs: 'seen' }).expect(201);
    await session.post(`${PEOPLE}/messages/markAs`, { messageId, mark: { read: true } });
    await session.post(`${PEOPLE}/messages/mark-all`, { markAs: 'unread' }).expect(201);
    await session.post(`${PEOPLE}/messages/mark-all`, { markAs: 'read', feedIdentifier: ['news'] });
    await session.post(`${PEOPLE}/messages/${first?._id}/actions/primary`, { status: 'done' });
  },

  inbox: async ({ delivery, session }) => {
    const { client, deliver } = await openInbox(delivery.api, session);
    const [a = '', b = '', c = '', d = ''] = await deliver({}, {}, { severity: 'high' }, { tags: ['orders'] });
    const lists = ['', 'read=false', 'archived=true', 'snoozed=true', 'seen=false&severity=high', 'tags[]=orders'];
    for (const query of [...lists, `after=${b}`, 'limit=2&offset=1']) await client.get('notifications', query);
    for (let times = 0; times < 2; times += 1) await deliver({ groupKey: 'plan' }, { replaces: 'order' });
    for (const query of ['grouped=true', `grouped=true&after=${b}`, 'groupKey=plan']) {
      await client.get('notifications', query);
    }
    await client.count({ read: false }, { severity: 'high' }, { tags: ['orders'] }, { seen: false, snoozed: true }, {});
    for (const change of ['read', 'unread', 'archive', 'unarchive', 'seen'])
      await client.patch(`notifications/${a}/${change}`);
    const until = new Date(delivery.clock.now().getTime() + HOUR_MS);
    for (const id of [b, c]) await client.patch(`notifications/${id}/snooze`, { snoozeUntil: until.toISOString() });
    await client.patch(`notifications/${b}/unsnooze`);
    delivery.clock.advance(2 * HOUR_MS);
    await delivery.api.app.get(SnoozeWorker).drain();
    await client.post('notifications/seen', { notificationIds: [d] });
    for (const change of ['seen', 'read', 'archive', 'read-archive', 'delete']) {
      await client.post(`notifications/${change}`, { tags: ['orders'] });
      await client.post(`notifications/${change}`);
    }
    await client.delete(`notifications/${a}/delete`);
    for (const path of ['preferences', 'preferences/global']) await client.get(path);
    await client.patch('preferences', { email: true });
  },

  'open browsers': async ({ delivery: { api, drain }, session }) => {
    const token = await openSession(api, session, ADA);
    const { ticket } = await dataOf<Json>(clientWith(api, token).post('/v1/inbox/stream-tickets'), 201);
    (await StreamClient.open(api, { path: `/v1/inbox/stream?ticket=${String(ticket)}` })).close();
    const client = await SocketClient.connect(api, token);
    await trigger(session, { name: 'hello', to: ADA });
    await drain();
    await eventually(() => expect(client.messages).not.toEqual([]));
    const { _id: subscriberId } = await dataOf<{ _id: string }>(session.get(PEOPLE), 200);
    const change: FeedChange = { environmentId: session.environmentId, subscriberId, unseen: true, unread: true };
    api.app.get(FeedSignals).changed([change]);
    await eventually(() => expect(client.named('unread_count_changed')).not.toEqual([]));
    const isOnline = (expected: boolean): Promise<void> =>
      eventually(async () => expect(await dataOf(session.get(PEOPLE), 200)).toMatchObject({ isOnline: expected }));
    await isOnline(true);
    await api.app.get(Presence).renew();
    client.close();
    await isOnline(false);
  },

  lists: async ({ session }) => {
    const [workflow] = await dataOf<Json[]>(session.get('/v1/workflows'), 200);
    const templates = String(workflow?.['_id']);
    const of: Record<string, string[]> = {
      subscribers: ['page=2', 'email=ada@example.com', 'phone=%2B1', 'subscriberId=ad', 'name=Ada', 'search=ada'],
      messages: [
        'channel=in_app',
        'channel=push',
        `subscriberId=${ADA}`,
        'transactionId=t',
        'channel=sms&transactionId=t',
      ],
      notifications: [
        'channels=in_app',
        `templates=${templates}`,
        'emails=ada@example.com',
        `subscriberIds=${ADA}`,
        'search=ada',
        'transactionId=t',
        ...['failed', 'active', 'completed', 'merged', 'canceled'].map((status) => `status=${status}`),
        'status=failed&status=canceled',
        'deadLetter=true',
        'from=2020-01-01',
        'status=failed&from=2020-01-01&to=2030-01-01',
        `channels=email&subscriberIds=${ADA}&templates=${templates}`,
      ],
      topics: ['key=walkers', 'page=1'],
      tenants: ['page=1'],
      layouts: ['page=0'],
      integrations: [''],
      'environments/api-keys/all': [''],
      'notifications/stats': [''],
      'notifications/graph/stats': ['days=30'],
      'activity/summary': ['interval=hour', 'from=2026-01-01&to=2026-02-01'],
      'health-check/work': [''],
      suppressions: [''],
      'suppressions/export': [''],
    };
    for (const [path, queries] of Object.entries(of))
      for (const query of ['', ...queries]) await session.get(`/v1/${path}?${query}`);
  },

  tallies: async ({ delivery, session }) => {
    const worker = delivery.api.app.get(TallyWorker);
    const soon = (ms: number): Date => new Date(delivery.clock.now().getTime() + ms);
    await worker.drain(soon(0));
    const [message] = await feedOf(session, ADA);
    await session
      .post(`/v1/subscribers/${ADA}/messages/mark-as`, { messageId: message?._id, markAs: 'read' })
      .expect(201);
    await worker.drain(soon(3 * HOUR_MS));
    await session.get('/v1/activity/summary').expect(200);
  },

  suppressions: async ({ delivery, session }) => {
    const body = { channel: 'email', address: 'gone@example.com', reason: 'x' };
    const [made] = await dataOf<{ id: string }[]>(session.post('/v1/suppressions', body), 201);
    await session.post('/v1/suppressions', { channel: 'email', address: 'ada@example.com', reason: 'x' }).expect(201);
    for (const address of ['gone@example.com', 'ada@example.com']) {
      await session.get(`/v1/suppressions?address=${address}`).expect(200);
    }
    const { identifier } = await createWorkflow(session, [email('a', 'b')]);
    await trigger(session, { name: identifier, to: { subscriberId: 'new', email: 'gone@example.com' } });
    await delivery.drain();
    await session.post(`/v1/suppressions/${made?.id ?? ''}/lift`, { reason: 'x' }).expect(200);
  },

  catcher: async ({ delivery, session, channels }) => {
    const { identifier } = await createWorkflow(session, channels.steps, { name: 'Caught' });
    await session.put('/v1/catcher', { isOn: true }).expect(200);
    await trigger(session, { name: identifier, to: channels.recipient(ADA), payload: { order: 1 } });
    await delivery.drain();
    const path = '/v1/catcher/messages';
    for (const query of ['', 'channel=email', `subscriberId=${ADA}`]) await session.get(`${path}?${query}`).expect(200);
    const [caught] = await dataOf<{ _id: string }[]>(session.get(path), 200);
    await session.get(`${path}/${caught?._id ?? ''}`).expect(200);
    await session.put('/v1/catcher', { isOn: false }).expect(200);
  },

  versions: async ({ session }) => {
    const { _id } = await createWorkflow(session, [inApp('One')], { name: 'Changed' });
    const path = `/v1/workflows/${_id}`;
    for (const content of ['Two', 'Three']) {
      await session.put(path, { name: 'Changed', steps: [inApp(content)] }).expect(200);
    }
    await session.get(`${path}/versions`).expect(200);
    await session.get(`${path}/versions/1?since=0`).expect(200);
    await session.post(`${path}/versions/0/restore`).expect(200);
  },

  keys: async ({ session }) => {
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/environments/api-keys', { name: 'short' }), 201);
    await session.delete(`/v1/environments/api-keys/${_id}`).expect(204);
  },

  removals: async ({ session }) => {
    const [first, second] = await feedOf(session, ADA);
    await session.delete(`/v1/messages/${first?._id}`);
    await session.delete(`/v1/messages/transaction/${second?.transactionId}?channel=in_app`);
    await session.delete(`/v1/messages/transaction/${second?.transactionId}`);
    await session.delete('/v1/subscribers/bob');
  },
};

async function signInWithProvider(people: OidcPeople, session: TestSession): Promise<void> {
  const profile = {
    issuer: 'https://login.example',
    subject: 'grace',
    email: 'grace@example.com',
    isEmailVerified: true,
  };
  await session.post('/v1/users/invitations', { email: profile.email, role: 'viewer' }).expect(201);
  for (const subject of ['grace', 'grace', 'other']) await people.admit({ ...profile, subject }).catch(() => undefined);
}
