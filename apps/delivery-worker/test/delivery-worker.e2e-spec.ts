import { ManualClock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { TestSession } from '../../../test/harness/index.js';
import { createWorkflow, digest, feedOf, inApp, trigger } from '../../../test/support/delivery.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../../../test/support/delivery-api.js';
import { eventually } from '../../../test/support/eventually.js';
import { DeliveryWorker } from '../../../src/engine/delivery/index.js';
import { type RunningWorker, startWorker } from '../src/start-worker.js';

describe('delivery worker', () => {
  const clock = new ManualClock();
  let api: DeliveryApi;
  let session: TestSession;
  const workers: RunningWorker[] = [];

  const addWorker = async (): Promise<RunningWorker> => {
    const config = AppConfig.from({
      LOG_LEVEL: 'silent',
      STORE_ENCRYPTION_KEY: 'a key for tests only, of 32 or more characters',
      WORKER_PORT: '0',
      DELIVERY_POLL_MS: '50',
    });
    const worker = await startWorker(config, storeNamed('worker'), clock);
    workers.push(worker);
    return worker;
  };
  const drain = async (ms: number): Promise<void> => {
    const until = new Date(clock.now().getTime() + ms);
    for (const worker of workers) await worker.context.get(DeliveryWorker).drain();
    await workers[0]?.context.get(DeliveryWorker).drain(until);
  };

  beforeAll(async () => {
    api = await startDeliveryApi('worker', { DELIVERY_WORKER: 'off' }, clock);
    await Promise.all([addWorker(), addWorker()]);
  });
  beforeEach(async () => {
    session = await api.api.session();
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await api.api.close();
  });

  it('should deliver what an API process without worker has accepted', async () => {
    const { identifier } = await createWorkflow(session, [inApp('by a worker')]);
    await trigger(session, { name: identifier, to: 'ann' });
    await drain(0);
    // the other worker may still be at it
    await eventually(async () => expect(await feedOf(session, 'ann')).toMatchObject([{ content: 'by a worker' }]));
  });

  it('should join fifty events at once into one message although two workers share them', async () => {
    const { identifier } = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => trigger(session, { name: identifier, to: 'ann', payload: { n } })),
    );
    await drain(300_000);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['50']);
  });

  it('should say how it is', async () => {
    const answer = await fetch(`http://127.0.0.1:${workers[0]?.healthPort}/`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { status: 'ok', info: { db: { status: 'up' } } } });
  });
});
