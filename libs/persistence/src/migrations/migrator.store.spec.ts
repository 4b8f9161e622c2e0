import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { workerStore } from '../../../../test/harness/index.js';
import { databaseOf } from '../raw-collection.js';
import { UnusableStoreError } from '../unusable-store-error.js';
import { isCurrent, migrate, type Migration, pluginScope } from './migrator.js';
import { STORE_STATE, type StoreStateRecord, UNFINISHED_COPY } from './store-state.js';

const FAST = { leaseMs: 60, pollMs: 5 };

let connection: Connection;
let db: mongo.Db;
let runs: string[];
beforeAll(async () => {
  const uri = new URL(workerStore().uri);
  uri.pathname += '_migrations';
  connection = await mongoose.createConnection(uri.href).asPromise();
  db = databaseOf(connection);
});
beforeEach(async () => {
  runs = [];
  await db.dropDatabase();
});
afterAll(async () => {
  await db.dropDatabase();
  await connection.close();
});

const migration = (version: number, run: Migration['run'] = () => Promise.resolve()): Migration => ({
  version,
  name: `m${version}`,
  run: async (at) => {
    runs.push(`m${version}`);
    await run(at);
  },
});
const state = (): Promise<StoreStateRecord | null> =>
  db.collection<StoreStateRecord>(STORE_STATE).findOne({ _id: 'schema' });

describe('migrate', () => {
  it('should run all migrations in order, record them, and run none again', async () => {
    const all = [migration(1), migration(2), migration(3)];
    await migrate(db, all.slice(0, 2), FAST);
    await migrate(db, all, FAST);
    await migrate(db, all, FAST);
    expect(runs).toEqual(['m1', 'm2', 'm3']);
    const record = await state();
    expect(record).toMatchObject({ version: 3, applied: [{ name: 'm1' }, { name: 'm2' }, { name: 'm3' }] });
    expect(record).not.toHaveProperty('lease');
  });

  it('should run each once when several processes start at once', async () => {
    const slow = [migration(1, () => sleep(40)), migration(2, () => sleep(40))];
    await Promise.all(Array.from({ length: 6 }, () => migrate(db, slow, { leaseMs: 5_000, pollMs: 5 })));
    expect(runs).toEqual(['m1', 'm2']);
  });

  it('should renew the lease of a migration that takes long', async () => {
    const untilRenewed = async (): Promise<void> => {
      const first = (await state())?.leaseUntil ?? new Date();
      while (((await state())?.leaseUntil ?? first) <= first) await sleep(5);
    };
    await migrate(db, [migration(1, untilRenewed)], { leaseMs: 300, pollMs: 5 });
    expect(await state()).toMatchObject({ version: 1 });
  });

  it('should continue after a process that died', async () => {
    const leaseUntil = new Date(Date.now() + 100);
    await db
      .collection<StoreStateRecord>(STORE_STATE)
      .insertOne({ _id: 'schema', version: 1, applied: [], lease: 'dead', leaseUntil });
    await migrate(db, [migration(1), migration(2)], FAST);
    expect(runs).toEqual(['m2']);
    expect(Date.now()).toBeGreaterThanOrEqual(leaseUntil.getTime());
  });

  it('should record a migration once when its process stood still and another one ran it', async () => {
    let release: () => void = () => undefined;
    const still = new Promise<void>((resolve) => (release = resolve));
    const first = migrate(db, [migration(1, () => still)], FAST);
    while (runs.length === 0) await sleep(1);
    const leaseUntil = new Date(0);
    await db.collection(STORE_STATE).updateOne({}, { $set: { lease: 'taken', leaseUntil } });
    await migrate(db, [migration(1)], FAST);
    release();
    await first;
    expect(runs).toEqual(['m1', 'm1']);
    expect((await state())?.applied).toHaveLength(1);
  });

  it('should say which migration failed, and continue with it the next time', async () => {
    const failing = [migration(1), migration(2, () => Promise.reject(new Error('no space')))];
    await expect(migrate(db, failing, FAST)).rejects.toThrow('Migration 2 (m2) of the store failed: no space.');
    await expect(migrate(db, failing, FAST, pluginScope('rooms'))).rejects.toThrow(
      "Migration 2 (m2) of the plugin 'rooms' failed: no space.",
    );
    runs.splice(0, runs.length, 'm1', 'm2');
    expect(await state()).toMatchObject({ version: 1 });
    await migrate(db, [migration(1), migration(2)], FAST);
    expect(runs).toEqual(['m1', 'm2', 'm2']);
  });

  it('should refuse a store that a newer version has used, and change nothing', async () => {
    await migrate(db, [migration(1), migration(2)], FAST);
    const before = await state();
    const refused = migrate(db, [migration(1)], FAST);
    await expect(refused).rejects.toThrow(UnusableStoreError);
    await expect(refused).rejects.toThrow('schema version 2, and this version of Herald knows 1 at most');
    await expect(refused).rejects.toThrow('Start the newer version, or restore the backup');
    expect(await state()).toEqual(before);
  });

  it('should refuse an unfinished copy', async () => {
    await db.collection<StoreStateRecord>(STORE_STATE).insertOne({ _id: UNFINISHED_COPY, source: 'MongoDB at x' });
    await expect(migrate(db, [migration(1)], FAST)).rejects.toThrow('unfinished copy of the MongoDB at x');
    await expect(isCurrent(db, [])).rejects.toThrow(UnusableStoreError);
  });
});
