import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { TestSession } from '../harness/index.js';
import type { CannedAnswer } from '../../libs/channels/test/recording-server.js';
import { ChangeSweeper, WebhookQueue, WebhookWorker } from '../../src/outcomes/webhooks/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { startDeliveryApi, useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createReceiver, isAuthentic, type Receiver } from '../support/webhook-receiver.js';

const DATABASE = 'webhook_delivery';
const SETTINGS = {
  DELIVERY_POLL_MS: '50',
  WEBHOOK_MAX_ATTEMPTS: '3',
  WEBHOOK_TIMEOUT_MS: '60000',
  WEBHOOK_CONCURRENCY: '10',
  WEBHOOK_RETRY_BASE_MS: '10000',
};

const delivery = useDeliveryApi(DATABASE, SETTINGS);
const { api } = delivery;
let session: TestSession;
const receivers: Receiver[] = [];
beforeEach(async () => {
  session = await api.session();
});
afterEach(() => Promise.all(receivers.splice(0).map(({ server }) => server.close())));

async function receiver(answer: () => CannedAnswer | undefined = () => ({ status: 204 })): Promise<Receiver> {
  const made = await createReceiver(session, ['message.seen']);
  made.server.answer = answer;
  receivers.push(made);
  return made;
}

/** Lets subscribers see messages, of which every receiver of the session is told. */
async function makeSeen(count = 1, inbox?: Inbox): Promise<void> {
  const { path, deliver } = inbox ?? (await createInbox(api, session));
  const messageId = await deliver(...Array.from({ length: count }, () => ({})));
  await session.post(`${path}/messages/mark-as`, { messageId, markAs: 'seen' }).expect(201);
}

const only = async ({ deliveries }: Receiver, query?: string): Promise<Json> => {
  const [row, ...others] = await deliveries(query);
  expect(others).toEqual([]);
  if (row === undefined) throw new Error('There is no delivery.');
  return row;
};
const until = (hook: Receiver, expected: Json): Promise<Json> =>
  eventually(async () => {
    const row = await only(hook);
    expect(row).toMatchObject(expected);
    return row;
  });
const replay = ({ path }: Receiver, { _id }: Json): ReturnType<TestSession['post']> =>
  session.post(`${path}/deliveries/${String(_id)}/replay`);

describe('a test', () => {
  const test = ({ path }: Receiver): ReturnType<TestSession['post']> => session.post(`${path}/test`);

  it('should reach one webhook like any other delivery', async () => {
    const hook = await receiver();
    const other = await receiver();
    const sent = await dataOf(test(hook), 202);
    expect(sent).toMatchObject({ type: 'webhook.test', status: 'pending', data: {} });
    expect(sent).not.toHaveProperty('_messageId');
    await until(hook, { _id: sent['_id'], status: 'delivered' });
    expect(await other.deliveries()).toEqual([]);
  });

  it('should be refused for a webhook that is inactive', async () => {
    const hook = await receiver();
    await session.patch(hook.path, { active: false }).expect(200);
    expect(await codeOf(test(hook), 409)).toBe('webhook_inactive');
    expect(await hook.deliveries()).toEqual([]);
  });
});

describe('a delivery', () => {
  it('should be tried again with the same bytes, later each time, until it is taken', async () => {
    const hook = await receiver(() => ({ status: hook.server.requests.length < 3 ? 500 : 204 }));
    await makeSeen();
    for (const [attempts, longest] of [
      [1, 10_000],
      [2, 20_000],
    ] as const) {
      const row = await until(hook, { attempts, status: 'pending', lastStatusCode: 500 });
      const wait = Date.parse(String(row['nextAttemptAt'])) - delivery.clock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
      expect(hook.server.requests).toHaveLength(attempts);
      delivery.clock.advance(longest);
    }
    const row = await until(hook, { attempts: 3, status: 'delivered', lastStatusCode: 204 });
    expect(row).toMatchObject({ deliveredAt: expect.any(String) as string, expireAt: expect.any(String) as string });
    expect(row).not.toHaveProperty('lastError');
    expect(new Set(hook.server.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(hook.server.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([row['_id']]));
    expect(new Set(hook.server.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    for (const request of hook.server.requests) expect(await isAuthentic(request, hook.webhook.secret)).toBe(true);
  });

  it('should be given up at last, be found by its status, and be replayed', async () => {
    const hook = await receiver(() => ({ status: 503 }));
    await makeSeen();
    for (const attempts of [1, 2]) {
      await until(hook, { attempts, status: 'pending' });
      delivery.clock.advance(60_000);
    }
    await until(hook, { attempts: 3, status: 'failed', lastError: 'The endpoint answered with status 503.' });
    const dead = await only(hook, '?status=failed');
    expect(await hook.deliveries('?status=delivered')).toEqual([]);

    hook.server.answer = () => ({ status: 200 });
    const replayed = await dataOf(replay(hook, dead), 202);
    expect(replayed).toMatchObject({ status: 'pending', attempts: 0 });
    await until(hook, { status: 'delivered', attempts: 1 });
    expect(hook.server.requests.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array.from({ length: 4 }, () => dead['_id']),
    );
  });

  it('should count silence as a failure', async () => {
    const impatient = await startDeliveryApi(`${DATABASE}_silence`, { ...SETTINGS, WEBHOOK_TIMEOUT_MS: '100' });
    session = await impatient.api.session();
    const hook = await receiver(() => undefined);
    await makeSeen(1, await createInbox(impatient.api, session));
    const row = await until(hook, { attempts: 1, status: 'pending' });
    await impatient.api.close();
    expect(row['lastError']).toContain('did not answer in time');
  });

  it('should be taken up again when the worker that had it is gone', async () => {
    const hook = await receiver(() => ({ status: 500 }));
    await makeSeen();
    const { _id } = await until(hook, { attempts: 1 });
    const { db } = api.app.get<Connection>(getConnectionToken());
    await db
      ?.collection('webhookDeliveries')
      .updateOne(
        { _id: new Types.ObjectId(String(_id)) },
        { $set: { lease: 'of a dead process', wakeAt: new Date(delivery.clock.now().getTime() + 5_000) } },
      );
    hook.server.answer = () => ({ status: 200 });
    expect(await codeOf(replay(hook, { _id }), 409)).toBe('webhook_delivery_pending');
    delivery.clock.advance(5_000);
    await until(hook, { attempts: 2, status: 'delivered' });
  });

  it('should be late by no more than a lease when the worker that claimed it dies', async () => {
    const leaseMs = 3_000;
    const own = { ...SETTINGS, DELIVERY_LEASE_MS: String(leaseMs), DELIVERY_WORKER: 'off' };
    const mortal = await startDeliveryApi(`${DATABASE}_lateness`, own);
    try {
      session = await mortal.api.session();
      const hook = await receiver();
      await makeSeen(20, await createInbox(mortal.api, session));
      await eventually(async () => expect(await mortal.rows('webhookDeliveries')).toHaveLength(20));
      // A worker claims them all, and is never heard of again.
      const queue = mortal.api.app.get(WebhookQueue, { strict: false });
      const claimed = await queue.claim(new Map([[undefined, { free: 100, freeFor: () => 100 }]]));
      expect(claimed).toHaveLength(20);
      const diedAt = mortal.clock.now().getTime();
      await mortal.api.app.get(WebhookWorker, { strict: false }).drain(new Date(diedAt + 60_000));
      const delivered = await mortal.rows('webhookDeliveries', { status: 'delivered' });
      const late = delivered.map(({ deliveredAt }) => (deliveredAt as Date).getTime() - diedAt);
      expect(late).toHaveLength(20);
      expect(Math.max(...late)).toBeLessThanOrEqual(leaseMs);
      expect(hook.server.requests).toHaveLength(20);
    } finally {
      await mortal.api.close();
    }
  });

  it('should be set aside when workers die over it again and again', async () => {
    const hook = await receiver(() => ({ status: 500 }));
    await makeSeen();
    const { _id } = await until(hook, { attempts: 1, status: 'pending' });
    await api.app
      .get<Connection>(getConnectionToken())
      .collection('webhookDeliveries')
      .updateOne(
        { _id: new Types.ObjectId(String(_id)) },
        { $set: { takenUp: 10, lease: 'of a dead process', wakeAt: new Date(delivery.clock.now().getTime() + 5_000) } },
      );
    delivery.clock.advance(5_000);
    const { lastError } = await until(hook, { status: 'failed' });
    expect(lastError).toContain('the worker died or stood still');
    expect(hook.server.requests).toHaveLength(1);
    hook.server.answer = () => ({ status: 200 });
    await replay(hook, { _id }).expect(202);
    await until(hook, { status: 'delivered' });
  });

  it('should be signed with both secrets while one is being replaced', async () => {
    const hook = await receiver();
    const former = hook.webhook.secret;
    const { secret } = await dataOf(session.post(`${hook.path}/secret/rotate`), 201);
    await makeSeen();
    const row = await until(hook, { status: 'delivered' });
    delivery.clock.advance(86_400_001);
    await replay(hook, row).expect(202);
    await eventually(() => expect(hook.server.requests).toHaveLength(2));
    const [during, after] = hook.server.requests;
    if (during === undefined || after === undefined) throw new Error('Nothing was told.');
    const secrets = [former, String(secret)];
    expect(await Promise.all(secrets.map((one) => isAuthentic(during, one)))).toEqual([true, true]);
    expect(await Promise.all(secrets.map((one) => isAuthentic(after, one)))).toEqual([false, true]);
  });

  it('should follow a redirect with its signature', async () => {
    const target = await receiver();
    const hook = await receiver(() => ({ status: 307, headers: { location: `${target.server.url}/moved` } }));
    await session.patch(target.path, { active: false }).expect(200);
    await makeSeen();
    await until(hook, { status: 'delivered' });
    const [request] = target.server.requests;
    if (request === undefined) throw new Error('Nothing was told.');
    expect(request).toMatchObject({ method: 'POST', path: '/moved' });
    expect(await isAuthentic(request, hook.webhook.secret)).toBe(true);
  });

  it('should be unknown to other webhooks and to other environments', async () => {
    const hook = await receiver();
    const other = await receiver();
    await makeSeen();
    const row = await until(hook, { status: 'delivered' });
    expect(await codeOf(replay(other, row), 404)).toBe('webhook_delivery_not_found');
    await (await api.session()).get(`${hook.path}/deliveries`).expect(404);
    await session.get(`${hook.path}/deliveries?status=lost`).expect(400);
  });
});

describe('an endpoint', () => {
  it('should not be held up by another one that is silent', async () => {
    const silent = await receiver(() => undefined);
    const quick = await receiver();
    await makeSeen(30);
    await eventually(async () => {
      expect(await quick.deliveries('?status=delivered&limit=100')).toHaveLength(30);
    });
    // It fills its own places, a fifth of all: the rest of its events still wait for their first attempt.
    const waiting = await silent.deliveries('?status=pending&limit=100');
    expect(waiting.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(0);
    await session.delete(silent.path).expect(204);
  });

  it('should be left alone once it answers 410', async () => {
    const hook = await receiver(() => ({ status: 410 }));
    await makeSeen();
    await until(hook, { status: 'failed', attempts: 1, lastStatusCode: 410 });
    const webhook = await dataOf(session.get(hook.path), 200);
    expect(webhook).toMatchObject({ active: false, disabledReason: expect.stringContaining('410') as string });
    await makeSeen();
    await api.app.get(ChangeSweeper).sweepAll();
    expect(await hook.deliveries()).toHaveLength(1);

    hook.server.answer = () => ({ status: 200 });
    const dead = await only(hook);
    expect(await codeOf(replay(hook, dead), 409)).toBe('webhook_inactive');
    expect(await dataOf(session.patch(hook.path, { active: true }), 200)).not.toHaveProperty('disabledReason');
    await replay(hook, dead).expect(202);
    await until(hook, { status: 'delivered' });
  });

  it('should give up what waits for it when it is made inactive', async () => {
    const hook = await receiver(() => ({ status: 500 }));
    await makeSeen();
    await until(hook, { attempts: 1, status: 'pending' });
    await session.patch(hook.path, { active: false }).expect(200);
    await until(hook, { status: 'failed', lastError: 'The webhook was made inactive.' });
  });
});

describe('a process', () => {
  it('should end what is under way before it stops', async () => {
    const name = `${DATABASE}_ending`;
    const dying = await startDeliveryApi(name, SETTINGS);
    session = await dying.api.session();
    const hook = await receiver();
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    hook.server.answer = () => {
      arrive();
      return { status: 204, delayMs: 300 };
    };
    const inbox = await createInbox(dying.api, session);
    await makeSeen(1, inbox);
    await arrived;
    await dying.api.close();
    const next = await startDeliveryApi(name, { ...SETTINGS, DELIVERY_WORKER: 'off' }, new ManualClock());
    const rows = await next.rows('webhookDeliveries');
    await next.api.close();
    expect(rows).toEqual([expect.objectContaining({ status: 'delivered', attempt: 1 })]);
    expect(hook.server.requests).toHaveLength(1);
  });

  it('should not call private addresses unless it may', async () => {
    const guarded = await startDeliveryApi(`${DATABASE}_guarded`, { ...SETTINGS, ALLOW_PRIVATE_URLS: '0' });
    session = await guarded.api.session();
    const hook = await receiver();
    await makeSeen(1, await createInbox(guarded.api, session));
    const row = await until(hook, { status: 'failed', attempts: 1 });
    await guarded.api.close();
    expect(row['lastError']).toContain('not a public address');
    expect(hook.server.requests).toEqual([]);
  });
});
