import mongoose from 'mongoose';
import { EXPANDING } from '../../src/engine/delivery/expansion/expander.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import { createWorkflow, delay, feedOf, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { Holders } from '../support/holders.js';
import { useSession } from '../support/test-api.js';

const LEASE_MS = 10_000;
const MINUTES_MS = 300_000;
const MAX_CLAIMS = 5;
const FAILED = 'There was one or more errors when trying to execute the notification';

describe('work that its workers die over', () => {
  const delivery = useDeliveryApi('poison', { DELIVERY_WORKER: 'off', DELIVERY_MAX_CLAIMS: String(MAX_CLAIMS) });
  const session = useSession(delivery.api);
  let holders: Holders;

  beforeAll(() => {
    holders = new Holders(delivery.api);
  });
  afterEach(() => {
    RESUMING.disarm();
    EXPANDING.disarm();
  });

  const texts = async (): Promise<string[]> => (await feedOf(session, 'ann')).map(({ content }) => content).sort();
  const send = (name: string, n: number): Promise<string> => trigger(session, { name, to: 'ann', payload: { n } });
  const dieAgainAndAgain = async (die: () => Promise<number>): Promise<void> => {
    for (let claim = 0; claim < MAX_CLAIMS; claim += 1) {
      expect(await die()).toBe(1);
      delivery.clock.advance(LEASE_MS);
    }
  };

  it('should set a notification aside, say so in its trail, and let it be replayed', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('after all')]);
    const transactionId = await send(identifier, 1);
    await delivery.drain();
    delivery.clock.advance(MINUTES_MS);
    await dieAgainAndAgain(() => holders.dieWithNotifications());
    await delivery.drain(MINUTES_MS);
    const { _id, status, jobs } = await notificationOf(session, transactionId);
    expect(status).toBe('failed');
    expect(jobs[0]).toMatchObject({ status: 'failed', reason: 'worker_lost' });
    const last = jobs[0]?.executionDetails.at(-1);
    expect(last).toMatchObject({ detail: FAILED, status: 'Failed' });
    expect(last?.raw).toContain('the worker died or stood still');
    expect(await delivery.rows('notifications', { transactionId, wakeAt: { $exists: true } })).toEqual([]);
    await session.post(`/v1/notifications/${_id}/replay`).expect(202);
    await delivery.drain(2 * MINUTES_MS);
    expect(await texts()).toEqual(['after all']);
  });

  it('should not count waits that end well', async () => {
    const waits = Array.from({ length: MAX_CLAIMS + 3 }, () => delay());
    const { identifier } = await createWorkflow(session, [...waits, inApp('patient')]);
    await send(identifier, 1);
    for (let wait = 0; wait < waits.length; wait += 1) {
      await delivery.drain();
      delivery.clock.advance(MINUTES_MS);
      await holders.dieWithNotifications();
      delivery.clock.advance(LEASE_MS);
    }
    await delivery.drain(MINUTES_MS);
    expect(await texts()).toEqual(['patient']);
  });

  it('should tell the record that kills a worker from those in flight with it', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('{{n}}')]);
    const poison = await send(identifier, 0);
    const beside = Array.from({ length: 60 }, (_, n) => n + 1);
    await Promise.all(beside.map((n) => send(identifier, n)));
    await delivery.drain();
    let deaths = 0;
    RESUMING.arm((runs) => {
      if (!runs.some(({ event }) => event.transactionId === poison)) return Promise.resolve();
      deaths += 1;
      return Promise.reject(new Error('The worker dies.'));
    });
    await delivery.drain(2 * MINUTES_MS);
    // With everything, in groups that get smaller, and alone as often as it takes.
    expect(deaths).toBeGreaterThanOrEqual(MAX_CLAIMS);
    expect(deaths).toBeLessThanOrEqual(2 * MAX_CLAIMS);
    expect((await notificationOf(session, poison)).status).toBe('failed');
    expect(await texts()).toEqual(beside.map(String).sort());
  });

  it('should set an event aside, and show a failed notification to those whom it names', async () => {
    const { identifier } = await createWorkflow(session, [inApp('never')]);
    await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
    const transactionId = await send(identifier, 1);
    await dieAgainAndAgain(() => holders.dieWithEvents());
    await delivery.drain(MINUTES_MS);
    const { status, jobs } = await notificationOf(session, transactionId);
    expect(status).toBe('failed');
    expect(jobs[0]?.executionDetails[0]).toMatchObject({ detail: FAILED, status: 'Failed' });
    expect(await delivery.rows('triggerEvents', { transactionId })).toMatchObject([{ status: 'failed' }]);
    expect(await texts()).toEqual([]);
  });

  it.each([
    ['an event', EXPANDING],
    ['a notification', RESUMING],
  ])('should not count claims of %s that failed because the store was unavailable', async (_what, point) => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('delivered')]);
    const transactionId = await send(identifier, 1);
    let attempts = 0;
    point.arm(() => {
      attempts += 1;
      return Promise.reject(new mongoose.mongo.MongoNetworkError('The store is unavailable.'));
    });
    await delivery.drain(2 * MINUTES_MS);
    expect(attempts).toBeGreaterThan(2 * MAX_CLAIMS);
    point.disarm();
    await delivery.drain(4 * MINUTES_MS);
    expect((await notificationOf(session, transactionId)).status).toBe('completed');
    expect(await texts()).toEqual(['delivered']);
  });

  it('should move the steps of an event out of its expansion when a worker has died over it', async () => {
    const { identifier } = await createWorkflow(session, [inApp('{{n}}')]);
    const transactionId = await send(identifier, 7);
    expect(await holders.dieWithEvents()).toBe(1);
    delivery.clock.advance(LEASE_MS);
    expect(await holders.dieWithEvents()).toBe(1);
    delivery.clock.advance(LEASE_MS);
    RESUMING.arm(() => Promise.reject(new Error('The worker dies.')));
    await delivery.drain();
    expect(await delivery.rows('triggerEvents', { transactionId })).toMatchObject([{ status: 'expanded' }]);
    RESUMING.disarm();
    await delivery.drain(MINUTES_MS);
    expect(await texts()).toEqual(['7']);
  });
});
