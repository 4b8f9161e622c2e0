import type { Schemas } from '@herald/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { BUDGETED } from '../../src/engine/delivery/records/budget-uses.js';
import { createBudget } from '../factories/budget.factory.js';
import { repetitions } from '../harness/index.js';
import { TestSession } from '../harness/test-session.js';
import { createActiveWorkflow } from '../support/client.js';
import { createWorkflow, delay, email, feedOf, inApp, smtpIntegration, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { Holders } from '../support/holders.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const EVENTS = repetitions({ short: 300, long: 1_000 });
const MAX = 7;
const LEASE_MS = 10_000;

describe(`${EVENTS} messages of several workflows at the same time`, () => {
  it('should be exactly seven on two processes with one store', async () => {
    const store = storeNamed('budget_parallel');
    const one = await startDeliveryApi('budget_parallel', {}, undefined, store);
    const two = await startDeliveryApi('budget_parallel', {}, one.clock, store);
    try {
      const session = await one.api.session();
      const other = new TestSession(two.api.url, { ...session });
      await createBudget(session, { channels: ['in_app'], max: MAX });
      const names = await Promise.all(
        [1, 2, 3].map(async () => (await createWorkflow(session, [inApp('{{n}}')])).identifier),
      );
      const sent = Array.from({ length: EVENTS }, (_, n) => {
        const body = { name: names[n % 3] ?? '', to: 'ann', payload: { n }, transactionId: `p${n}` };
        return trigger(n % 2 === 0 ? session : other, body);
      });
      await Promise.all(sent);
      await Promise.all([one.drain(), two.drain()]);
      expect(await feedOf(session, 'ann')).toHaveLength(MAX);
      const rows = await one.rows('notifications', { transactionId: /^p/ });
      const skipped = rows.filter(({ steps }) => (steps as { reason?: string }[])[0]?.reason === 'budget');
      expect([rows.length, skipped.length]).toEqual([EVENTS, EVENTS - MAX]);
    } finally {
      await two.api.close();
      await one.api.close();
    }
  });
});

describe('mails that are counted by two holders', () => {
  let delivery: DeliveryApi;
  let holders: Holders;
  let smtp: SmtpCatcher;

  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
    delivery = await startDeliveryApi('budget_holders', { DELIVERY_WORKER: 'off' });
    holders = new Holders(delivery.api);
  });
  afterEach(() => BUDGETED.disarm());
  afterAll(async () => {
    await delivery.api.close();
    await smtp.close();
  });

  it('should be no more than the budget when the first stands still after it was counted, and goes on later', async () => {
    const session = await delivery.api.session();
    await smtpIntegration(session, smtp.port);
    await createBudget(session, { channels: ['email'], max: MAX });
    const { identifier } = await createWorkflow(session, [delay(), email('{{n}}', '<p>{{n}}</p>')]);
    const to = { subscriberId: 'ann', email: 'ann@example.com' };
    for (let n = 0; n < 20; n += 1) await trigger(session, { name: identifier, to, payload: { n } });
    await delivery.drain();
    delivery.clock.advance(300_000);
    let goOn = (): void => undefined;
    const stalled = new Promise<void>((resolve) => (goOn = resolve));
    let counted = 0;
    const some = new Promise<void>((resolve) =>
      BUDGETED.arm(() => {
        counted += 1;
        if (counted === 4) resolve();
        return stalled;
      }),
    );
    const delays = await holders.claim();
    const late = delays();
    await some;
    delivery.clock.advance(LEASE_MS);
    BUDGETED.disarm();
    await (
      await holders.claim()
    )();
    goOn();
    await late;
    await delivery.drain(LEASE_MS);
    await delivery.drain();
    expect(smtp.raw).toHaveLength(MAX);
    const subjects = smtp.raw.map((raw) => /^Subject: (.*)$/m.exec(raw)?.[1]);
    expect(new Set(subjects).size).toBe(MAX);
  });
});

describe('a process that is killed while it counts', () => {
  let dataDir: string;
  let herald: StartedHerald;

  const start = async (): Promise<void> => {
    herald = await StartedHerald.start(dataDir, { API_KEY: TEST_KEY, LOG_LEVEL: 'warn', DELIVERY_LEASE_MS: '1000' });
  };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-budget-'));
    await start();
  });
  afterEach(async () => {
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('should have sent exactly seven when everything has ended', async () => {
    const { client } = herald;
    await client.budgets.createBudget({ body: { name: 'seven', channels: ['in_app'], max: MAX } });
    const steps = [inApp('{{n}}')] as Schemas['StepDto'][];
    const workflows = [
      await createActiveWorkflow(client, 'One', steps),
      await createActiveWorkflow(client, 'Two', steps),
    ];
    const sendAll = async (from: number, to: number): Promise<void> => {
      const calls = Array.from({ length: to - from }, (_, at) => {
        const n = from + at;
        const name = workflows[n % 2]?.triggers[0]?.identifier ?? '';
        const body = { name, to: 'ann', payload: { n }, transactionId: `k${n}` };
        return herald.client.events.triggerEvent({ body }).catch(() => undefined);
      });
      await Promise.all(calls);
    };
    const sending = sendAll(0, 100);
    await eventually(async () => {
      const messages = await herald.client.messages.listMessages({ query: { subscriberId: 'ann' } }).catch(() => []);
      expect(messages.length).toBeGreaterThan(0);
    });
    await herald.end('SIGKILL');
    await sending;
    await start();
    // Who got no answer sends again.
    await sendAll(0, 140);
    await eventually(async () => {
      const counts = await Promise.all(
        [0, 50, 99, 139].map((n) => herald.client.events.getEvent({ path: { transactionId: `k${n}` } })),
      );
      expect(counts.every(({ ended }) => ended)).toBe(true);
    });
    await eventually(async () => {
      const query = { subscriberIds: ['ann'], status: ['active' as const] };
      expect(await herald.client.notifications.listNotifications({ query })).toEqual([]);
    });
    const { messagesOfASubscriber } = herald.client;
    const feed = await messagesOfASubscriber.getFeed({ path: { subscriberId: 'ann' }, query: { limit: 100 } });
    expect(feed).toHaveLength(MAX);
  });
});
