import type { Connection } from 'mongoose';
import { getConnectionToken } from '@nestjs/mongoose';
import { ManualClock } from '#libs/common';
import { complete, databaseOf, type Migration } from '#libs/persistence';
import { MIGRATIONS } from '../../src/bootstrap/migrations.js';
import { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  digest,
  email,
  feedOf,
  inApp,
  notificationOf,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { useDeclaredErrors } from '../support/declared-errors.js';

const MINUTE_MS = 60_000;
const ADA = 'ada';
const NEWEST = MIGRATIONS.length;

/** Starts a process whose program does not know the newest migration. */
async function beforeNewest<T>(start: () => Promise<T>): Promise<T> {
  const list = MIGRATIONS as Migration[];
  const newest = list.splice(-1);
  try {
    return await start();
  } finally {
    list.push(...newest);
  }
}

describe('a process of the former version and one of this version on one store', () => {
  const store = storeNamed('side_by_side');
  const clock = new ManualClock();
  const start = (): Promise<DeliveryApi> => startDeliveryApi('side_by_side', {}, clock, store);
  let former: DeliveryApi;
  let current: DeliveryApi;
  let onFormer: TestSession;
  let onCurrent: TestSession;
  beforeAll(async () => {
    former = await beforeNewest(start);
    onFormer = await former.api.session();
    await dataOf(onFormer.post('/v1/subscribers', { subscriberId: ADA, email: 'ada@example.com' }), 201);
  });
  useDeclaredErrors();
  afterAll(async () => {
    await Promise.all([former, current].map(({ api }) => api.close()));
  });

  const texts = async (): Promise<string[]> =>
    (await feedOf(onCurrent, ADA)).map(({ content }) => String(content)).sort();

  it('should lose no work that either has begun', async () => {
    const later = await createWorkflow(onFormer, [delay(), inApp('{{n}} later')]);
    const collected = await createWorkflow(onFormer, [digest(), inApp('{{step.total_count}} together')]);
    const send = (session: TestSession, { identifier }: { identifier: string }, n: string): Promise<string> =>
      trigger(session, { name: identifier, to: ADA, payload: { n } });
    await send(onFormer, later, 'former');
    await send(onFormer, collected, '1');
    await former.drain();

    current = await start();
    onCurrent = new TestSession(current.api.url, onFormer);
    expect(await current.rows('storeState', { _id: 'schema' })).toMatchObject([{ version: NEWEST }]);
    // Each accepts, and the other one begins.
    await send(onFormer, collected, '2');
    await current.drain();
    await send(onCurrent, later, 'current');
    await send(onCurrent, collected, '3');
    await former.drain();
    await former.drain(6 * MINUTE_MS);
    await current.drain();
    expect(await texts()).toEqual(['3 together', 'current later', 'former later']);
  });

  it('should heed an address that the former one suppresses after the migration, and lift that one only', async () => {
    const people = ['bea', 'cleo'];
    const key = 'addressStates.email.key';
    const db = databaseOf(current.api.app.get<Connection>(getConnectionToken()));
    for (const subscriberId of people) {
      const address = `${subscriberId}@Example.com`;
      await dataOf(onCurrent.post('/v1/subscribers', { subscriberId, email: address }), 201);
      await dataOf(onCurrent.post('/v1/suppressions', { channel: 'email', subscriberId, reason: 'Bounced' }), 201);
      // As the former version writes it.
      await db.collection('subscribers').updateOne({ subscriberId }, { $unset: { [key]: 1 } });
    }
    const listed = (): Promise<{ id: string; subscriberId: string }[]> =>
      dataOf(onCurrent.get('/v1/suppressions'), 200);
    const [cleo] = (await listed()).filter(({ subscriberId }) => subscriberId === 'cleo');
    await dataOf(onCurrent.post(`/v1/suppressions/${cleo?.id ?? ''}/lift`, { reason: 'Works again' }), 200);
    expect((await listed()).map(({ subscriberId }) => subscriberId)).toEqual(['bea']);

    await complete(db, MIGRATIONS);
    expect(await db.collection('subscribers').countDocuments({ [key]: 'bea@example.com' })).toBe(1);
    // Whoever names the address.
    await smtpIntegration(onCurrent, 9);
    const mail = await createWorkflow(onCurrent, [email('Hello', 'Hello')]);
    const to = { subscriberId: 'dora', email: 'BEA@example.com' };
    const transactionId = await trigger(onCurrent, { name: mail.identifier, to, payload: {} });
    await current.drain();
    expect(JSON.stringify(await notificationOf(onCurrent, transactionId))).toContain('Bounced');
  });

  it('should not let the former one begin again', async () => {
    await expect(beforeNewest(start)).rejects.toThrow(
      `The store has schema version ${NEWEST}, and this version of Herald knows ${NEWEST - 1} at most`,
    );
    expect(await dataOf(onFormer.get('/v1/feeds'), 200)).toEqual([]);
  });
});
