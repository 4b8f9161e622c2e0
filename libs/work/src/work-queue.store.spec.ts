import mongoose, { type Connection, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { workerStore } from '../../../test/harness/index.js';
import { FairSlots } from './fair-slots.js';
import { Leases } from './leases.js';
import type { SuspectRecords } from './suspect-records.js';
import { type Claimable, WorkQueue } from './work-queue.js';

const LEASE_MS = 10_000;
const MAX_LOSSES = 5;

interface Item extends Claimable {
  _groupId: Types.ObjectId;
  claims?: number;
  status?: string;
}

const clock = new ManualClock();
let connection: Connection;
const collection = (): mongoose.mongo.Collection<Item> => {
  if (connection.db === undefined) throw new Error('not connected');
  return connection.db.collection<Item>('work_queue_spec');
};
const newQueue = (): WorkQueue<Item> => new WorkQueue({ collection, groupBy: '_groupId', clock, leaseMs: LEASE_MS });
/** A queue that tells suspects apart. */
const newTryingQueue = (): WorkQueue<Item> & { readonly suspects: SuspectRecords<Item> } => {
  const queue = new WorkQueue<Item>({
    collection,
    groupBy: '_groupId',
    clock,
    leaseMs: LEASE_MS,
    maxLosses: MAX_LOSSES,
  });
  if (queue.suspects === undefined) throw new Error('The queue has no suspects.');
  return queue as WorkQueue<Item> & { readonly suspects: SuspectRecords<Item> };
};
const item = (group: Types.ObjectId, lane?: string, inMs = 0): Item => ({
  _id: new Types.ObjectId(),
  _groupId: group,
  ...(lane !== undefined && { lane }),
  wakeAt: new Date(clock.now().getTime() + inMs),
});
const items = (count: number, group: Types.ObjectId, lane?: string, inMs = 0): Item[] =>
  Array.from({ length: count }, (_, index) => item(group, lane, inMs + index));
const idsOf = (records: readonly Item[]): string[] => records.map(({ _id }) => _id.toHexString());
const groupsOf = (records: readonly Item[]): string[] => records.map(({ _groupId }) => _groupId.toHexString());
const only = (records: readonly Item[]): Item => {
  const [record] = records;
  if (record === undefined || records.length > 1) throw new Error(`${records.length} records instead of one.`);
  return record;
};

beforeAll(async () => {
  connection = await mongoose.createConnection(workerStore().uri).asPromise();
  const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
  await collection().createIndex({ wakeAt: 1 }, waiting);
  await collection().createIndex({ lane: 1, _groupId: 1, wakeAt: 1 }, waiting);
  await collection().createIndex({ _groupId: 1, wakeAt: 1 }, waiting);
  await collection().createIndex(
    { suspectGroup: -1, wakeAt: 1 },
    { partialFilterExpression: { suspectGroup: { $exists: true } } },
  );
});
afterAll(async () => {
  await collection().drop();
  await connection.close();
});

describe.each([
  ['with lanes', 'email'],
  ['without lanes', undefined],
])('WorkQueue %s', (_name, lane) => {
  const group = new Types.ObjectId();
  let queue: WorkQueue<Item>;
  const claim = (free: number, perGroup = free): Promise<Item[]> =>
    queue.claim(new Map([[lane, new FairSlots(free, perGroup)]]));

  beforeEach(async () => {
    await collection().deleteMany({});
    queue = newQueue();
  });

  describe('claim', () => {
    it('should hand out what is due, once, until the lease ends', async () => {
      const [due, later] = [item(group, lane), item(group, lane, 60_000)];
      await collection().insertMany([due, later]);
      expect(idsOf(await claim(10))).toEqual(idsOf([due]));
      expect(await claim(10)).toEqual([]);
      clock.advance(LEASE_MS - 1);
      expect(await claim(10)).toEqual([]);
      clock.advance(1);
      expect(idsOf(await claim(10))).toEqual(idsOf([due]));
    });

    it('should give each record to one of many who claim at once', async () => {
      await collection().insertMany(items(200, group, lane, -1_000));
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(100)));
      const ids = idsOf(claims.flat());
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('should give a record to one worker only, and to another one when its lease is over', async () => {
      await collection().insertMany(items(5, group, lane, -1_000));
      const ids = idsOf((await Promise.all([claim(50), claim(50), claim(50)])).flat());
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
      expect(await claim(50)).toEqual([]);
      clock.advance(2 * LEASE_MS);
      expect(await claim(50)).toHaveLength(5);
    });

    it('should hand out at most what there is capacity for', async () => {
      await collection().insertMany([...items(3, group, lane, -1_000), item(new Types.ObjectId(), lane)]);
      expect(await claim(2)).toHaveLength(2);
    });

    it('should let every group have its share of a long backlog', async () => {
      const single = item(new Types.ObjectId(), lane);
      const others = items(5, new Types.ObjectId(), lane, -1_000);
      await collection().insertMany([...items(1_500, group, lane, -60_000), single, ...others]);
      const claimed = new Set(idsOf(await claim(30)));
      expect(idsOf([single, ...others]).every((id) => claimed.has(id))).toBe(true);
      expect(claimed.size).toBe(30);
    });

    it('should find a lonely record behind a large backlog of another group', async () => {
      const lonely = item(new Types.ObjectId(), lane, -1_000);
      await collection().insertMany([...items(1_500, group, lane, -60_000), lonely]);
      const claimed = idsOf(await claim(50, 10));
      expect(claimed).toHaveLength(11);
      expect(claimed).toContain(lonely._id.toHexString());
    });

    it('should find what is due in one of many groups at once after a backlog, beside a group that has no room', async () => {
      const slots = new FairSlots(1_100, 1_000);
      const capacity = new Map([[lane, slots]]);
      await collection().insertMany(items(1_000, group, lane, -60_000));
      for (const { _groupId } of await queue.claim(capacity)) slots.take(_groupId.toHexString());
      expect(slots.freeFor(group.toHexString())).toBe(0);
      await collection().insertMany(Array.from({ length: 40 }, () => item(new Types.ObjectId(), lane, 60_000)));
      const lonely = item(new Types.ObjectId(), lane, -1_000);
      await collection().insertOne(lonely);
      expect(idsOf(await queue.claim(capacity))).toEqual(idsOf([lonely]));
    });

    it('should go on after the groups that have had their turn', async () => {
      const groups = Array.from({ length: 40 }, () => new Types.ObjectId());
      await collection().insertMany(groups.flatMap((one) => items(30, one, lane, -60_000)));
      const turns: string[] = [];
      for (let turn = 0; turn < 3; turn += 1) turns.push(...groupsOf(await claim(64, 1)));
      expect(new Set(turns).size).toBe(40);
    });
  });

  describe('renew and release', () => {
    it('should lengthen leases and give records back', async () => {
      await collection().insertOne(item(group, lane));
      const claimed = await claim(1);
      clock.advance(LEASE_MS / 2);
      await queue.renew(claimed);
      clock.advance(LEASE_MS / 2);
      expect(await claim(1)).toEqual([]);
      await queue.release(claimed);
      expect(await claim(1)).toHaveLength(1);
      await queue.release(claimed);
      expect(await claim(1)).toEqual([]);
    });

    it('should give back what it releases at once', async () => {
      await collection().insertMany(items(2, group, lane, -1_000));
      await queue.release(await claim(5));
      expect(await claim(5)).toHaveLength(2);
    });

    it('should name the records that are still held', async () => {
      await collection().insertMany(items(2, group, lane, -1_000));
      const [held, lost] = await claim(2);
      if (held === undefined || lost === undefined) throw new Error('Two records were due.');
      await collection().updateOne({ _id: lost._id }, { $set: { lease: 'of another worker' } });
      expect([...(await queue.renew([held, lost]))]).toEqual([held]);
    });

    it('should tell two holders of one record apart that renew together', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      const former = only(await claim(1));
      clock.advance(2 * LEASE_MS);
      const holder = only(await claim(1));
      for (const both of [
        [former, holder],
        [holder, former],
      ])
        expect([...(await queue.renew(both))]).toEqual([holder]);
    });
  });

  describe('take', () => {
    it('should take what is not due and not held, with its mark', async () => {
      const [free, held] = [item(group, lane, 60_000), item(group, lane, -1)];
      await collection().insertMany([free, held]);
      await claim(1);
      const taken = only(await queue.take([free, held], { status: 'canceled' }));
      expect(taken).toMatchObject({ _id: free._id, status: 'canceled', wakeAt: queue.leaseEnd() });
    });
  });

  describe('save', () => {
    it('should not let a worker write whose lease is over', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      const late = only(await claim(1));
      clock.advance(2 * LEASE_MS);
      const holder = only(await claim(1));
      expect(await queue.save([{ record: late, update: { $set: { status: 'failed' } } }])).toBe(0);
      const stored = await collection().findOne({ _id: late._id });
      expect(stored).toMatchObject({ lease: holder.lease });
      expect(stored).not.toHaveProperty('status');
      expect(await queue.save([{ record: holder, update: { $set: { status: 'done' } } }])).toBe(1);
    });
  });

  describe('nextWakeAt', () => {
    it('should be the earliest, and undefined where nothing waits', async () => {
      expect(await queue.nextWakeAt()).toBeUndefined();
      const [soon, later] = [item(group, lane, 5_000), item(group, lane, 9_000)];
      await collection().insertMany([later, soon]);
      expect(await queue.nextWakeAt()).toEqual(soon.wakeAt);
      await collection().insertOne(item(group, lane, -5_000));
      expect(await queue.nextWakeAt()).toEqual(new Date(clock.now().getTime() - 5_000));
    });
  });

  describe('suspects', () => {
    let trying: ReturnType<typeof newTryingQueue>;
    const due = (): Promise<{ records: Item[]; parked: number }> =>
      trying.claimDue(new Map([[lane, new FairSlots(100, 100)]]));
    const tryNext = async (size?: number): Promise<Item[]> => {
      const heads = await trying.suspects.find(true);
      return trying.suspects.claim(heads, size ?? heads.length);
    };
    const stored = (id: Types.ObjectId): Promise<Item | null> => collection().findOne({ _id: id });

    beforeEach(() => {
      trying = newTryingQueue();
    });

    it('should be what was left behind, for any worker to try in groups that get smaller', async () => {
      await collection().insertMany(items(3, group, lane, -1_000));
      expect((await due()).records).toHaveLength(3);
      clock.advance(LEASE_MS);
      expect(await due()).toEqual({ records: [], parked: 3 });
      const other = newTryingQueue();
      expect((await other.suspects.find(true)).map(({ suspectGroup, takenUp }) => [suspectGroup, takenUp])).toEqual([
        [500, 1],
        [500, 1],
        [500, 1],
      ]);
      expect((await tryNext(40)).map(({ suspectGroup }) => suspectGroup)).toEqual([40, 40, 40]);
      expect(await other.suspects.find(true)).toEqual([]);
      clock.advance(trying.suspects.leaseMs);
      expect(await due()).toEqual({ records: [], parked: 3 });
      expect((await trying.suspects.find(true)).map(({ suspectGroup }) => suspectGroup)).toEqual([10, 10, 10]);
    });

    it('should get out of the way of other work, and be counted once by workers who look at the same time', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      const left = only((await due()).records);
      clock.advance(LEASE_MS);
      const clean = item(group, lane);
      await collection().insertOne(clean);
      const queues = [trying, newTryingQueue(), newTryingQueue()];
      const claims = await Promise.all(queues.map((one) => one.claim(new Map([[lane, new FairSlots(9, 9)]]))));
      expect(idsOf(claims.flat())).toEqual(idsOf([clean]));
      expect(await stored(left._id)).toMatchObject({ takenUp: 1, suspectGroup: 500 });
      expect(await due()).toEqual({ records: [], parked: 0 });
      clock.advance(LEASE_MS);
      expect((await due()).parked).toBe(2);
      expect(await stored(left._id)).toMatchObject({ takenUp: 1, suspectGroup: 500 });
    });

    it('should be none of what is given back or forgiven', async () => {
      await collection().insertMany(items(2, group, lane, -1_000));
      const [released, forgiven] = (await due()).records;
      if (released === undefined || forgiven === undefined) throw new Error('Two records were due.');
      await trying.release([released]);
      expect(idsOf((await due()).records)).toEqual(idsOf([released]));
      trying.forgive([forgiven]);
      clock.advance(LEASE_MS);
      await due();
      expect(await stored(forgiven._id)).toMatchObject({ takenUp: 0 });
    });

    it('should be given back without a word against them at a shutdown', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      await due();
      clock.advance(LEASE_MS);
      await due();
      const tried = only(await tryNext());
      await trying.release([tried]);
      await due();
      expect(only(await tryNext()).takenUp).toBe(tried.takenUp);
    });

    it('should be set aside when workers are lost over one that is alone, and not before', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      await due();
      for (let loss = 1; loss < MAX_LOSSES; loss += 1) {
        clock.advance(LEASE_MS);
        expect(await due()).toEqual({ records: [], parked: 1 });
        expect(only(await tryNext()).takenUp).toBe(loss);
      }
      clock.advance(LEASE_MS);
      const hopeless = only((await due()).records);
      expect(trying.suspects.rules.isHopeless(hopeless)).toBe(true);
    });

    it('should not count a lease that was lost by a process that lives', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      await due();
      clock.advance(LEASE_MS);
      await due();
      const tried = only(await tryNext());
      clock.advance(LEASE_MS);
      const other = newTryingQueue();
      await other.claimDue(new Map([[lane, new FairSlots(9, 9)]]));
      expect(await stored(tried._id)).toMatchObject({ takenUp: (tried.takenUp ?? 0) + 1 });
      await trying.suspects.release([tried]);
      expect(await stored(tried._id)).toMatchObject({ takenUp: tried.takenUp });
    });

    it('should have short leases, also when they are renewed', async () => {
      await collection().insertOne(item(group, lane, -1_000));
      await due();
      clock.advance(LEASE_MS);
      await due();
      const tried = only(await tryNext());
      expect(tried.wakeAt).toEqual(new Date(clock.now().getTime() + 4_000));
      clock.advance(1_000);
      await trying.renew([tried]);
      expect((await stored(tried._id))?.wakeAt).toEqual(new Date(clock.now().getTime() + 4_000));
      await trying.suspects.release([tried]);
      await trying.renew([tried]);
      expect((await stored(tried._id))?.wakeAt).toEqual(trying.leaseEnd());
    });

    it('should be noticed by an idle worker that sees one as the next record', async () => {
      const idle = newTryingQueue();
      expect(await idle.suspects.find(false)).toEqual([]);
      await collection().insertOne(item(group, lane, -1_000));
      await due();
      clock.advance(LEASE_MS);
      await due();
      expect(await idle.suspects.find(false)).toEqual([]);
      await idle.nextWakeAt();
      expect(await idle.suspects.find(false)).toHaveLength(1);
    });
  });

  describe('counting', () => {
    it('should forgive losses once the store takes writes again', async () => {
      let isAvailable = true;
      const faulty = (): ReturnType<typeof collection> => {
        if (!isAvailable) throw new Error('The store is unavailable.');
        return collection();
      };
      queue = new WorkQueue({ collection: faulty, groupBy: '_groupId', clock, leaseMs: LEASE_MS });
      await collection().insertMany([item(group, lane), item(group, lane)]);
      const records = await claim(2);
      const [first, ended] = records;
      if (first === undefined || ended === undefined) throw new Error('Two records are due.');
      await collection().updateOne({ _id: ended._id }, { $unset: { lease: 1 } });
      queue.forgive(records);
      isAvailable = false;
      await expect(claim(2)).rejects.toThrow('unavailable');
      isAvailable = true;
      expect(await claim(2)).toEqual([]);
      expect(await collection().findOne({ _id: first._id })).toMatchObject({ takenUp: -1 });
      expect(await collection().findOne({ _id: ended._id })).not.toHaveProperty('takenUp');
    });

    it('should count claims in a field of the record', async () => {
      const counting = { collection, groupBy: '_groupId', clock, leaseMs: LEASE_MS, countClaimsIn: 'claims' } as const;
      queue = new WorkQueue(counting);
      await collection().insertOne({ ...item(group, lane), claims: 1 });
      expect(only(await claim(1))).toMatchObject({ claims: 2 });
    });
  });

  describe('a worker that stood still', () => {
    const FRESH_MS = 3_000;
    let leases: Leases;
    const taken = async (): Promise<{ record: Item; lease: string }> => {
      const record = only(await claim(5));
      leases.began([record]);
      return { record, lease: record.lease ?? '' };
    };

    beforeEach(async () => {
      leases = new Leases(queue, FRESH_MS);
      await collection().insertOne(item(group, lane));
    });

    it('should not hold what another one has taken up', async () => {
      const first = await taken();
      expect(await leases.holds(first)).toBe(true);
      clock.advance(LEASE_MS);
      const second = await taken();
      expect(await leases.holds(first)).toBe(false);
      expect(await leases.holds(second)).toBe(true);
      await expect(leases.assertHeld(first)).rejects.toThrow('Another worker has claimed record');
      expect(await leases.lostAmong([first, second])).toEqual(new Set([first]));
    });

    it('should hold what no other one has taken up, for a whole lease', async () => {
      const record = await taken();
      clock.advance(LEASE_MS - 1);
      expect(await leases.holds(record)).toBe(true);
      clock.advance(LEASE_MS - 1);
      expect(await claim(5)).toEqual([]);
    });

    it('should ask the store again only when the lease is no longer fresh', async () => {
      const record = await taken();
      await collection().updateMany({}, { $set: { lease: 'of another worker' } });
      clock.advance(FRESH_MS - 1);
      expect(await leases.holds(record)).toBe(true);
      clock.advance(1);
      expect(await leases.holds(record)).toBe(false);
    });
  });
});

describe('WorkQueue with several lanes', () => {
  const group = new Types.ObjectId();
  let queue: WorkQueue<Item>;

  beforeEach(async () => {
    await collection().deleteMany({});
    queue = newQueue();
  });

  it('should hand out at most what the lanes have room for', async () => {
    await collection().insertMany([
      ...items(2, group, 'email', -1_000),
      item(group, 'sms'),
      item(new Types.ObjectId(), 'email'),
    ]);
    const claimed = await queue.claim(new Map([['email', new FairSlots(2, 2)]]));
    expect(claimed).toHaveLength(2);
    expect(new Set(claimed.map(({ lane }) => lane))).toEqual(new Set(['email']));
  });

  it('should see past a lane that is full', async () => {
    const sms = item(group, 'sms');
    await collection().insertMany([...items(1_200, group, 'email', -60_000), sms]);
    const capacity = new Map([
      ['email', new FairSlots(0, 0)],
      ['sms', new FairSlots(5, 5)],
    ]);
    expect(idsOf(await queue.claim(capacity))).toEqual(idsOf([sms]));
  });
});
