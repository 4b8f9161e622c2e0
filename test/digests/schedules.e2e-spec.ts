import mongoose, { type Connection, type mongo } from 'mongoose';
import { repetitions, workerStore } from '../harness/index.js';
import { type NotificationRecord, UNCERTAIN } from '../../src/engine/delivery/records/notification.js';
import type { TriggerEventRecord } from '../../src/engine/delivery/records/trigger-event.js';
import type { WeeklySchedule } from '#libs/schedule';
import { DigestWorker, DigestWorld, LEASE_MS, type StepKind, WINDOW_MS } from '../support/digest-world.js';
import {
  MemoryCollection,
  MemoryDocuments,
  type StoreCalls,
  yieldingCollection,
} from '../support/memory-collection.js';
import { Schedule, seeded } from '../support/schedules.js';

type Notifications = mongo.Collection<NotificationRecord>;

/** A store for one schedule. */
interface SharedStore {
  forWorker(calls: StoreCalls): Notifications;
  rows(): Promise<NotificationRecord[]>;
}

const WORKERS = 3;
const EVENTS = 5;
/** After the schedule has opened for good: leases of those that were lost, and delays. */
const MOST_MS = 60_000;
const LONG_LEASE_MS = 600_000;
type Workflows = readonly (readonly StepKind[])[];

const WORKFLOWS: Workflows = [
  ['digest', 'in_app'],
  ['digest', 'delay', 'in_app'],
  ['digest', 'digest', 'in_app'],
];

const HELD: Workflows = [
  ['sms', 'in_app'],
  ['delay', 'sms', 'in_app'],
  ['sms', 'sms', 'in_app'],
];
const OPEN: WeeklySchedule = { isEnabled: false };
/** The world begins on a Thursday. */
const CLOSED: WeeklySchedule = { isEnabled: true, weeklySchedule: { tuesday: { isEnabled: true } } };

/** Without digests: what their cancellations are answered is the whole truth. */
const ALONE: Workflows = [['delay', 'in_app'], ['delay', 'delay', 'in_app'], ['in_app']];
/** What is marked as begun counts as sent: it is uncertain, and not canceled. */
const CALLING: Workflows = [['delay', 'chat'], ['chat'], ['delay', 'delay', 'chat']];

interface Choice {
  readonly workflows: Workflows;
  /** Values that the key of a digest can have each time it is read. */
  readonly slots?: number;
  /** No worker dies, stands still or loses a lease. */
  readonly isCalm?: boolean;
  /** The subscriber has a schedule and changes it. */
  readonly hasSchedule?: boolean;
}

/** Carries out one schedule: events, claims, cancellations, workers that stand still and workers that die. */
class Play {
  readonly world: DigestWorld;
  private readonly random: () => number;
  private readonly schedule: Schedule;
  private readonly workers = new Map<number, DigestWorker>();
  private nextWorker = 0;
  private nextEvent = 0;
  /** Events whose expansion nobody has ended yet. */
  private readonly open = new Set<TriggerEventRecord>();
  private readonly expanded: TriggerEventRecord[] = [];
  /** Events that may have been called off: `asked` while nobody has heard the end of it. */
  readonly calledOff = new Map<number, 'asked' | 'late' | 'done'>();
  openedAt: Date | undefined;

  constructor(
    seed: number,
    private readonly store: SharedStore,
    private readonly choice: Choice,
  ) {
    const { workflows, slots = 1, isCalm = false } = choice;
    this.random = seeded(seed);
    this.schedule = new Schedule(this.random);
    this.world = new DigestWorld(workflows[seed % workflows.length] ?? [], slots, isCalm ? LONG_LEASE_MS : LEASE_MS);
    if (choice.hasSchedule === true) this.world.weekly = CLOSED;
    for (let n = 0; n < WORKERS; n += 1) this.hire();
  }

  async run(): Promise<void> {
    while (this.nextEvent < EVENTS || this.random() < 0.97) {
      if (this.random() < 0.8 && (await this.schedule.step())) continue;
      this.world.looks.now();
      this.act();
    }
    if (this.choice.hasSchedule === true) await this.openAtLast();
    await this.settle();
  }

  private act(): void {
    const dice = this.random();
    if (dice < 0.2) this.arrive();
    else if (dice < 0.5) this.inHand(this.someone().claim());
    else if (dice < 0.6) this.callOff();
    else if (dice < 0.66 && this.choice.hasSchedule === true) this.edit();
    else if (this.choice.isCalm === true) this.world.clock.advance(Math.floor(this.random() * WINDOW_MS));
    else if (dice < 0.72) this.world.clock.advance(Math.floor(this.random() * LEASE_MS));
    else if (dice < 0.8) this.world.clock.advance(this.random() < 0.5 ? LEASE_MS : WINDOW_MS);
    else if (dice < 0.87) this.schedule.stalled.add(this.someId());
    else if (dice < 0.93) this.wakeOne();
    else if (dice < 0.97) this.inHand(this.someone().renew());
    else this.replace();
  }

  private arrive(): void {
    if (this.nextEvent >= EVENTS) return;
    const event = this.world.newEvent(this.nextEvent++);
    this.world.clock.advance(1);
    this.open.add(event);
    this.expand(event);
  }

  private expand(event: TriggerEventRecord): void {
    this.inHand(
      this.someone()
        .begin(event)
        .then(() => {
          if (this.open.delete(event)) this.expanded.push(event);
        }),
    );
  }

  private callOff(): void {
    const event = this.expanded[Math.floor(this.random() * this.expanded.length)];
    if (event === undefined) return;
    const n = event.payload['n'] as number;
    if (this.calledOff.has(n)) return;
    this.calledOff.set(n, 'asked');
    this.inHand(
      this.someone()
        .cancel(event)
        .then((isCanceled) => {
          this.calledOff.set(n, isCanceled ? 'done' : 'late');
        }),
    );
  }

  private edit(): void {
    this.inHand(this.someone().edit(this.random() < 0.5 ? OPEN : CLOSED));
  }

  /** The last change of the schedule, which is acknowledged: everything goes from then on. */
  private async openAtLast(): Promise<void> {
    for (let more = 0; more < WORKERS; more += 1) {
      this.inHand(this.someone().claim());
      for (let step = this.schedule.pick(30); step > 0; step -= 1) await this.schedule.step();
    }
    let isDone = false;
    this.hire();
    this.inHand(
      this.workerAt(this.nextWorker - 1)
        .edit(OPEN)
        .then(() => (isDone = true)),
    );
    while (!isDone) await this.schedule.step();
    this.openedAt = this.world.clock.now();
  }

  private wakeOne(): void {
    const [worker] = this.schedule.stalled;
    if (worker !== undefined) this.schedule.stalled.delete(worker);
  }

  private replace(): void {
    const id = this.someId();
    this.schedule.kill(id);
    this.workers.delete(id);
    this.hire();
  }

  private hire(): void {
    const id = this.nextWorker++;
    const collection = this.store.forWorker({
      yields: () => this.schedule.point(id),
      call: (work) => this.schedule.call(work),
    });
    this.workers.set(id, new DigestWorker(this.world, collection, this.schedule, id));
  }

  private someId(): number {
    const ids = [...this.workers.keys()];
    return ids[Math.floor(this.random() * ids.length)] ?? 0;
  }

  private someone(): DigestWorker {
    return this.workerAt(this.someId());
  }

  private workerAt(id: number): DigestWorker {
    const worker = this.workers.get(id);
    if (worker === undefined) throw new Error('Nobody works.');
    return worker;
  }

  /** What fails is done again after the lease. */
  private inHand(work: Promise<unknown>): void {
    work.catch(() => undefined);
  }

  /** Nobody stands still or dies any more: everything comes to its end. */
  private async settle(): Promise<void> {
    this.schedule.stalled.clear();
    for (let round = 0; round < 400; round += 1) {
      while (await this.schedule.step());
      this.world.looks.now();
      while (await this.schedule.step());
      for (const event of this.open) this.expand(event);
      while (await this.schedule.step());
      const times = (await this.store.rows()).flatMap(({ wakeAt }) => wakeAt ?? []);
      if (times.length === 0 && this.open.size === 0 && !this.world.looks.isAwaited) return;
      if (times.length > 0) this.world.clock.moveTo(new Date(Math.min(...times.map((time) => time.getTime()))));
      this.inHand(this.someone().claim());
    }
    throw new Error('It does not come to an end.');
  }
}

/** What is wrong after a schedule. */
async function faultsOf(play: Play, store: SharedStore): Promise<string[]> {
  const faults: string[] = [];
  const rows = await store.rows();
  const included = new Map<number, number>();
  for (const message of play.world.messages.values())
    for (const n of message.included) included.set(n, (included.get(n) ?? 0) + 1);
  for (const n of play.world.calls) included.set(n, (included.get(n) ?? 0) + 1);
  for (let n = 0; n < EVENTS; n += 1) {
    const times = included.get(n) ?? 0;
    const own = rows.filter(({ transactionId }) => transactionId === `t${n}`);
    const isCalledOff = play.calledOff.has(n) && play.calledOff.get(n) !== 'late';
    const isCanceled = play.calledOff.get(n) === 'done';
    if (times > 0 && isCanceled) faults.push(`event ${n} is canceled and sent`);
    if (times > 1) faults.push(`event ${n} is sent ${times} times`);
    const isUncertain = own.some(({ steps }) => steps.some(({ reason }) => reason === UNCERTAIN));
    if (times === 0 && !isCalledOff && !isUncertain) faults.push(`event ${n} is lost`);
  }
  const lastMoment = (play.openedAt?.getTime() ?? 0) + MOST_MS;
  for (const [n, times] of play.world.passed) {
    if (play.openedAt !== undefined && times.some((time) => time.getTime() > lastMoment))
      faults.push(`event ${n} is late`);
  }
  for (const row of rows) if (row.status === 'active') faults.push(`${row.transactionId} never ends`);
  const byId = new Map(rows.map((row) => [row._id.toHexString(), row]));
  for (const { notificationId, included: content } of play.world.messages.values()) {
    const master = byId.get(notificationId);
    if (master === undefined) faults.push('a message belongs to nobody');
    else if (master.digestForOthers === undefined && master.digestClosed !== undefined) {
      const counted = countedIn(master, rows);
      const shown = content.map((n) => `t${n}`).sort();
      if (counted.join() !== shown.join()) faults.push(`counted ${counted.join()}, included ${shown.join()}`);
    }
  }
  return faults;
}

/** The transactions that a master's digests have counted in, its own among them. */
function countedIn(master: NotificationRecord, rows: readonly NotificationRecord[]): string[] {
  const members = rows.filter(
    ({ digestInto, digestCollected }) => digestInto?.equals(master._id) && digestCollected === master.digestClosed,
  );
  const carried = members.flatMap((member) => countedIn(member, rows));
  const own = master.digestForOthers === true ? [] : [master.transactionId];
  return [...new Set([...own, ...carried])].sort();
}

async function play(
  seeds: readonly number[],
  storeFor: () => Promise<SharedStore>,
  choice: Choice = { workflows: WORKFLOWS },
): Promise<string[]> {
  const faults: string[] = [];
  for (const seed of seeds) {
    const store = await storeFor();
    const one = new Play(seed, store, choice);
    try {
      await one.run();
      faults.push(...(await faultsOf(one, store)).map((fault) => `seed ${seed}: ${fault}`));
    } catch (error) {
      faults.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (faults.length > 20) break;
  }
  return faults;
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

/** The delivery engine as it is, several workers on one store; what each does next is chance, which a seed repeats. */
describe('digests under any schedule of stalls, deaths and cancellations', () => {
  const inMemory = (): Promise<SharedStore> => {
    const documents = new MemoryDocuments('digestSlot');
    return Promise.resolve({
      forWorker: ({ yields }) => new MemoryCollection(documents, yields) as unknown as Notifications,
      rows: () => Promise.resolve(documents.plain() as unknown as NotificationRecord[]),
    });
  };

  it('should tell every event exactly once', async () => {
    expect(await play(range(1, repetitions({ short: 300, long: 2_000 })), inMemory)).toEqual([]);
  });

  it('should tell every event exactly once where its tenant, and with it the value of the key, changes', async () => {
    const seeds = range(200_001, repetitions({ short: 150, long: 2_000 }));
    expect(await play(seeds, inMemory, { workflows: WORKFLOWS, slots: 2 })).toEqual([]);
  });

  it('should answer cancellations with their outcome, whoever holds what is canceled', async () => {
    const seeds = range(300_001, repetitions({ short: 200, long: 2_000 }));
    expect(await play(seeds, inMemory, { workflows: ALONE })).toEqual([]);
  });

  it('should answer cancellations of what calls providers with their outcome', async () => {
    const seeds = range(400_001, repetitions({ short: 100, long: 1_000 }));
    expect(await play(seeds, inMemory, { workflows: CALLING, isCalm: true })).toEqual([]);
  });

  it('should cancel nothing whose call had begun when its worker died or stood still', async () => {
    const seeds = range(500_001, repetitions({ short: 200, long: 4_000 }));
    expect(await play(seeds, inMemory, { workflows: CALLING })).toEqual([]);
  });

  it('should send what waits for a schedule once, and soon after the schedule is changed', async () => {
    const seeds = range(600_001, repetitions({ short: 200, long: 4_000 }));
    expect(await play(seeds, inMemory, { workflows: HELD, hasSchedule: true })).toEqual([]);
  });

  describe('on a real store', () => {
    let connection: Connection;
    let collection: Notifications;

    beforeAll(async () => {
      connection = await mongoose.createConnection(workerStore().uri).asPromise();
      if (connection.db === undefined) throw new Error('not connected');
      collection = connection.db.collection<NotificationRecord>('digest_schedules');
      const slots = { digestSlot: { $exists: true } };
      await collection.createIndex({ digestSlot: 1 }, { unique: true, partialFilterExpression: slots });
    });
    afterAll(async () => {
      await collection.drop();
      await connection.close();
    });

    it('should tell every event exactly once', async () => {
      const onStore = async (): Promise<SharedStore> => {
        await collection.deleteMany({});
        return {
          forWorker: (calls) => yieldingCollection(collection, calls),
          rows: () => collection.find({}).toArray(),
        };
      };
      expect(await play(range(100_001, repetitions({ short: 15, long: 50 })), onStore)).toEqual([]);
    });
  });
});
