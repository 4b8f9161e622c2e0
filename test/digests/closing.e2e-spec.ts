import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { crash } from '../support/crashed-runs.js';
import { Holders } from '../support/holders.js';
import { createWorkflow, delay, digest, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

const WINDOW_MS = 300_000;
const LEASE_MS = 10_000;
const LIST = inApp('{{#each step.events}}{{n}},{{/each}}');

/** Each test has two holders of one digest: the lease of the first ends before it continues. */
describe('a digest that is closed more than once', () => {
  const delivery = useDeliveryApi('digest_closing', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);
  let notifications: mongo.Collection;
  let holders: Holders;

  beforeAll(() => {
    const { app } = delivery.api;
    holders = new Holders(delivery.api);
    const { db } = app.get<Connection>(getConnectionToken());
    if (db === undefined) throw new Error('not connected');
    notifications = db.collection('notifications');
  });

  const contents = async (): Promise<string[]> => (await feedOf(session, 'ann')).map(({ content }) => content).sort();
  const send = async (identifier: string, n: number): Promise<void> => {
    await trigger(session, { name: identifier, to: 'ann', payload: { n }, transactionId: `closing-${n}` });
    await delivery.drain();
    delivery.clock.advance(1);
  };

  it('should count in who joins while a holder without a lease has closed it', async () => {
    const { identifier } = await createWorkflow(session, [digest(), LIST]);
    await send(identifier, 1);
    await send(identifier, 2);
    delivery.clock.advance(WINDOW_MS);
    const first = await holders.claim();
    delivery.clock.advance(LEASE_MS);
    const second = await holders.claim();
    await first();
    await trigger(session, { name: identifier, to: 'ann', payload: { n: 3 } });
    await delivery.drain();
    await second();
    await delivery.drain(2 * WINDOW_MS);
    const included = (await contents()).join('');
    expect(included.split(',').filter(Boolean).sort()).toEqual(['1', '2', '3']);
  });

  it('should not count in later who was on the way when it was closed', async () => {
    const { identifier } = await createWorkflow(session, [digest(), delay(), LIST]);
    await send(identifier, 1);
    await send(identifier, 2);
    const [master, follower] = await notifications
      .find({ transactionId: /^closing-/, _environmentId: { $exists: true } })
      .sort({ createdAt: -1 })
      .limit(2)
      .toArray()
      .then((rows) => rows.reverse());
    if (master === undefined || follower === undefined) throw new Error('Two runs are missing.');
    delivery.clock.advance(WINDOW_MS);
    await delivery.drain();
    expect(await notifications.findOne({ _id: master._id })).toMatchObject({ status: 'active', current: 1 });
    // A worker that had read the master as open names it only now, and dies.
    await crash(
      notifications,
      { _id: follower._id },
      {
        leaseEnd: delivery.clock.now(),
        steps: ['running', 'pending', 'pending'],
        without: ['digestCollected'],
      },
    );
    await delivery.drain(4 * WINDOW_MS);
    expect(await contents()).toEqual(['1,', '2,']);
  });

  it('should continue for the other events when its first event is canceled after it was closed', async () => {
    const { identifier } = await createWorkflow(session, [digest(), delay(), LIST]);
    for (const n of [11, 12, 13]) await send(identifier, n);
    delivery.clock.advance(WINDOW_MS);
    await delivery.drain();
    const { body } = await session.delete('/v1/events/trigger/closing-11').expect(200);
    expect(body).toMatchObject({ data: true });
    await delivery.drain(2 * WINDOW_MS);
    expect(await contents()).toEqual(['12,13,']);
  });

  it('should continue for the other events when its first event is canceled in a second digest', async () => {
    const { identifier } = await createWorkflow(session, [digest(), digest(), LIST]);
    for (const n of [21, 22]) await send(identifier, n);
    await delivery.drain(WINDOW_MS);
    for (const n of [23, 24]) await send(identifier, n);
    await session.delete('/v1/events/trigger/closing-21').expect(200);
    await delivery.drain(4 * WINDOW_MS);
    const included = (await contents()).join('');
    expect(included.split(',').filter(Boolean).sort()).toEqual(['22', '23', '24']);
  });
});
