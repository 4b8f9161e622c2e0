import mongoose, { type Connection } from 'mongoose';
import type { BudgetUse } from '../../src/engine/delivery/records/budget-places.js';
import { type NotificationRecord, UNCERTAIN } from '../../src/engine/delivery/records/notification.js';
import { repetitions, workerStore } from '../harness/index.js';
import { type Choice, type Notifications, Play, type SharedStore } from '../support/digest-play.js';
import { THROTTLE_MS } from '../support/digest-world.js';
import { MemoryCollection, MemoryDocuments, yieldingCollection } from '../support/memory-collection.js';

const EVENTS = 10;
const CHOICE: Choice = {
  workflows: [['email'], ['delay', 'email'], ['push'], ['email', 'delay', 'in_app'], ['delay', 'push', 'email']],
  events: EVENTS,
  windowMs: THROTTLE_MS,
};

interface BudgetedStore extends SharedStore {
  uses(): Promise<BudgetUse[]>;
}

interface Told {
  readonly faults: string[];
  readonly sent: number;
  readonly dropped: number;
  readonly digested: number;
}

/** What is wrong after a schedule, and how often each end came. */
async function tell(play: Play, store: BudgetedStore, threshold: number, choice: Choice): Promise<Told> {
  const { world } = play;
  const rows = await store.rows();
  const uses = await store.uses();
  const faults: string[] = [];
  const digested = [...world.digests.values()].flatMap(({ contents }) => contents);
  const counts = { sent: 0, dropped: 0, digested: digested.length };
  const places = uses.flatMap((use) => use.places);
  for (const row of rows) {
    const n = row.transactionId.slice(1);
    if (row.status === 'active') faults.push(`${n} never ends`);
    for (const step of row.steps.filter(({ type }) => type === 'email' || type === 'push')) {
      const sent =
        step.type === 'push'
          ? world.calls.filter((one) => String(one) === n).length
          : [...world.messages.values()].filter((one) => String(one.row._jobId) === String(step._id)).length;
      const place = places.some(({ job }) => job.equals(step._id));
      const held = step.reason === 'budget_digest';
      const isCounted = place || choice.budget?.edits === true;
      counts.sent += sent;
      if (step.reason === 'budget') counts.dropped += 1;
      if (sent > 1) faults.push(`${n} is sent ${sent} times`);
      if (sent === 1 && !isCounted) faults.push(`${n} is sent and not counted`);
      // A holder that had asked while there was no budget may store its message after the next one was told of a new budget.
      if (sent === 1 && (held || step.reason === 'budget') && choice.budget?.edits !== true) {
        faults.push(`${n} is sent, and over the budget`);
      }
      if (step.status === 'completed' && sent === 0) faults.push(`${n} is complete and not sent`);
      if (place && sent === 0 && step.status !== 'canceled' && step.reason !== UNCERTAIN) {
        faults.push(`${n} is counted and not sent: ${step.status} ${step.reason ?? ''}`);
      }
      if (held && step.status === 'skipped' && !digested.includes(n)) faults.push(`${n} is held and lost`);
    }
    const steps = row.steps.filter(({ type }) => type === 'email' || type === 'push').length;
    const told = digested.filter((one) => one === n).length;
    const own = row.steps.filter(({ reason }) => reason === 'budget_digest').length;
    const isCanceled = row.steps.some(({ status }) => status === 'canceled');
    if (told > steps || (told > own && !isCanceled)) faults.push(`${n} is ${told} times in digests, and ${own} held`);
  }
  // While there is no budget, nobody counts.
  for (const { places: own } of choice.budget?.edits === true ? [] : uses) {
    const times = own.map(({ at }) => at.getTime()).sort((a, b) => a - b);
    for (const [at, time] of times.entries()) {
      const next = times[at + threshold];
      if (next !== undefined && next - time < THROTTLE_MS) faults.push(`${threshold + 1} within ${next - time} ms`);
    }
  }
  const batches = uses.flatMap((use) => use.batches);
  for (const { _id, opensAt, closed, isSent } of batches) {
    const digest = world.digests.get(`budget-${_id.toHexString()}`);
    const isNoted = isSent === true || choice.budget?.edits === true;
    if (closed !== undefined && digest !== undefined && !isNoted) faults.push('a digest is not noted');
    const isEarly = digest !== undefined && digest.at < opensAt && choice.budget?.edits !== true;
    if (isEarly) faults.push('a digest is early');
  }
  return { faults, ...counts };
}

async function play(seeds: readonly number[], storeFor: () => Promise<BudgetedStore>, choice: Choice): Promise<Told> {
  const all = { faults: [] as string[], sent: 0, dropped: 0, digested: 0 };
  for (const seed of seeds) {
    const threshold = 1 + (seed % 4);
    const store = await storeFor();
    const one = new Play(seed, store, { ...choice, threshold });
    try {
      await one.run();
      const told = await tell(one, store, threshold, choice);
      all.faults.push(...told.faults.map((fault) => `seed ${seed}: ${fault}`));
      for (const key of ['sent', 'dropped', 'digested'] as const) all[key] += told[key];
    } catch (error) {
      all.faults.push(`seed ${seed}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
    }
    if (all.faults.length > 20) break;
  }
  return all;
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

/** The engine, the gate and the counter as they are, several workers on one store; what each does next is chance. */
describe('budgets under any schedule of stalls, deaths and cancellations', () => {
  const inMemory = (): Promise<BudgetedStore> => {
    const documents = new MemoryDocuments('digestSlot');
    const uses = new MemoryDocuments();
    return Promise.resolve({
      forWorker: ({ yields }) => new MemoryCollection(documents, yields) as unknown as Notifications,
      budgetsFor: ({ yields }) => new MemoryCollection(uses, yields),
      rows: () => Promise.resolve(documents.plain() as unknown as NotificationRecord[]),
      uses: () => Promise.resolve(uses.plain() as unknown as BudgetUse[]),
    });
  };
  const dropping: Choice = { ...CHOICE, budget: { over: 'drop' } };
  const holding: Choice = { ...CHOICE, budget: { over: 'hold' } };

  it('should send no more than the budget in any window, and everything that it counts, once', async () => {
    const seeds = range(1, repetitions({ short: 40, long: 3_000 }));
    const { faults, sent, dropped } = await play(seeds, inMemory, { ...dropping, neverCanceled: true });
    expect(faults).toEqual([]);
    // The schedules are such that both happen often.
    expect(Math.min(sent, dropped)).toBeGreaterThan(seeds.length);
  });

  it('should bring everything that it holds in one digest, after it has opened', async () => {
    const seeds = range(100_001, repetitions({ short: 40, long: 3_000 }));
    const { faults, sent, digested } = await play(seeds, inMemory, { ...holding, neverCanceled: true });
    expect(faults).toEqual([]);
    expect(Math.min(sent, digested)).toBeGreaterThan(seeds.length);
  });

  it('should lose and repeat nothing while events are canceled', async () => {
    const seeds = range(200_001, repetitions({ short: 30, long: 3_000 }));
    expect((await play(seeds, inMemory, holding)).faults).toEqual([]);
  });

  it('should lose and repeat nothing while the budget is removed and comes back', async () => {
    const seeds = range(300_001, repetitions({ short: 30, long: 3_000 }));
    expect((await play(seeds, inMemory, { ...CHOICE, budget: { over: 'hold', edits: true } })).faults).toEqual([]);
  });

  describe('on a real store', () => {
    let connection: Connection;
    const collections = ['budget_schedules_runs', 'budget_schedules'];

    beforeAll(async () => {
      connection = await mongoose.createConnection(workerStore().uri).asPromise();
    });
    afterAll(async () => {
      for (const name of collections) await connection.db?.dropCollection(name);
      await connection.close();
    });

    it('should bring everything that it holds in one digest, after it has opened', async () => {
      const { db } = connection;
      if (db === undefined) throw new Error('not connected');
      const runs = db.collection<NotificationRecord>('budget_schedules_runs');
      const uses = db.collection<BudgetUse>('budget_schedules');
      const onStore = async (): Promise<BudgetedStore> => {
        await Promise.all([runs.deleteMany({}), uses.deleteMany({})]);
        return {
          forWorker: (calls) => yieldingCollection(runs, calls),
          budgetsFor: (calls) => yieldingCollection(uses, calls),
          rows: () => runs.find({}).toArray(),
          uses: () => uses.find({}).toArray(),
        };
      };
      const seeds = range(400_001, repetitions({ short: 3, long: 60 }));
      expect((await play(seeds, onStore, { ...holding, neverCanceled: true })).faults).toEqual([]);
    });
  });
});
