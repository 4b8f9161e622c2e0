import type { Schemas } from '@herald/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COUNTED } from '../../src/engine/delivery/records/throttles.js';
import { SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import { TestSession } from '../harness/test-session.js';
import { createActiveWorkflow } from '../support/client.js';
import { createWorkflow, delay, feedOf, inApp, throttle, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { Holders } from '../support/holders.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const EVENTS = 1_000;
const THRESHOLD = 7;
const LEASE_MS = 10_000;
const STEPS = [throttle({ threshold: THRESHOLD }), inApp('{{n}}')];

describe('1,000 triggers at the same time', () => {
  it('should let exactly seven pass on two processes with one store', async () => {
    const store = storeNamed('throttle_parallel');
    const one = await startDeliveryApi('throttle_parallel', {}, undefined, store);
    const two = await startDeliveryApi('throttle_parallel', {}, one.clock, store);
    try {
      const session = await one.api.session();
      const other = new TestSession(two.api.url, { ...session });
      const { identifier } = await createWorkflow(session, STEPS);
      const sent = Array.from({ length: EVENTS }, (_, n) =>
        trigger(n % 2 === 0 ? session : other, { name: identifier, to: 'ann', payload: { n }, transactionId: `p${n}` }),
      );
      await Promise.all(sent);
      await Promise.all([one.drain(), two.drain()]);
      expect(await feedOf(session, 'ann')).toHaveLength(THRESHOLD);
      const rows = await one.rows('notifications', { transactionId: /^p/ });
      const skipped = rows.filter(({ steps }) => (steps as { status: string }[])[0]?.status === 'skipped');
      expect([rows.length, skipped.length]).toEqual([EVENTS, EVENTS - THRESHOLD]);
    } finally {
      await two.api.close();
      await one.api.close();
    }
  });
});

describe('runs that are counted by two holders', () => {
  let delivery: DeliveryApi;
  let holders: Holders;

  beforeAll(async () => {
    delivery = await startDeliveryApi('throttle_holders', { DELIVERY_WORKER: 'off' });
    holders = new Holders(delivery.api);
  });
  afterEach(() => {
    COUNTED.disarm();
    SETTLING.disarm();
  });
  afterAll(() => delivery.api.close());

  it('should keep their places when the first stands still after it was counted, and goes on later', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [delay(), ...STEPS]);
    for (let n = 0; n < 20; n += 1) await trigger(session, { name: identifier, to: 'ann', payload: { n } });
    await delivery.drain();
    delivery.clock.advance(300_000);
    const first = await holders.claim();
    let goOn = (): void => undefined;
    const stalled = new Promise<void>((resolve) => (goOn = resolve));
    let counted = 0;
    const all = new Promise<void>((resolve) =>
      COUNTED.arm(() => {
        counted += 1;
        if (counted === 4) resolve();
        return stalled;
      }),
    );
    const late = first();
    await all;
    delivery.clock.advance(LEASE_MS);
    COUNTED.disarm();
    await (
      await holders.claim()
    )();
    goOn();
    await late;
    await delivery.drain(LEASE_MS);
    expect(await feedOf(session, 'ann')).toHaveLength(THRESHOLD);
    const [window] = await delivery.rows('throttles');
    expect(window).toMatchObject({ count: THRESHOLD });
  });

  it('should keep their places where the window has passed before the run was taken up again', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [delay(), throttle(), inApp('{{n}}')]);
    const sendLater = async (n: number): Promise<void> => {
      await trigger(session, { name: identifier, to: 'bob', payload: { n } });
      await delivery.drain();
      delivery.clock.advance(300_000);
    };
    await sendLater(1);
    const first = await holders.claim();
    COUNTED.armOnce(() => Promise.reject(new Error('The process dies.')));
    await first().catch(() => undefined);
    // Another run opens the next window before anybody takes up the first.
    delivery.clock.advance(3_600_000);
    await sendLater(2);
    await delivery.drain(LEASE_MS);
    expect((await feedOf(session, 'bob')).map(({ content }) => content).sort()).toEqual(['1', '2']);
  });

  it('should give no place to the first when the second was refused, and the window has passed', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [delay(), throttle({ threshold: 2 }), inApp('{{n}}')]);
    const send = async (to: string, ...numbers: number[]): Promise<void> => {
      for (const n of numbers) await trigger(session, { name: identifier, to, payload: { n } });
      await delivery.drain();
      delivery.clock.advance(300_000);
    };
    await send('carl', 1, 2, 3);
    const late = await holders.claim();
    delivery.clock.advance(LEASE_MS);
    await delivery.drain(LEASE_MS);
    expect(await feedOf(session, 'carl')).toHaveLength(2);
    delivery.clock.advance(3_600_000);
    await send('carl', 4);
    await delivery.drain();
    await late();
    await send('carl', 5);
    await delivery.drain();
    expect(await feedOf(session, 'carl')).toHaveLength(4);
  });

  it('should have their places in their records when the first has died after it stored the messages', async () => {
    const session = await delivery.api.session();
    const { identifier } = await createWorkflow(session, [delay(), throttle(), inApp('{{n}}')]);
    const sendLater = async (transactionId: string): Promise<void> => {
      await trigger(session, { name: identifier, to: 'dora', payload: { n: 1 }, transactionId });
      await delivery.drain();
      delivery.clock.advance(300_000);
    };
    await sendLater('told');
    const first = await holders.claim();
    SETTLING.armOnce(() => Promise.reject(new Error('The process dies.')));
    await first().catch(() => undefined);
    expect(await feedOf(session, 'dora')).toHaveLength(1);
    const opened = delivery.clock.now().getTime();
    delivery.clock.advance(3_600_000);
    await sendLater('next');
    await delivery.drain(LEASE_MS);
    expect(await feedOf(session, 'dora')).toHaveLength(2);
    const [{ steps = [] } = {}] = await delivery.rows('notifications', { transactionId: 'told' });
    const output = { throttled: false, executionCount: 1, opensAt: new Date(opened + 3_600_000).toISOString() };
    expect(steps).toMatchObject([{}, { status: 'completed', output }, { status: 'completed' }]);
  });
});

describe('a process that is killed while it counts', () => {
  let dataDir: string;
  let herald: StartedHerald;

  const start = async (): Promise<void> => {
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, LOG_LEVEL: 'warn', DELIVERY_LEASE_MS: '1000' });
  };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-throttle-'));
    await start();
  });
  afterEach(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('should have let exactly seven pass when everything has ended', async () => {
    const { triggers } = await createActiveWorkflow(herald.client, 'Counted', STEPS as Schemas['StepDto'][]);
    const name = triggers[0]?.identifier ?? '';
    const sendAll = async (from: number, to: number): Promise<void> => {
      const calls = Array.from({ length: to - from }, (_, at) => {
        const body = { name, to: 'ann', payload: { n: from + at }, transactionId: `k${from + at}` };
        return herald.client.events.triggerEvent({ body }).catch(() => undefined);
      });
      await Promise.all(calls);
    };
    const sending = sendAll(0, 150);
    await eventually(async () => {
      const messages = await herald.client.messages.listMessages({ query: { subscriberId: 'ann' } }).catch(() => []);
      expect(messages.length).toBeGreaterThan(0);
    });
    await herald.end('SIGKILL');
    await sending;
    await start();
    // Who got no answer sends again.
    await sendAll(0, 200);
    await eventually(async () => {
      const counts = await Promise.all(
        [0, 75, 149, 199].map((n) => herald.client.events.getEvent({ path: { transactionId: `k${n}` } })),
      );
      expect(counts.every(({ ended }) => ended)).toBe(true);
    });
    await eventually(async () => {
      const query = { subscriberIds: ['ann'], status: ['active' as const] };
      expect(await herald.client.notifications.listNotifications({ query })).toEqual([]);
    });
    const { messagesOfASubscriber } = herald.client;
    const feed = await messagesOfASubscriber.getFeed({ path: { subscriberId: 'ann' }, query: { limit: 100 } });
    expect(feed).toHaveLength(THRESHOLD);
  });
});
