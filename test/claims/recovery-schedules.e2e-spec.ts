import { type mongo, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { Background, type Claimable, ClaimedWork, FairSlots, InFlight, Suspects, WorkQueue } from '#libs/work';
import { repetitions } from '../harness/index.js';
import { MemoryCollection, MemoryDocuments } from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

/** Of each case. */
const SEEDS = repetitions({ short: 40, long: 600 });
const LEASE_MS = 2_000;
const MAX_LOSSES = 5;
const MAX_ROUNDS = 20_000;
const GROUP = new Types.ObjectId();

type State = 'waiting' | 'done' | 'set aside';

interface Item extends Claimable {
  readonly _groupId: Types.ObjectId;
  readonly isPoison: boolean;
  readonly state: State;
}

const ended = (state: State): mongo.Document => ({
  $set: { state },
  $unset: { wakeAt: 1, lease: 1, takenUp: 1, suspectGroup: 1 },
});

/** The store, and what every worker has done. */
class World {
  readonly clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  readonly documents = new MemoryDocuments();
  readonly schedule: Schedule;
  readonly random: () => number;
  workers: Process[] = [];
  losses = 0;
  private lastWorker = 0;

  constructor(
    seed: number,
    readonly kinds: number,
  ) {
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
  }

  add(count: number, isPoison: boolean): void {
    for (let n = 0; n < count; n += 1) {
      const kind = Math.floor(this.random() * this.kinds);
      const row = { _id: new Types.ObjectId(), _groupId: GROUP, lane: `kind ${kind}`, isPoison, state: 'waiting' };
      const wakeAt = new Date(this.clock.now().getTime() + Math.floor(this.random() * 500));
      this.documents.put({ ...row, wakeAt });
    }
  }

  start(): void {
    this.lastWorker += 1;
    this.workers.push(new Process(this, this.lastWorker));
  }

  /** The process dies, and another one is started in its place. */
  lose(worker: Process): void {
    if (!this.workers.includes(worker)) return;
    this.losses += 1;
    this.workers = this.workers.filter((other) => other !== worker);
    this.schedule.kill(worker.id);
    this.start();
  }

  rows(): Item[] {
    return this.documents.plain() as unknown as Item[];
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.random() * items.length)];
  }
}

/** One process: the real claims, leases and trials, on a store that lets others act at every call. */
class Process {
  readonly sources: { claim: () => Promise<number>; renew: () => Promise<void> }[] = [];
  private isClaiming = false;

  constructor(
    readonly world: World,
    readonly id: number,
  ) {
    const suspects = new Suspects({ clock: world.clock, maxBlockMs: 6 * LEASE_MS, random: world.random });
    for (let kind = 0; kind < world.kinds; kind += 1) this.sources.push(this.source(`kind ${kind}`, suspects));
  }

  claim(): void {
    if (this.isClaiming) return;
    this.isClaiming = true;
    // As workers do: a process that stood still renews what it has in hand before it claims.
    const turn = async (): Promise<void> => {
      for (const source of this.sources) await source.renew();
      for (const source of this.sources) await source.claim();
      this.isClaiming = false;
    };
    void turn();
  }

  renew(): void {
    for (const source of this.sources) void source.renew();
  }

  private source(kind: string, suspects: Suspects): { claim: () => Promise<number>; renew: () => Promise<void> } {
    const { world, id } = this;
    const yields = (): Promise<void> => world.schedule.point(id);
    const collection = new MemoryCollection(world.documents, yields) as unknown as mongo.Collection<Item>;
    const { clock } = world;
    const queue = new WorkQueue<Item>({
      collection: () => collection,
      groupBy: '_groupId',
      clock,
      leaseMs: LEASE_MS,
      maxLosses: MAX_LOSSES,
    });
    const inFlight = new InFlight<Item>(() => clock.now().getTime());
    const slots = new FairSlots(100, 100);
    const end = async (record: Item, state: State): Promise<void> => {
      await queue.save([{ record, update: ended(state) }]);
    };
    const carryOut = async (record: Item): Promise<void> => {
      await yields();
      if (record.isPoison) {
        world.lose(this);
        await new Promise(() => undefined);
      }
      await yields();
      await end(record, 'done');
      inFlight.delete(record);
    };
    return new ClaimedWork<Item>({
      queue,
      suspects,
      inFlight,
      background: new Background(() => undefined),
      capacity: () => new Map([[kind, slots]]),
      begin: (records) => {
        for (const record of records) inFlight.add(record);
        for (const record of records) void carryOut(record);
        return Promise.resolve();
      },
      setAside: async (records) => {
        for (const record of records) await end(record, 'set aside');
      },
    }) as never;
  }
}

interface Faults {
  readonly items: number;
  readonly poisons: number;
  readonly workers: number;
  readonly kinds: number;
  kills: number;
  stalls: number;
  arrivals: number;
}

/** @returns the world at the end of all work */
async function play(seed: number, faults: Faults): Promise<World> {
  const world = new World(seed, faults.kinds);
  world.add(faults.items, false);
  world.add(faults.poisons, true);
  for (let worker = 0; worker < faults.workers; worker += 1) world.start();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    disturb(world, faults);
    for (const worker of world.workers) if (world.random() < 0.7) worker.claim();
    let steps = Math.floor(world.random() * 40);
    while (steps > 0 && (await world.schedule.step())) steps -= 1;
    if (round % 8 === 7 && world.rows().every(({ state }) => state !== 'waiting')) return world;
    if (steps === 0 && world.random() < 0.7) continue;
    world.clock.advance(Math.floor(world.random() * LEASE_MS * 0.3));
    for (const worker of world.workers) worker.renew();
  }
  throw new Error(
    `Seed ${seed}: the work does not end: ${JSON.stringify(world.rows().filter(({ state }) => state === 'waiting'))}`,
  );
}

function disturb(world: World, faults: Faults): void {
  const { stalled } = world.schedule;
  if (faults.kills > 0 && world.random() < 0.03) {
    const victim = world.pick(world.workers);
    if (victim !== undefined) world.lose(victim);
    faults.kills -= 1;
  }
  if (faults.stalls > 0 && world.random() < 0.04) {
    const victim = world.pick(world.workers);
    if (victim !== undefined) stalled.add(victim.id);
    faults.stalls -= 1;
  }
  if (stalled.size > 0 && world.random() < 0.15) stalled.delete([...stalled][0] ?? 0);
  if (faults.arrivals > 0 && world.random() < 0.1) {
    world.add(3, false);
    faults.arrivals -= 1;
  }
}

describe('what lost workers have left behind', () => {
  it.each([
    ['one poison', { items: 30, poisons: 1, workers: 2, kinds: 1, kills: 0, stalls: 0, arrivals: 5 }],
    ['several poisons', { items: 30, poisons: 3, workers: 3, kinds: 2, kills: 0, stalls: 0, arrivals: 5 }],
    ['a poison, kills and stalls', { items: 24, poisons: 1, workers: 3, kinds: 2, kills: 2, stalls: 6, arrivals: 5 }],
    [
      'kills and stalls of one worker',
      { items: 20, poisons: 0, workers: 1, kinds: 3, kills: 4, stalls: 6, arrivals: 5 },
    ],
    ['poisons and one worker', { items: 12, poisons: 2, workers: 1, kinds: 2, kills: 1, stalls: 3, arrivals: 3 }],
  ] as const)('should come to an end, poison alone set aside: %s', async (_name, faults) => {
    const wrong: unknown[] = [];
    let losses = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const world = await play(seed, { ...faults });
      losses += world.losses;
      for (const { _id, state, isPoison } of world.rows()) {
        if (state !== (isPoison ? 'set aside' : 'done')) wrong.push({ seed, _id: _id.toHexString(), state, isPoison });
      }
    }
    expect(wrong).toEqual([]);
    if (faults.poisons > 0) expect(losses).toBeGreaterThanOrEqual(SEEDS * MAX_LOSSES);
  });
});
