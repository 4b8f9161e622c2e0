import mongoose, { type Connection, type mongo, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { type Claimable, FairSlots, WorkQueue } from '#libs/work';
import { repetitions, workerStore } from '../harness/index.js';
import { yieldingCollection } from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

/** Of each case. */
const SEEDS = repetitions({ short: 2, long: 100 });
const LEASE_MS = 2_000;
/** A backlog: more than one query reads. */
const RECORDS = 1_200;
const RECORDS_OF_SMALL_GROUP = 4;
const SLOTS = { size: 55, ofOneGroup: 50 };
const LARGE_GROUP = new Types.ObjectId();
const SMALL_GROUP = new Types.ObjectId();
const MAX_ROUNDS = 2_000;

interface Item extends Claimable {
  readonly _groupId: Types.ObjectId;
  /** How often it was carried out. */
  readonly ended?: number;
}

let connection: Connection;
let items: mongo.Collection<Item>;

beforeAll(async () => {
  connection = await mongoose.createConnection(workerStore().uri).asPromise();
  if (connection.db === undefined) throw new Error('not connected');
  items = connection.db.collection<Item>('side_by_side_schedules');
  const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
  await items.createIndex({ wakeAt: 1 }, waiting);
  await items.createIndex({ lane: 1, _groupId: 1, wakeAt: 1 }, waiting);
});
afterAll(async () => {
  await items.drop();
  await connection.close();
});

/** What all workers do on one store. */
class World {
  readonly clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  readonly schedule: Schedule;
  readonly random: () => number;
  /** Records of each claim, in the order of the claims. */
  readonly claims: Item[][] = [];
  /** Records that claims wanted, and those that they got. */
  wanted = 0;
  got = 0;

  constructor(seed: number) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
  }

  async fill(): Promise<void> {
    const dueMs = this.clock.now().getTime() - RECORDS;
    const isSmall = (n: number): boolean => n >= RECORDS - RECORDS_OF_SMALL_GROUP;
    await items.deleteMany({});
    await items.insertMany(
      Array.from({ length: RECORDS }, (_, n) => ({
        _id: new Types.ObjectId(),
        _groupId: isSmall(n) ? SMALL_GROUP : LARGE_GROUP,
        lane: 'store',
        wakeAt: new Date(dueMs + n),
      })),
    );
  }

  /** Records that were not carried out exactly once. */
  async otherwise(): Promise<number> {
    return items.countDocuments({ ended: { $ne: 1 } });
  }
}

/** Claims as a worker does, and ends what it has claimed under its lease. */
class Holder {
  private readonly queue: WorkQueue<Item>;
  private readonly slots = new FairSlots(SLOTS.size, SLOTS.ofOneGroup);
  private isBusy = false;

  constructor(
    private readonly world: World,
    readonly id: number,
  ) {
    const { schedule, clock, random } = world;
    const collection = yieldingCollection(items, {
      yields: () => schedule.point(id),
      call: (work) => schedule.call(work),
    });
    this.queue = new WorkQueue<Item>({
      collection: () => this.counting(collection),
      groupBy: '_groupId',
      clock,
      leaseMs: LEASE_MS,
      random,
    });
  }

  turn(): void {
    if (this.isBusy) return;
    this.isBusy = true;
    void this.work();
  }

  private async work(): Promise<void> {
    const { world, queue, slots } = this;
    const records = await queue.claim(new Map([['store', slots]]));
    if (records.length > 0) world.claims.push(records);
    const update = { $inc: { ended: 1 }, $unset: { wakeAt: 1, lease: 1 } };
    await queue.save(records.map((record) => ({ record, update })));
    this.isBusy = false;
  }

  /** Counts what is written with a lease. */
  private counting(collection: mongo.Collection<Item>): mongo.Collection<Item> {
    const { world } = this;
    return new Proxy(collection, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (name !== 'updateMany') return value;
        return async (filter: { _id: { $in: Types.ObjectId[] } }, update: mongo.UpdateFilter<Item>) => {
          const result = await target.updateMany(filter, update);
          world.wanted += filter._id.$in.length;
          world.got += result.matchedCount;
          return result;
        };
      },
    });
  }
}

/** @param disturb is called before each round */
async function play(
  seed: number,
  holders: number,
  disturb: (world: World, round: number) => void = () => undefined,
): Promise<World> {
  const world = new World(seed);
  await world.fill();
  const all = Array.from({ length: holders }, (_, id) => new Holder(world, id));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    disturb(world, round);
    for (const holder of all) if (world.random() < 0.7) holder.turn();
    let steps = 5;
    while (steps > 0 && (await world.schedule.step())) steps -= 1;
    world.clock.advance(Math.floor(world.random() * LEASE_MS * 0.02));
    if (round % 8 === 7 && (await items.countDocuments({ wakeAt: { $exists: true } })) === 0) return world;
  }
  throw new Error(`Seed ${seed}: ${await world.otherwise()} records are not done.`);
}

const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);

describe('workers who claim from one backlog', () => {
  it.each([
    [2, 0.85],
    [3, 0.8],
    [4, 0.7],
  ])('should claim side by side: %i workers get most of what they choose', async (holders, part) => {
    let [wanted, got] = [0, 0];
    for (const seed of seeds) {
      const world = await play(seed, holders);
      expect(await world.otherwise()).toBe(0);
      wanted += world.wanted;
      got += world.got;
    }
    expect(got / wanted).toBeGreaterThan(part);
  });

  it('should let a small group have its turn whatever window of a large one they take', async () => {
    for (const seed of seeds) {
      const { claims } = await play(seed, 4);
      const isOfSmallGroup = ({ _groupId }: Item): boolean => _groupId.equals(SMALL_GROUP);
      expect(claims.slice(0, 4).flat().filter(isOfSmallGroup)).toHaveLength(RECORDS_OF_SMALL_GROUP);
    }
  });

  it('should leave nothing to a worker that has died', async () => {
    for (const seed of seeds) {
      const world = await play(seed, 3, ({ schedule, clock }, round) => {
        if (round === 8) schedule.kill(0);
        if (round === 16) clock.advance(LEASE_MS);
      });
      expect(await world.otherwise()).toBe(0);
    }
  });

  it('should carry out nothing twice when one stands still for longer than its lease', async () => {
    for (const seed of seeds) {
      const world = await play(seed, 4, ({ schedule, clock }, round) => {
        if (round === 8) schedule.stalled.add(1);
        if (round === 16) clock.advance(2 * LEASE_MS);
        if (round === 24) schedule.stalled.clear();
      });
      expect(await world.otherwise()).toBe(0);
    }
  });
});
