import mongoose, { type Connection } from 'mongoose';
import type { NotificationRecord, StepState } from '../../src/engine/delivery/records/notification.js';
import { repetitions, workerStore } from '../harness/index.js';
import { type Choice, type Notifications, Play, type SharedStore, type Workflows } from '../support/digest-play.js';
import { MemoryCollection, MemoryDocuments, yieldingCollection } from '../support/memory-collection.js';

const EVENTS = 6;
const WORKFLOWS: Workflows = [
  ['wait_for_event', 'in_app'],
  ['delay', 'wait_for_event', 'in_app'],
  ['in_app', 'wait_for_event', 'in_app'],
  ['wait_for_event', 'chat'],
];
/** Time goes on far enough for some waits to end by themselves. */
const WINDOW_MS = 120_000;
/** From an answer that says that a wait was woken, to its end: leases of those that were lost, and delays. */
const MOST_MS = 60_000;

interface Acknowledged {
  readonly n: number;
  readonly woken: number;
  readonly at: Date;
}

interface Output {
  readonly matched: boolean;
}

const waitOf = ({ steps }: NotificationRecord): StepState | undefined =>
  steps.find(({ type }) => type === 'wait_for_event');
const outputOf = (row: NotificationRecord): Output | undefined => waitOf(row)?.output as Output | undefined;

/** The one step after the wait is carried out exactly if the event did not come. */
function faultsOfRun(row: NotificationRecord, { world }: Play): string[] {
  if (row.status === 'active') return [`${row.transactionId} never ends`];
  const last = row.steps.at(-1);
  if (last === undefined || waitOf(row)?.status === 'canceled') return [];
  const n = Number(row.transactionId.slice(1));
  const told =
    last.type === 'chat'
      ? world.calls.filter((call) => call === n).length
      : [...world.messages.values()].filter(({ row: { _jobId } }) => String(_jobId) === String(last._id)).length;
  if (told > 1) return [`${row.transactionId} is told ${told} times`];
  const isMatched = outputOf(row)?.matched;
  if (isMatched === undefined) return [`${row.transactionId} has no outcome`];
  if (isMatched && last.reason !== 'wait_matched') return [`${row.transactionId} has got its event and goes on`];
  if (isMatched && told > 0) return [`${row.transactionId} has got its event and is told`];
  const isExcused = last.status === 'canceled' || last.status === 'failed';
  return !isMatched && told === 0 && !isExcused ? [`${row.transactionId} has timed out and is not told`] : [];
}

/** An answer says that a wait was woken exactly if it gets the event, and it gets it soon. */
function faultsOfSignals(
  rows: readonly NotificationRecord[],
  signals: readonly Acknowledged[],
  settledAt: Date,
): string[] {
  return rows.flatMap((row) => {
    const own = signals.filter(({ n }) => row.transactionId === `t${n}`);
    const wait = waitOf(row);
    if (wait?.status !== 'completed') return [];
    const isMatched = outputOf(row)?.matched === true;
    const woken = own.filter((signal) => signal.woken > 0);
    if (woken.length > 0 && !isMatched) return [`${row.transactionId} was woken, and times out`];
    const endedAt = wait.finishedAt?.getTime() ?? 0;
    const isLate = woken.some(({ at }) => endedAt > Math.max(at.getTime(), settledAt.getTime()) + MOST_MS);
    if (isLate) return [`${row.transactionId} was woken, and is late`];
    const begun = wait.wait?.since;
    const isEarlier = begun !== undefined && own.some(({ at }) => at < begun);
    return isEarlier && !isMatched ? [`${row.transactionId} has lost an event from before its wait`] : [];
  });
}

async function play(
  seeds: readonly number[],
  storeFor: () => Promise<SharedStore>,
  more: Partial<Choice> = {},
): Promise<{ faults: string[]; matched: number; timedOut: number; woken: number }> {
  const result = { faults: [] as string[], matched: 0, timedOut: 0, woken: 0 };
  for (const seed of seeds) {
    const store = await storeFor();
    const signals: Acknowledged[] = [];
    const onSignal = (n: number, woken: number, at: Date): void => void signals.push({ n, woken, at });
    const one = new Play(seed, store, { workflows: WORKFLOWS, events: EVENTS, windowMs: WINDOW_MS, onSignal, ...more });
    try {
      await one.run();
      const rows = await store.rows();
      const faults = [
        ...rows.flatMap((row) => faultsOfRun(row, one)),
        ...faultsOfSignals(rows, signals, one.settledAt ?? new Date(0)),
      ];
      if (more.neverCanceled === true && rows.length !== EVENTS) faults.push(`${rows.length} runs of ${EVENTS} events`);
      result.faults.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
      for (const row of rows) {
        if (outputOf(row)?.matched === true) result.matched += 1;
        if (outputOf(row)?.matched === false) result.timedOut += 1;
      }
      result.woken += signals.reduce((sum, { woken }) => sum + woken, 0);
    } catch (error) {
      result.faults.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (result.faults.length > 20) break;
  }
  return result;
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

/** The engine and its step as they are, several workers on one store; what each does next is chance, which a seed repeats. */
describe('waits under any schedule of signals, stalls, deaths and cancellations', () => {
  const inMemory = (): Promise<SharedStore> => {
    const documents = new MemoryDocuments('digestSlot');
    const signals = new MemoryDocuments();
    return Promise.resolve({
      forWorker: ({ yields }) => new MemoryCollection(documents, yields) as unknown as Notifications,
      signalsFor: ({ yields }) => new MemoryCollection(signals, yields),
      rows: () => Promise.resolve(documents.plain() as unknown as NotificationRecord[]),
    });
  };

  it('should have one end each, which is the event if it came in time', async () => {
    const seeds = range(1, repetitions({ short: 80, long: 5_000 }));
    const { faults, matched, timedOut, woken } = await play(seeds, inMemory, { neverCanceled: true });
    expect(faults).toEqual([]);
    // The schedules are such that all of it happens often.
    expect(Math.min(matched, timedOut, woken)).toBeGreaterThan(seeds.length / 2);
  });

  it('should have one end each while events are canceled', async () => {
    const seeds = range(100_001, repetitions({ short: 40, long: 3_000 }));
    expect((await play(seeds, inMemory)).faults).toEqual([]);
  });

  describe('on a real store', () => {
    let connection: Connection;
    const collections = ['wait_schedules_runs', 'wait_schedules'];

    beforeAll(async () => {
      connection = await mongoose.createConnection(workerStore().uri).asPromise();
    });
    afterAll(async () => {
      for (const name of collections) await connection.db?.dropCollection(name);
      await connection.close();
    });

    it('should have one end each, which is the event if it came in time', async () => {
      const { db } = connection;
      if (db === undefined) throw new Error('not connected');
      const runs = db.collection<NotificationRecord>('wait_schedules_runs');
      const signals = db.collection('wait_schedules');
      await signals.createIndex({ _environmentId: 1, keys: 1, createdAt: 1 });
      const onStore = async (): Promise<SharedStore> => {
        await Promise.all([runs.deleteMany({}), signals.deleteMany({})]);
        return {
          forWorker: (calls) => yieldingCollection(runs, calls),
          signalsFor: (calls) => yieldingCollection(signals, calls),
          rows: () => runs.find({}).toArray(),
        };
      };
      const seeds = range(200_001, repetitions({ short: 3, long: 60 }));
      expect((await play(seeds, onStore, { neverCanceled: true })).faults).toEqual([]);
    });
  });
});
