import { getModelToken } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { type TestApp, workerStore } from '#libs/testing';
import { startTestApi } from '../../../test/support/test-api.js';
import { WebhookDelivery } from '../webhook-delivery.schema.js';
import { DeliveryQueue } from './delivery-queue.js';
import { EndpointSlots } from './endpoint-slots.js';

let api: TestApp;
let queue: DeliveryQueue;
let deliveries: TenantModel<WebhookDelivery>;
const clock = new ManualClock();
beforeAll(async () => {
  const store = workerStore();
  const uri = new URL(store.uri);
  uri.pathname = `${uri.pathname}_webhook_queue`;
  api = await startTestApi({ DELIVERY_WORKER: 'off' }, { ...store, uri: uri.href }, clock);
  queue = api.app.get(DeliveryQueue, { strict: false });
  deliveries = api.app.get<TenantModel<WebhookDelivery>>(getModelToken(WebhookDelivery.name), { strict: false });
});
beforeEach(async () => {
  await deliveries.collection.deleteMany({});
});
afterAll(() => api.close());

/** Deliveries that are due, the first one for the longest time. */
async function due(endpoint: Types.ObjectId, count: number, sinceMs: number): Promise<void> {
  const now = clock.now();
  await deliveries.collection.insertMany(
    Array.from({ length: count }, (_, place) => ({
      _id: new Types.ObjectId(),
      _environmentId: new Types.ObjectId(),
      _organizationId: new Types.ObjectId(),
      _endpointId: endpoint,
      _messageId: new Types.ObjectId(),
      type: 'message.sent' as const,
      occurredAt: now,
      data: {},
      status: 'pending' as const,
      attempt: 0,
      wakeAt: new Date(now.getTime() - sinceMs + place),
      deleted: false,
      createdAt: now,
      updatedAt: now,
      __v: 0,
    })),
  );
}

const endpointsOf = (rows: readonly WebhookDelivery[]): string[] =>
  rows.map(({ _endpointId }) => _endpointId.toHexString());

describe('claim', () => {
  it('should find a lonely delivery behind a large backlog of another endpoint', async () => {
    const [busy, lonely] = [new Types.ObjectId(), new Types.ObjectId()];
    await due(busy, 800, 60_000);
    await due(lonely, 1, 1_000);
    const claimed = endpointsOf(await queue.claim(new EndpointSlots(50, 10)));
    expect(claimed).toHaveLength(11);
    expect(claimed).toContain(lonely.toHexString());
  });

  it('should go on behind the endpoints that have had their turn', async () => {
    const endpoints = Array.from({ length: 40 }, () => new Types.ObjectId());
    for (const endpoint of endpoints) await due(endpoint, 20, 60_000);
    const turns: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) turns.push(...endpointsOf(await queue.claim(new EndpointSlots(64, 1))));
    expect(new Set(turns).size).toBe(40);
  });

  it('should give a row to one worker only, and to another one when its lease is over', async () => {
    await due(new Types.ObjectId(), 5, 1_000);
    const slots = (): EndpointSlots => new EndpointSlots(50, 50);
    const claims = await Promise.all([queue.claim(slots()), queue.claim(slots()), queue.claim(slots())]);
    const ids = claims.flat().map(({ _id }) => _id.toHexString());
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    expect(await queue.claim(slots())).toEqual([]);
    clock.advance(60_000);
    expect(await queue.claim(slots())).toHaveLength(5);
  });

  it('should not let a worker write whose lease is over', async () => {
    await due(new Types.ObjectId(), 1, 1_000);
    const [late] = await queue.claim(new EndpointSlots(1, 1));
    clock.advance(60_000);
    const [holder] = await queue.claim(new EndpointSlots(1, 1));
    if (late === undefined || holder === undefined) throw new Error('Nothing was claimed.');
    await queue.save([{ row: late, update: { $set: { status: 'failed' } } }]);
    const rows = await deliveries.collection.find({}).toArray();
    expect(rows).toEqual([expect.objectContaining({ status: 'pending', lease: holder.lease })]);
  });

  it('should give back what it releases at once', async () => {
    await due(new Types.ObjectId(), 2, 1_000);
    await queue.release(await queue.claim(new EndpointSlots(5, 5)));
    expect(await queue.claim(new EndpointSlots(5, 5))).toHaveLength(2);
  });
});

describe('nextWakeAt', () => {
  it('should be the earliest, and undefined where nothing waits', async () => {
    expect(await queue.nextWakeAt()).toBeUndefined();
    await due(new Types.ObjectId(), 3, 5_000);
    expect(await queue.nextWakeAt()).toEqual(new Date(clock.now().getTime() - 5_000));
  });
});

describe('a worker that stood still', () => {
  const LEASE_MS = 30_000;
  const taken = async (): Promise<WebhookDelivery> => {
    const [row] = await queue.claim(new EndpointSlots(5, 5));
    if (row === undefined) throw new Error('Nothing was due.');
    return row;
  };

  it('should not hold what another one has taken up', async () => {
    await due(new Types.ObjectId(), 1, 0);
    const first = await taken();
    expect(await queue.holds(first)).toBe(true);
    clock.advance(LEASE_MS);
    const second = await taken();
    expect(await queue.holds(first)).toBe(false);
    expect(await queue.holds(second)).toBe(true);
  });

  it('should hold what nobody has taken up meanwhile, for a whole lease', async () => {
    await due(new Types.ObjectId(), 1, 0);
    const row = await taken();
    clock.advance(LEASE_MS - 1);
    expect(await queue.holds(row)).toBe(true);
    clock.advance(LEASE_MS - 1);
    expect(await queue.claim(new EndpointSlots(5, 5))).toEqual([]);
  });

  it('should count how often a delivery was taken up without an outcome', async () => {
    await due(new Types.ObjectId(), 1, 0);
    await taken();
    clock.advance(LEASE_MS);
    const row = await taken();
    expect(row.takenUp).toBe(2);
    await queue.release([row]);
    expect((await taken()).takenUp).toBe(2);
  });
});
