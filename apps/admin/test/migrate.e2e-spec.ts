import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { MIGRATIONS } from '../../../src/bootstrap/migrations.js';
import { unique } from '../../../test/factories/ids.js';
import { workerStore } from '../../../test/harness/index.js';
import { type ProgramEnd, runProgram } from '../../../test/support/program.js';

const NEWEST = MIGRATIONS.length;
const PLUGIN = `
  import { definePlugin } from 'herald/plugin';
  const color = { version: 1, name: 'colors of rooms', completes: true, run: (db) => db.collection('rooms').updateMany({}, { $set: { color: 'white' } }) };
  export default definePlugin({ name: 'rooms', apiVersion: 1, migrations: [color] });`;

let folder: string;
let settings: Record<string, string>;
let connection: Connection;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-migrate-'));
  const uri = new URL(workerStore().uri);
  uri.pathname += `_${unique('migrate')}`;
  connection = await mongoose.createConnection(uri.href).asPromise();
  settings = {
    MONGODB_URI: uri.href,
    DATA_DIR: folder,
    STORE_ENCRYPTION_KEY: 'a key of 32 or more characters, for tests',
  };
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const migrate = (...args: string[]): Promise<ProgramEnd> =>
  runProgram('apps/admin/src/migrate.js', args, settings, folder);
const states = (): Promise<unknown[]> => connection.collection('storeState').find().sort({ _id: 1 }).toArray();

describe('herald db:migrate', () => {
  it('should find nothing to do where no Herald has begun', async () => {
    for (const args of [['--check'], []]) {
      const { code, out, err } = await migrate(...args);
      expect([code, out, err]).toEqual([
        0,
        expect.stringMatching(/^There is no store of Herald in the MongoDB at /),
        '',
      ]);
    }
    expect(await connection.listCollections()).toEqual([]);
  });

  it('should say what a store of an earlier version lacks, do it once, and create the indexes', async () => {
    writeFileSync(join(folder, 'rooms.mjs'), PLUGIN);
    settings.HERALD_PLUGINS = './rooms.mjs';
    const before = { _id: 'schema', version: NEWEST - 1, applied: [] };
    await connection.collection<{ _id: string }>('storeState').insertOne(before);
    await connection.collection('rooms').insertOne({ name: 'Attic' });

    const check = await migrate('--check');
    expect([check.code, check.err]).toEqual([3, '']);
    expect(check.out).toContain(`To carry out: migration ${NEWEST}, ${MIGRATIONS.at(-1)?.name}.\n`);
    expect(check.out).toContain('To carry out: migration 1 of the plugin rooms, colors of rooms.\n');
    expect(check.out).toMatch(/^To create in subscribers: .+\.$/m);
    expect(check.out).toMatch(/is not up to date\.\n$/);
    expect(await states()).toEqual([before]);
    expect(await connection.listCollections()).toHaveLength(2);

    const { code, out, err } = await migrate('--json');
    expect([code, err]).toEqual([0, '']);
    const done = JSON.parse(out) as { migrations: object[]; indexes: Record<string, string[]> };
    expect(done.migrations).toEqual([
      { version: NEWEST, name: MIGRATIONS.at(-1)?.name },
      { plugin: 'rooms', version: 1, name: 'colors of rooms' },
    ]);
    expect(Object.keys(done.indexes).length).toBeGreaterThan(20);
    expect(await states()).toMatchObject([
      { _id: 'plugin:rooms', version: 1, applied: [{ name: 'colors of rooms' }] },
      { _id: 'schema', version: NEWEST, applied: [{ version: NEWEST }] },
    ]);
    expect(await connection.collection('rooms').findOne()).toMatchObject({ color: 'white' });

    // By a process of the former version, which still runs.
    await connection.collection('rooms').insertOne({ name: 'Cellar' });
    const subscribers = connection.collection('subscribers');
    await subscribers.insertOne({ addressStates: { email: { address: 'Ada@Example.com', reason: 'Bounced' } } });
    for (const args of [[], ['--check']]) {
      const again = await migrate(...args);
      expect([again.code, again.out, again.err]).toEqual([
        0,
        expect.stringMatching(/^The MongoDB at .+ is up to date\.\n$/),
        '',
      ]);
    }
    expect(await connection.collection('rooms').countDocuments({ color: 'white' })).toBe(2);
    expect(await subscribers.findOne()).toMatchObject({ addressStates: { email: { key: 'ada@example.com' } } });
  });

  it('should refuse a wrong command line', async () => {
    const { code, err } = await migrate('--dry-run');
    expect([code, err]).toEqual([2, expect.stringContaining('db:migrate [--check] [--json]')]);
  });
});
