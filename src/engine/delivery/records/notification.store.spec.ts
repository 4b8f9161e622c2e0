import mongoose, { type Connection, Types } from 'mongoose';
import { workerStore } from '../../../../test/harness/index.js';
import { type NotificationRecord, NotificationStore } from './notification.js';

const START = Date.UTC(2026, 0, 1);

describe('NotificationStore', () => {
  let connection: Connection;
  let store: NotificationStore;
  beforeAll(async () => {
    connection = await mongoose.createConnection(workerStore().uri).asPromise();
    store = new NotificationStore(connection, { readTrailsFrom: () => undefined } as never);
  });
  afterAll(() => connection.close());

  const newRecord = (): NotificationRecord => ({
    _id: new Types.ObjectId(),
    _environmentId: new Types.ObjectId(),
    _organizationId: new Types.ObjectId(),
    _eventId: new Types.ObjectId(),
    transactionId: 'order-1',
    _templateId: new Types.ObjectId(),
    _subscriberId: new Types.ObjectId(),
    subscriberId: 'ada',
    channels: ['in_app'],
    status: 'active',
    current: 0,
    steps: [],
    lease: 'present',
    createdAt: new Date(START),
    updatedAt: new Date(START),
  });

  it.each([
    ['the former', (former: object, present: object) => [former, present]],
    ['the present', (former: object, present: object) => [present, former]],
  ])('should tell two holders of one record apart that write together, %s first', async (_case, inOrder) => {
    const stored = newRecord();
    await store.insert([stored]);
    const after = (ms: number): NotificationRecord => ({ ...stored, updatedAt: new Date(START + ms) });
    const former = { record: { ...after(1), status: 'canceled' as const }, lease: 'former' };
    const present = { record: { ...after(2), status: 'completed' as const }, lease: 'present' };
    const refused = await store.save(inOrder(former, present) as [typeof former, typeof present]);
    expect(refused).toEqual({ lost: new Set([former.record]), canceled: new Set() });
    expect(await store.collection.findOne({ _id: stored._id })).toMatchObject({ status: 'completed' });
  });

  it('should name the holder whose run was canceled, and not the former one', async () => {
    const stored = { ...newRecord(), cancelRequested: true as const };
    await store.insert([stored]);
    const former = { record: { ...stored, updatedAt: new Date(START + 1) }, lease: 'former' };
    const present = { record: { ...stored, updatedAt: new Date(START + 2) }, lease: 'present' };
    const refused = await store.save([present, former]);
    expect(refused).toEqual({ lost: new Set([former.record]), canceled: new Set([present.record]) });
  });
});
