import mongoose, { type Connection, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { workerStore } from '#libs/testing';
import type { Claimable } from '../records/notification.record.js';
import { LaneSlots } from './lane-slots.js';
import { WorkQueue } from './work-queue.js';

const LEASE_MS = 10_000;

describe('WorkQueue', () => {
  const clock = new ManualClock();
  let connection: Connection;
  let queue: WorkQueue<Claimable>;
  const collection = (): mongoose.mongo.Collection<Claimable> => {
    if (connection.db === undefined) throw new Error('not connected');
    return connection.db.collection<Claimable>('work_queue_spec');
  };
  const environments = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const item = (environment: number, inMs = 0, lane = 'email'): Claimable => ({
    _id: new Types.ObjectId(),
    _environmentId: environments[environment] ?? new Types.ObjectId(),
    lane,
    wakeAt: new Date(clock.now().getTime() + inMs),
  });
  const rooms = (free: number, most = free): Map<string, LaneSlots> => new Map([['email', new LaneSlots(free, most)]]);

  beforeAll(async () => {
    connection = await mongoose.createConnection(workerStore().uri).asPromise();
    const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
    await collection().createIndex({ wakeAt: 1 }, waiting);
    await collection().createIndex({ lane: 1, _environmentId: 1, wakeAt: 1 }, waiting);
  });
  beforeEach(async () => {
    await collection().deleteMany({});
    queue = new WorkQueue(collection, clock, LEASE_MS);
  });
  afterAll(async () => {
    await collection().drop();
    await connection.close();
  });

  it('should hand out what is due, once, until the lease ends', async () => {
    const [due, later] = [item(0), item(0, 60_000)];
    await collection().insertMany([due, later]);
    expect((await queue.claim(rooms(10))).map(({ _id }) => _id)).toEqual([due._id]);
    expect(await queue.claim(rooms(10))).toEqual([]);
    clock.advance(LEASE_MS - 1);
    expect(await queue.claim(rooms(10))).toEqual([]);
    clock.advance(1);
    expect((await queue.claim(rooms(10))).map(({ _id }) => _id)).toEqual([due._id]);
  });

  it('should give each record to one of many who claim at once', async () => {
    await collection().insertMany(Array.from({ length: 200 }, () => item(0)));
    const claims = await Promise.all(Array.from({ length: 8 }, () => queue.claim(rooms(100))));
    const ids = claims.flat().map(({ _id }) => _id.toHexString());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('should hand out at most what the lanes have room for', async () => {
    await collection().insertMany([item(0), item(0), item(0, 0, 'sms'), item(1)]);
    const claimed = await queue.claim(rooms(2));
    expect(claimed).toHaveLength(2);
    expect(new Set(claimed.map(({ lane }) => lane))).toEqual(new Set(['email']));
  });

  it('should let every environment have its share of a long backlog', async () => {
    await collection().insertMany(Array.from({ length: 1_500 }, () => item(0, -60_000)));
    const single = item(1);
    const others = Array.from({ length: 5 }, () => item(2));
    await collection().insertMany([single, ...others]);
    const claimed = await queue.claim(rooms(30));
    const ids = new Set(claimed.map(({ _id }) => _id.toHexString()));
    expect(ids.has(single._id.toHexString())).toBe(true);
    expect(others.every(({ _id }) => ids.has(_id.toHexString()))).toBe(true);
    expect(claimed).toHaveLength(30);
  });

  it('should see past a lane that is full', async () => {
    await collection().insertMany(Array.from({ length: 1_200 }, () => item(0, -60_000)));
    const sms = item(0, 0, 'sms');
    await collection().insertOne(sms);
    const full = new Map([
      ['email', new LaneSlots(0, 0)],
      ['sms', new LaneSlots(5, 5)],
    ]);
    expect((await queue.claim(full)).map(({ _id }) => _id)).toEqual([sms._id]);
  });

  it('should lengthen leases and give records back', async () => {
    await collection().insertOne(item(0));
    const claimed = await queue.claim(rooms(1));
    clock.advance(LEASE_MS / 2);
    await queue.renew(claimed);
    clock.advance(LEASE_MS / 2);
    expect(await queue.claim(rooms(1))).toEqual([]);
    await queue.release(claimed);
    expect(await queue.claim(rooms(1))).toHaveLength(1);
    await queue.release(claimed);
    expect(await queue.claim(rooms(1))).toEqual([]);
  });

  it('should know when something is due next', async () => {
    expect(await queue.nextWakeAt()).toBeUndefined();
    const [soon, later] = [item(0, 5_000), item(0, 9_000)];
    await collection().insertMany([later, soon]);
    expect(await queue.nextWakeAt()).toEqual(soon.wakeAt);
  });
});
