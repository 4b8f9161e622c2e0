import { AppConfig } from '#libs/config';
import { createWorkflow, inApp, trigger } from '../../../test/support/delivery.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../../../test/support/delivery-api.js';
import { eventually } from '../../../test/support/eventually.js';
import { createReceiver } from '../../../test/support/webhook-receiver.js';
import { type RunningWorker, startWorker } from '../src/start-worker.js';

const DATABASE = 'worker_webhooks';

describe('webhooks of delivery workers', () => {
  let delivery: DeliveryApi;
  let workers: RunningWorker[];

  beforeAll(async () => {
    delivery = await startDeliveryApi(DATABASE, { DELIVERY_WORKER: 'off' });
    const config = AppConfig.from({
      LOG_LEVEL: 'silent',
      STORE_ENCRYPTION_KEY: 'a key for tests only, of 32 or more characters',
      ALLOW_PRIVATE_URLS: '1',
      WORKER_PORT: '0',
      DELIVERY_POLL_MS: '50',
    });
    workers = await Promise.all([1, 2].map(() => startWorker(config, storeNamed(DATABASE), delivery.clock)));
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await delivery.api.close();
  });

  it('should tell of each message once, whichever worker sends it and whichever tells it', async () => {
    const session = await delivery.api.session();
    const hook = await createReceiver(session, ['message.sent']);
    const { identifier } = await createWorkflow(session, [inApp('by a worker')]);
    const to = Array.from({ length: 20 }, (_, n) => `subscriber-${n}`);
    await trigger(session, { name: identifier, to });
    await eventually(async () => {
      expect(await hook.deliveries('?status=delivered&limit=100')).toHaveLength(20);
    });
    await hook.server.close();
    expect(
      hook
        .bodies()
        .map(({ data }) => data.message['subscriberId'])
        .sort(),
    ).toEqual([...to].sort());
  });
});
