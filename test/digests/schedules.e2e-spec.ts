import mongoose, { type Connection } from 'mongoose';
import { repetitions, workerStore } from '../harness/index.js';
import { type NotificationRecord, UNCERTAIN } from '../../src/engine/delivery/records/notification.js';
import {
  type Choice,
  EVENTS,
  type Notifications,
  Play,
  type SharedStore,
  type Workflows,
} from '../support/digest-play.js';
import { MemoryCollection, MemoryDocuments, yieldingCollection } from '../support/memory-collection.js';

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
/** After the schedule has opened for good: leases of those that were lost, and delays. */
const MOST_MS = 60_000;

/** Without digests: what their cancellations are answered is the whole truth. */
const ALONE: Workflows = [['delay', 'in_app'], ['delay', 'delay', 'in_app'], ['in_app']];
/** What is marked as begun counts as sent: it is uncertain, and not canceled. */
const CALLING: Workflows = [['delay', 'chat'], ['chat'], ['delay', 'delay', 'chat']];

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
    expect(await play(range(1, repetitions({ short: 90, long: 2_000 })), inMemory)).toEqual([]);
  });

  it('should tell every event exactly once where its tenant, and with it the value of the key, changes', async () => {
    const seeds = range(200_001, repetitions({ short: 45, long: 2_000 }));
    expect(await play(seeds, inMemory, { workflows: WORKFLOWS, slots: 2 })).toEqual([]);
  });

  it('should answer cancellations with their outcome, whoever holds what is canceled', async () => {
    const seeds = range(300_001, repetitions({ short: 60, long: 2_000 }));
    expect(await play(seeds, inMemory, { workflows: ALONE })).toEqual([]);
  });

  it('should answer cancellations of what calls providers with their outcome', async () => {
    const seeds = range(400_001, repetitions({ short: 30, long: 1_000 }));
    expect(await play(seeds, inMemory, { workflows: CALLING, isCalm: true })).toEqual([]);
  });

  it('should cancel nothing whose call had begun when its worker died or stood still', async () => {
    const seeds = range(500_001, repetitions({ short: 60, long: 4_000 }));
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
      expect(await play(range(100_001, repetitions({ short: 6, long: 50 })), onStore)).toEqual([]);
    });
  });
});
