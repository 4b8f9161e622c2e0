import type { ServerResponse } from 'node:http';
import type { TestSession } from '../harness/index.js';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useProviderSink } from '../support/provider-sink.js';

const RUNS = 5;

describe('runs that wait in memory for their turn', () => {
  // One call at a time for one environment.
  const delivery = useDeliveryApi('waiting_turn', { DELIVERY_CONCURRENCY: '2', DELIVERY_TIMEOUT_MS: '240000' });
  const sink = useProviderSink();
  let session: TestSession;
  let held: ServerResponse[];
  let isHolding: boolean;
  let ids: string[];

  beforeEach(async () => {
    session = await delivery.api.session();
    held = [];
    isHolding = true;
    sink.answer = (_path, _body, response) => {
      if (isHolding) held.push(response);
      else response.end('{"id":"1"}');
    };
    const credentials = {
      baseUrl: sink.url,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'key',
      idPath: 'id',
      from: '+1',
    };
    const integration = { providerId: 'generic-sms', channel: 'sms', active: true, credentials };
    await session.post('/v1/integrations', integration).expect(201);
    const { identifier: name } = await createWorkflow(session, [{ template: { type: 'sms', content: 'sent' } }]);
    const to = { subscriberId: 'ann', phone: '+491234' };
    ids = [await trigger(session, { name, to })];
    await eventually(() => expect(held).toHaveLength(1));
    while (ids.length < RUNS) ids.push(await trigger(session, { name, to }));
    await eventually(async () => expect(await leased()).toBe(RUNS));
    expect(held).toHaveLength(1);
  });

  const leased = async (): Promise<number> =>
    (await delivery.rows('notifications', { transactionId: { $in: ids }, lease: { $exists: true } })).length;
  const letThrough = (): void => {
    isHolding = false;
    for (const response of held) response.end('{"id":"1"}');
  };
  const statuses = (): Promise<string[]> =>
    Promise.all(ids.map(async (id) => (await notificationOf(session, id)).status));

  it('should be sent one after the other', async () => {
    letThrough();
    await delivery.drain();
    expect(sink.requests).toHaveLength(RUNS);
    expect(await statuses()).toEqual(ids.map(() => 'completed'));
  });

  it('should not be sent when their transaction was canceled', async () => {
    for (const id of ids.slice(1)) {
      expect(await dataOf(session.delete(`/v1/events/trigger/${id}`), 200)).toBe(true);
    }
    letThrough();
    await delivery.drain();
    expect(sink.requests).toHaveLength(1);
    expect(await statuses()).toEqual(['completed', ...ids.slice(1).map(() => 'canceled')]);
  });

  it('should be left to other workers when this one ends', async () => {
    const worker = delivery.api.app.get(DeliveryWorker);
    worker.onModuleDestroy();
    const stopped = worker.beforeApplicationShutdown();
    await eventually(async () => expect(await leased()).toBe(1));
    letThrough();
    await stopped;
    expect(sink.requests).toHaveLength(1);
    worker.start();
    await delivery.drain();
    expect(sink.requests).toHaveLength(RUNS);
    expect(await statuses()).toEqual(ids.map(() => 'completed'));
  });
});
