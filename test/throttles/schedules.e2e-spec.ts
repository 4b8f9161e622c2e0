import mongoose, { type Connection } from 'mongoose';
import { type NotificationRecord, type StepState, UNCERTAIN } from '../../src/engine/delivery/records/notification.js';
import { repetitions, workerStore } from '../harness/index.js';
import { type Choice, type Notifications, Play, type SharedStore } from '../support/digest-play.js';
import { THROTTLE_MS } from '../support/digest-world.js';
import { MemoryCollection, MemoryDocuments, yieldingCollection } from '../support/memory-collection.js';

const EVENTS = 10;
const CHOICE: Choice = {
  workflows: [
    ['throttle', 'in_app'],
    ['delay', 'throttle', 'in_app'],
    ['throttle', 'chat'],
    ['in_app', 'throttle', 'delay', 'in_app'],
    ['chat', 'throttle', 'in_app'],
  ],
  events: EVENTS,
  windowMs: THROTTLE_MS,
};

interface Place {
  readonly executionCount: number;
  readonly opensAt: string;
}

const throttleOf = ({ steps }: NotificationRecord): StepState | undefined =>
  steps.find(({ type }) => type === 'throttle');
const placeOf = (step: StepState | undefined): Place | undefined => step?.output as Place | undefined;

/** What is wrong after a schedule. @param mayBeCanceled canceled runs keep their places */
async function faultsOf(play: Play, store: SharedStore, threshold: number, mayBeCanceled: boolean): Promise<string[]> {
  const rows = await store.rows();
  return [
    ...rows.flatMap((row) => faultsOfRun(row, play)),
    ...(mayBeCanceled ? [] : rows.flatMap(faultsOfPlace)),
    ...faultsOfWindows(rows, threshold, mayBeCanceled),
    ...(rows.length === EVENTS || mayBeCanceled ? [] : [`${rows.length} runs of ${EVENTS} events`]),
  ];
}

/** Who has passed is told once, and who has not is not told at all. */
function faultsOfRun(row: NotificationRecord, { world }: Play): string[] {
  if (row.status === 'active') return [`${row.transactionId} never ends`];
  const step = throttleOf(row);
  const later = row.steps.slice(row.steps.findIndex((one) => one === step) + 1);
  const told = later.filter(({ _id, type }) => {
    if (type === 'chat') return world.calls.includes(Number(row.transactionId.slice(1)));
    return [...world.messages.values()].some(({ row: { _jobId } }) => String(_jobId) === String(_id));
  });
  if (step?.status === 'skipped') {
    const isEnded = later.every(({ status, reason }) => status === 'skipped' && reason === 'throttled');
    if (told.length > 0) return [`${row.transactionId} is throttled and told`];
    return isEnded ? [] : [`${row.transactionId} is throttled and goes on`];
  }
  const isUncertain = later.some(({ reason }) => reason === UNCERTAIN);
  const isCanceled = row.steps.some(({ status }) => status === 'canceled');
  if (step?.status === 'completed' && told.length === 0 && later.some(({ type }) => type !== 'delay'))
    return isUncertain || isCanceled ? [] : [`${row.transactionId} has passed and is not told`];
  return [];
}

function faultsOfPlace(row: NotificationRecord): string[] {
  const step = throttleOf(row);
  const hasPassed = step?.status === 'completed';
  return hasPassed && placeOf(step) === undefined ? [`${row.transactionId} has passed and has no place`] : [];
}

function faultsOfWindows(rows: readonly NotificationRecord[], threshold: number, mayBeCanceled: boolean): string[] {
  const faults: string[] = [];
  const windows = new Map<string, number[]>();
  for (const row of rows) {
    const step = throttleOf(row);
    const place = placeOf(step);
    if (step?.status !== 'completed' || place === undefined) continue;
    windows.set(place.opensAt, [...(windows.get(place.opensAt) ?? []), place.executionCount]);
  }
  for (const [opensAt, places] of windows) {
    const taken = places.toSorted((a, b) => a - b);
    const isOnce = new Set(taken).size === taken.length && (taken.at(-1) ?? 0) <= threshold;
    const isWithoutGaps = mayBeCanceled || taken.every((place, at) => place === at + 1);
    if (!isOnce || !isWithoutGaps) faults.push(`the window until ${opensAt} has the places ${taken.join()}`);
  }
  for (const row of rows) {
    const step = throttleOf(row);
    const place = placeOf(step);
    if (step?.status !== 'skipped' || place === undefined) continue;
    const passed = windows.get(place.opensAt)?.length ?? 0;
    if (place.executionCount !== threshold) faults.push(`${row.transactionId} is refused by a window with room`);
    if (passed !== threshold && !mayBeCanceled) faults.push(`${passed} have passed until ${place.opensAt}`);
  }
  const ends = [...windows.keys()].map((end) => Date.parse(end)).toSorted((a, b) => a - b);
  for (const [at, end] of ends.entries())
    if (at > 0 && end - THROTTLE_MS < (ends[at - 1] ?? 0)) faults.push('windows overlap');
  return faults;
}

async function play(
  seeds: readonly number[],
  storeFor: () => Promise<SharedStore>,
  choice: Choice,
): Promise<{ faults: string[]; throttled: number; passed: number }> {
  const result = { faults: [] as string[], throttled: 0, passed: 0 };
  for (const seed of seeds) {
    const threshold = 1 + (seed % 4);
    const store = await storeFor();
    const one = new Play(seed, store, { ...choice, threshold });
    try {
      await one.run();
      const faults = await faultsOf(one, store, threshold, choice.neverCanceled !== true);
      result.faults.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
    } catch (error) {
      result.faults.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    }
    for (const row of await store.rows()) {
      if (throttleOf(row)?.status === 'skipped') result.throttled += 1;
      if (throttleOf(row)?.status === 'completed') result.passed += 1;
    }
    if (result.faults.length > 20) break;
  }
  return result;
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

/** The engine and its throttle step as they are, several workers on one store; what each does next is chance. */
describe('throttles under any schedule of stalls, deaths and cancellations', () => {
  const inMemory = (): Promise<SharedStore> => {
    const documents = new MemoryDocuments('digestSlot');
    const throttles = new MemoryDocuments();
    return Promise.resolve({
      forWorker: ({ yields }) => new MemoryCollection(documents, yields) as unknown as Notifications,
      throttlesFor: ({ yields }) => new MemoryCollection(throttles, yields),
      rows: () => Promise.resolve(documents.plain() as unknown as NotificationRecord[]),
    });
  };

  it('should let exactly the threshold through, and tell each of them once', async () => {
    const seeds = range(1, repetitions({ short: 200, long: 5_000 }));
    const { faults, throttled, passed } = await play(seeds, inMemory, { ...CHOICE, neverCanceled: true });
    expect(faults).toEqual([]);
    // The schedules are such that both happen often.
    expect(throttled).toBeGreaterThan(seeds.length);
    expect(passed).toBeGreaterThan(seeds.length);
  });

  it('should never let more than the threshold through while events are canceled', async () => {
    const { faults } = await play(range(100_001, repetitions({ short: 80, long: 3_000 })), inMemory, CHOICE);
    expect(faults).toEqual([]);
  });

  describe('on a real store', () => {
    let connection: Connection;
    const collections = ['throttle_schedules_runs', 'throttle_schedules'];

    beforeAll(async () => {
      connection = await mongoose.createConnection(workerStore().uri).asPromise();
    });
    afterAll(async () => {
      for (const name of collections) await connection.db?.dropCollection(name);
      await connection.close();
    });

    it('should let exactly the threshold through, and tell each of them once', async () => {
      const { db } = connection;
      if (db === undefined) throw new Error('not connected');
      const runs = db.collection<NotificationRecord>('throttle_schedules_runs');
      const throttles = db.collection('throttle_schedules');
      const onStore = async (): Promise<SharedStore> => {
        await Promise.all([runs.deleteMany({}), throttles.deleteMany({})]);
        return {
          forWorker: (calls) => yieldingCollection(runs, calls),
          throttlesFor: (calls) => yieldingCollection(throttles, calls),
          rows: () => runs.find({}).toArray(),
        };
      };
      const seeds = range(200_001, repetitions({ short: 6, long: 60 }));
      expect((await play(seeds, onStore, { ...CHOICE, neverCanceled: true })).faults).toEqual([]);
    });
  });
});
