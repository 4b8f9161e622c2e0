import { Prng } from '../test/support/prng.js';
import { startTestServer, type Client, type TestServer } from '../test/support/server.js';

interface Row {
  _id: number;
  u: number;
  n: number;
}

type Outcome = 'done' | 'duplicate' | 'conflict';
type Rows = Map<number, Omit<Row, '_id'>>;

/** What snapshot isolation says, in the simplest form: the first to store a document or a unique value wins. */
class Model {
  rows: Rows = new Map();
  private now = 0;
  private readonly changed = new Map<string, number>();
  private readonly claims = new Map<string, ModelTransaction>();

  hasChanged(key: string, since: number): boolean {
    return (this.changed.get(key) ?? 0) > since;
  }

  begin(): ModelTransaction {
    return { rows: new Map(this.rows), since: this.now, keys: new Set() };
  }

  /** Does a change at once, as an operation outside of transactions. */
  change(change: Change): Outcome {
    const { outcome, keys } = applied(this.rows, change);
    if (outcome === 'done') for (const key of keys) this.changed.set(key, ++this.now);
    return outcome;
  }

  changeIn(transaction: ModelTransaction, change: Change): Outcome {
    const { outcome, keys } = applied(transaction.rows, change);
    if (outcome === 'duplicate') return outcome;
    for (const key of keys) {
      const owner = this.claims.get(key) ?? transaction;
      if (this.hasChanged(key, transaction.since) || owner !== transaction) return 'conflict';
      this.claims.set(key, transaction);
      transaction.keys.add(key);
    }
    return outcome;
  }

  commit(transaction: ModelTransaction): Outcome {
    const isStale = [...transaction.keys].some((key) => this.hasChanged(key, transaction.since));
    if (!isStale) {
      for (const key of transaction.keys) {
        this.changed.set(key, ++this.now);
        const [kind, id] = key.split(':');
        if (kind !== '_id') continue;
        const row = transaction.rows.get(Number(id));
        if (row) this.rows.set(Number(id), row);
        else this.rows.delete(Number(id));
      }
    }
    this.end(transaction);
    return isStale ? 'conflict' : 'done';
  }

  end(transaction: ModelTransaction): void {
    for (const key of transaction.keys) this.claims.delete(key);
  }
}

interface ModelTransaction {
  rows: Rows;
  since: number;
  keys: Set<string>;
}

type Change = { type: 'insert' | 'update'; _id: number; u: number } | { type: 'delete'; _id: number };

/** Changes the rows, and tells which keys that concerns. */
function applied(rows: Rows, change: Change): { outcome: Outcome; keys: string[] } {
  const { type, _id } = change;
  const before = rows.get(_id);
  const key = `_id:${_id}`;
  if (type === 'delete') {
    rows.delete(_id);
    return { outcome: 'done', keys: before ? [key, `u:${before.u}`] : [] };
  }
  if (type === 'insert' ? before : !before) return { outcome: type === 'insert' ? 'duplicate' : 'done', keys: [] };
  if ([...rows].some(([id, { u }]) => id !== _id && u === change.u)) return { outcome: 'duplicate', keys: [] };
  rows.set(_id, { u: change.u, n: (before?.n ?? 0) + 1 });
  if (!before) return { outcome: 'done', keys: [key, `u:${change.u}`] };
  return { outcome: 'done', keys: before.u === change.u ? [key] : [key, `u:${before.u}`, `u:${change.u}`] };
}

/** A client whose operations are compared with the model, one after the other. */
class Schedule {
  private readonly model = new Model();
  private readonly open = new Map<number, { session: ReturnType<Client['startSession']>; model?: ModelTransaction }>();
  readonly seen = { done: 0, duplicate: 0, conflict: 0 };

  constructor(
    private readonly client: Client,
    private readonly random: Prng,
  ) {}

  private get rows() {
    return this.client.db('schedules').collection<Row>('rows');
  }

  private pick(count: number): number {
    return this.random.between(0, count - 1);
  }

  async run(steps: number, transactions: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.step(this.pick(transactions + 1));
    for (const number of [...this.open.keys()]) await this.finish(number);
    expect(await this.read()).toEqual(this.model.rows);
  }

  /** @param number 0 is nobody's transaction */
  private async step(number: number): Promise<void> {
    if (number > 0 && !this.open.has(number)) {
      const session = this.client.startSession();
      session.startTransaction();
      this.open.set(number, { session });
    }
    const what = this.pick(10);
    if (number > 0 && what === 0) return this.finish(number);
    if (what < 4) return this.compareReads(number);
    const _id = this.pick(6);
    const types = ['insert', 'update', 'update', 'delete'] as const;
    await this.change(number, { type: types[this.pick(4)] ?? 'delete', _id, u: this.pick(8) });
  }

  private async change(number: number, change: Change): Promise<void> {
    const own = this.open.get(number);
    if (own) own.model ??= this.model.begin();
    const expected = own?.model ? this.model.changeIn(own.model, change) : this.model.change(change);
    expect(await this.outcomeOf(() => this.send(change, own?.session))).toBe(expected);
    if (own?.model && expected !== 'done') await this.drop(number);
  }

  private send(change: Change, session: ReturnType<Client['startSession']> | undefined): Promise<unknown> {
    const { type, _id } = change;
    const options = session ? { session } : {};
    if (type === 'delete') return this.rows.deleteOne({ _id }, options);
    if (type === 'insert') return this.rows.insertOne({ _id, u: change.u, n: 1 }, options);
    return this.rows.updateOne({ _id }, { $set: { u: change.u }, $inc: { n: 1 } }, options);
  }

  private async outcomeOf(send: () => Promise<unknown>): Promise<Outcome> {
    const outcome = await send().then(
      () => 'done' as const,
      (error: { code: number; message: string }) =>
        error.code === 11000 ? 'duplicate' : error.code === 112 ? 'conflict' : error.message,
    );
    if (outcome !== 'done' && outcome !== 'duplicate' && outcome !== 'conflict') throw new Error(outcome);
    this.seen[outcome]++;
    return outcome;
  }

  private async compareReads(number: number): Promise<void> {
    const own = this.open.get(number);
    if (own) own.model ??= this.model.begin();
    const rows = own?.model?.rows ?? this.model.rows;
    const options = own ? { session: own.session } : {};
    expect(await this.read(own?.session)).toEqual(rows);
    const least = this.pick(8);
    const found = await this.rows
      .find({ u: { $gte: least } }, { ...options, batchSize: 2 })
      .sort({ u: -1 })
      .toArray();
    const expected = [...rows].filter(([, { u }]) => u >= least).sort(([, one], [, two]) => two.u - one.u);
    expect(found.map(({ _id }) => _id)).toEqual(expected.map(([id]) => id));
    expect(await this.rows.countDocuments({ u: { $lt: least } }, options)).toBe(rows.size - expected.length);
  }

  private async read(session?: ReturnType<Client['startSession']>): Promise<Rows> {
    const all = await this.rows.find({}, session ? { session } : {}).toArray();
    return new Map(all.map(({ _id, u, n }) => [_id, { u, n }]));
  }

  private async finish(number: number): Promise<void> {
    const { session, model } = this.open.get(number) ?? {};
    if (model && session?.inTransaction()) {
      if (this.pick(4) === 0) {
        this.model.end(model);
        await session.abortTransaction();
      } else {
        const expected = this.model.commit(model);
        expect(await this.outcomeOf(() => session.commitTransaction())).toBe(expected);
      }
    }
    await session?.endSession();
    this.open.delete(number);
  }

  private async drop(number: number): Promise<void> {
    const { session, model } = this.open.get(number) ?? {};
    if (model) this.model.end(model);
    await session?.endSession();
    this.open.delete(number);
  }
}

describe('transactions side by side', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('should give what snapshot isolation says, in any order of their operations', async () => {
    const seen = { done: 0, duplicate: 0, conflict: 0 };
    for (let seed = 1; seed <= 25; seed++) {
      const rows = running.client.db('schedules').collection('rows');
      await rows.drop();
      await rows.createIndex({ u: 1 }, { unique: true });
      const schedule = new Schedule(running.client, new Prng(seed));
      await schedule.run(60, 4).catch((cause: unknown) => {
        throw new Error(`seed ${seed}`, { cause });
      });
      for (const name of ['done', 'duplicate', 'conflict'] as const) seen[name] += schedule.seen[name];
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});
