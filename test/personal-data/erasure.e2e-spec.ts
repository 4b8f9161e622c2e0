import { EXPANDING } from '../../src/engine/delivery/expansion/expander.js';
import type { FailPoint } from '#libs/common';
import { RECORDING, SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import { ERASING, ErasureWorker } from '../../src/operations/personal-data/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { openSession, clientWith } from '../support/browser-session.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  messagesOf,
  notificationOf,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useSession } from '../support/test-api.js';
import { createReceiver, type Receiver } from '../support/webhook-receiver.js';

const delivery = useDeliveryApi('erasure', { ALLOW_PRIVATE_URLS: '1' });
const session = useSession(delivery.api);

const MINUTE_MS = 60_000;
const ID = 'gone-person-4711';
/** Everything that names the person, and nothing else. */
const TRACES = [ID, 'gone@example.com', '+15550004711', 'ssn-4711', 'Goneby', 'secret-of-4711', 'device-4711'];

const erase = async (): Promise<unknown> => session.delete(`/v1/subscribers/${ID}`).expect(200);
/** The deletion waits for what a worker holds. */
let deletion: Promise<unknown> = Promise.resolve();
const beginErasing = async (transactionId: string): Promise<void> => {
  deletion = erase().then(() => undefined);
  await eventually(async () =>
    expect(await delivery.rows('notifications', { transactionId, cancelRequested: true })).toHaveLength(1),
  );
};
const worker = (): ErasureWorker => delivery.api.app.get(ErasureWorker);
/** To the last look of the erasure, and what is reopened then. */
const endErasure = (): Promise<void> => worker().drain(new Date(delivery.clock.now().getTime() + 2 * MINUTE_MS));
const erased = async (): Promise<void> => {
  await delivery.drain();
  await endErasure();
};
/** The collections of the store in which something names the person. */
const traces = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const collection of await delivery.collections()) {
    const rows = (await delivery.rows(collection)).map((row) => JSON.stringify(row));
    // Other tests have persons of the same name in environments of their own.
    const text = rows.filter((row) => !row.includes('_environmentId') || row.includes(session.environmentId)).join();
    for (const trace of TRACES) if (text.includes(trace)) found.push(`${collection}: ${trace}`);
  }
  return found;
};
const makePerson = (): Promise<Json> =>
  dataOf(
    session.post('/v1/subscribers', {
      subscriberId: ID,
      firstName: 'Goneby',
      email: 'gone@example.com',
      phone: '+15550004711',
      data: { ssn: 'ssn-4711' },
    }),
    201,
  );

describe('a deleted subscriber', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await createReceiver(session, ['message.sent']);
  });
  afterEach(() => receiver.server.close());

  it('should leave no trace in any collection, and others untouched', async () => {
    await makePerson();
    await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201);
    await session.post('/v1/topics/news/subscribers', { subscribers: [ID] }).expect(200);
    const sent = await createWorkflow(session, [inApp('For {{subscriber.firstName}}: {{secret}}')]);
    const waits = await createWorkflow(session, [delay(), inApp('Later {{secret}}')]);
    const collects = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    const payload = { secret: 'secret-of-4711' };
    const alone = await trigger(session, {
      name: sent.identifier,
      to: { subscriberId: ID, lastName: 'Goneby' },
      payload,
    });
    const waiting = await trigger(session, { name: waits.identifier, to: ID, payload });
    const collecting = await trigger(session, { name: collects.identifier, to: ID, payload });
    const together = await trigger(session, {
      name: sent.identifier,
      to: [{ subscriberId: ID, email: 'gone@example.com' }, 'other'],
      payload: { secret: 'of both' },
    });
    const who = { who: 'gone@example.com', secret: 'secret-of-4711' };
    await session.post('/v1/events/signal', { name: 'paid', transactionId: alone, payload: who }).expect(200);
    await session.post('/v1/events/signal', { name: 'paid', subscriberId: ID, payload: who }).expect(200);
    const ofBoth = { name: 'paid', transactionId: together, payload: { of: 'both' } };
    await session.post('/v1/events/signal', ofBoth).expect(200);
    const acted = await trigger(session, {
      name: sent.identifier,
      to: 'other',
      actor: { subscriberId: ID, phone: '+15550004711' },
    });
    await delivery.drain();
    await session.patch(`/v1/subscribers/${ID}/preferences/${sent._id}`, {
      channel: { type: 'in_app', enabled: true },
    });
    expect(await feedOf(session, ID)).toHaveLength(2);
    expect(await receiver.deliveries()).toHaveLength(4);
    expect((await traces()).length).toBeGreaterThan(8);

    await erase();
    await erased();
    expect(await traces()).toEqual([]);
    for (const id of [alone, waiting, collecting, together]) {
      const rows = await delivery.rows('notifications', { transactionId: id, subscriberId: '(deleted)' });
      expect(rows).toHaveLength(1);
      expect(rows[0]?.['expireAt']).toBeDefined();
    }
    for (const id of [waiting, collecting]) {
      const shown = await notificationOf(session, id);
      expect(shown.status).toBe('canceled');
      const [row] = await delivery.rows('notifications', { transactionId: id });
      expect((row?.['steps'] as Json[]).map(({ reason }) => reason)).toContain('subscriber_deleted');
    }
    expect(await delivery.rows('signals', { transactionId: { $in: [alone, together] } })).toMatchObject([
      { payload: { of: 'both' } },
    ]);
    // Others keep what was theirs, and nothing comes for the deleted person any more.
    const feed = await feedOf(session, 'other');
    // Events of one millisecond have no order.
    expect(feed).toHaveLength(2);
    expect(feed).toContainEqual(expect.objectContaining({ transactionId: acted }));
    expect(feed).toContainEqual(expect.objectContaining({ transactionId: together, content: 'For : of both' }));
    await delivery.drain(10 * MINUTE_MS);
    expect(await messagesOf(session, waiting)).toEqual([]);
    expect(await traces()).toEqual([]);
  });

  it('should be another person when the id is used again', async () => {
    const before = await makePerson();
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name: identifier, to: ID });
    await delivery.drain();
    const token = await openSession(delivery.api, session, ID);
    const browser = clientWith(delivery.api, token);
    await browser.get('/v1/inbox/notifications').expect(200);
    await erase();
    expect(await codeOf(browser.get('/v1/inbox/notifications'), 401)).toBe('unauthorized');
    const after = await dataOf(session.post('/v1/subscribers', { subscriberId: ID }), 201);
    expect(after['_id']).not.toBe(before['_id']);
    expect(after).not.toHaveProperty('email');
    expect(after).not.toHaveProperty('data');
    expect(await codeOf(browser.get('/v1/inbox/notifications'), 401)).toBe('unauthorized');
    expect(await feedOf(session, ID)).toEqual([]);
    await erased();
    await trigger(session, { name: identifier, to: ID });
    await delivery.drain();
    expect(await feedOf(session, ID)).toHaveLength(1);
  });

  it('should not come back by an event that was accepted before', async () => {
    await makePerson();
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    // The event waits for its expansion while the person is deleted.
    EXPANDING.armOnce(async () => {
      await erase();
    });
    try {
      await trigger(session, { name: identifier, to: { subscriberId: ID, email: 'gone@example.com' } });
      await delivery.drain();
    } finally {
      EXPANDING.disarm();
    }
    await erased();
    expect(await codeOf(session.get(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
    expect(await traces()).toEqual([]);
  });

  it.each(['before the erasure ends', 'after it'])('should get nothing from a run in flight (%s)', async (when) => {
    await makePerson();
    const { identifier } = await createWorkflow(session, [delay(), inApp('Hello {{subscriber.firstName}}')]);
    const id = await trigger(session, { name: identifier, to: ID, payload: { secret: 'secret-of-4711' } });
    await delivery.drain();
    let hasStood = false;
    // The worker has read the run and the person, and stands still.
    RESUMING.arm(async () => {
      if (hasStood) return;
      hasStood = true;
      await beginErasing(id);
      if (when === 'after it') await endErasure();
    });
    try {
      await delivery.drain(6 * MINUTE_MS);
    } finally {
      RESUMING.disarm();
    }
    expect(hasStood).toBe(true);
    await deletion;
    await erased();
    expect(await traces()).toEqual([]);
    expect(await messagesOf(session, id)).toEqual([]);
    expect(await delivery.rows('erasures', { wakeAt: { $exists: true } })).toEqual([]);
  });

  describe.each([
    ['before it goes on', RESUMING],
    ['before it writes', RECORDING],
    ['between message and state', SETTLING],
  ] as const)('whose run a worker holds %s', (_where, point) => {
    it.each(['goes on', 'goes on without its lease', 'dies'])('should leave no trace when it %s', async (fate) => {
      await makePerson();
      const { identifier } = await createWorkflow(session, [delay(), inApp('Hello {{subscriber.firstName}}')]);
      const id = await trigger(session, { name: identifier, to: ID, payload: { secret: 'secret-of-4711' } });
      await delivery.drain();
      let isReached = false;
      (point as FailPoint<unknown>).arm(async () => {
        if (isReached) return;
        isReached = true;
        await beginErasing(id);
        // The erasure looks at the run again and again while it is held.
        if (fate === 'goes on') await worker().drain();
        else await endErasure();
        if (fate === 'dies') throw new Error('the worker dies');
      });
      try {
        await delivery.drain(10 * MINUTE_MS);
      } finally {
        point.disarm();
      }
      expect(isReached).toBe(true);
      await deletion;
      await erased();
      expect(await traces()).toEqual([]);
      expect(await messagesOf(session, id)).toEqual([]);
      const [run] = await delivery.rows('notifications', { transactionId: id });
      expect(run).toMatchObject({ subscriberId: '(deleted)' });
      expect(run).not.toHaveProperty('lease');
      expect(run).not.toHaveProperty('wakeAt');
      expect(await delivery.rows('erasures', { wakeAt: { $exists: true } })).toEqual([]);
    });
  });

  it('should be erased although the worker dies after each portion', async () => {
    let portions = 0;
    ERASING.arm(() => Promise.resolve((portions += 1)));
    const { identifier } = await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}')]);
    const live = async (): Promise<void> => {
      await makePerson();
      await trigger(session, { name: identifier, to: ID, payload: { secret: 'secret-of-4711' } });
      await delivery.drain();
      await erase();
    };
    try {
      await live();
      await erased();
      const all = portions;
      expect(all).toBeGreaterThan(4);
      for (let death = 1; death <= all; death += 1) {
        let passed = 0;
        ERASING.arm(() => {
          passed += 1;
          return passed === death ? Promise.reject(new Error('the worker dies')) : Promise.resolve();
        });
        await live();
        await erased();
        await erased();
        expect({ death, traces: await traces() }).toEqual({ death, traces: [] });
      }
    } finally {
      ERASING.disarm();
    }
  });

  it('should answer 404 to a second deletion', async () => {
    await makePerson();
    await erase();
    expect(await codeOf(session.delete(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
  });
});
