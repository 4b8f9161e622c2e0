import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { dataOf } from '../support/answers.js';
import { createWorkflow, delay, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { Holders } from '../support/holders.js';
import { useSession } from '../support/test-api.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';

const LEASE_MS = 10_000;
const DELAY_MS = 300_000;

/** The figures of health beside what is in the store, at each moment of a run that workers die over. */
describe('the backlog', () => {
  const delivery = useDeliveryApi('backlog', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);
  let holders: Holders;
  let queues: DeliveryQueues;

  beforeAll(() => {
    holders = new Holders(delivery.api);
    queues = delivery.api.app.get(DeliveryQueues, { strict: false });
  });
  beforeEach(async () => {
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    for (const name of ['notifications', 'triggerEvents']) await db?.collection(name).deleteMany({});
  });

  const NOTHING = { waiting: 0, due: 0, claimed: 0, suspected: 0, setAside: 0, oldestMs: 0 };
  const ofRuns = (): Promise<object> => queues.notifications.backlog();
  const ofEvents = (): Promise<object> => queues.events.backlog();
  const consoleLane = async (): Promise<object | undefined> => {
    const { backlog } = dataOf<{ backlog: { lane: string }[] }>(await session.get('/v1/activity/delivery').expect(200));
    return backlog.find(({ lane }) => lane === 'store');
  };

  it('should count a run in every state, and its age from the time at which it became due', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    expect(await ofEvents()).toMatchObject({ ...NOTHING, due: 1 });
    await delivery.drain();
    expect(await ofEvents()).toEqual(NOTHING);
    expect(await ofRuns()).toEqual({ ...NOTHING, waiting: 1 });
    const [{ wakeAt } = {}] = await delivery.rows('notifications', { transactionId });
    const dueAt = wakeAt as Date;
    delivery.clock.moveTo(new Date(dueAt.getTime() + 3_000));
    expect(await ofRuns()).toEqual({ ...NOTHING, due: 1, oldestMs: 3_000 });

    await holders.dieWithNotifications();
    delivery.clock.advance(2_000);
    expect(await ofRuns()).toEqual({ ...NOTHING, claimed: 1, oldestMs: 5_000 });
    expect(await consoleLane()).toEqual({
      lane: 'store',
      due: 0,
      claimed: 1,
      suspected: 0,
      oldestDueAt: dueAt.toISOString(),
    });
    delivery.clock.advance(LEASE_MS - 2_000);
    expect(await ofRuns()).toEqual({ ...NOTHING, due: 1, oldestMs: 3_000 + LEASE_MS });
    for (let loss = 1; loss < 5; loss += 1) {
      await holders.dieWithNotifications();
      const oldestMs = 3_000 + loss * LEASE_MS;
      expect(await ofRuns()).toEqual({ ...NOTHING, suspected: 1, oldestMs });
      expect(await consoleLane()).toMatchObject({ suspected: 1, oldestDueAt: dueAt.toISOString() });
      delivery.clock.advance(LEASE_MS);
    }
    await delivery.drain();
    expect(await ofRuns()).toEqual({ ...NOTHING, setAside: 1 });

    const [{ _id } = {}] = await delivery.rows('notifications', { transactionId });
    await session.post(`/v1/notifications/${String(_id)}/replay`).expect(202);
    expect(await ofRuns()).toMatchObject({ ...NOTHING, due: 1, oldestMs: 0 });
    await delivery.drain(DELAY_MS);
    expect(await ofRuns()).toEqual(NOTHING);
  });

  it('should not become younger because a suspect waits for its trial', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    delivery.clock.advance(DELAY_MS);
    const before = (await queues.notifications.backlog()).oldestMs;
    await holders.dieWithNotifications();
    delivery.clock.advance(LEASE_MS);
    await queues.notifications.claim(queues.lanes.capacity);
    for (let wait = 1; wait < 5; wait += 1) {
      delivery.clock.advance(LEASE_MS);
      await queues.notifications.claim(queues.lanes.capacity);
      expect(await ofRuns()).toEqual({ ...NOTHING, suspected: 1, oldestMs: before + (wait + 1) * LEASE_MS });
    }
  });

  it('should be shown to operators', async () => {
    const [events] = dataOf<object[]>(await session.get('/v1/health-check/work').expect(200));
    expect(events).toEqual({
      queue: 'events',
      waiting: 0,
      due: 0,
      claimed: 0,
      suspected: 0,
      setAside: 0,
      oldestDueSeconds: 0,
    });
  });
});
