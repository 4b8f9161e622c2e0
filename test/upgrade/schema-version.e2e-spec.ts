import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { workerStore } from '../harness/index.js';
import { MIGRATIONS } from '../../src/bootstrap/migrations.js';
import { unique } from '../factories/ids.js';
import { runProgram } from '../support/program.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

let folder: string;
let settings: Record<string, string>;
let connection: Connection;
const state = (): Promise<unknown> => connection.collection<{ _id: string }>('storeState').findOne({ _id: 'schema' });
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-schema-'));
  const uri = new URL(workerStore().uri);
  uri.pathname += `_${unique('schema')}`;
  connection = await mongoose.createConnection(uri.href).asPromise();
  const key = 'an encryption key of 32 or more characters';
  settings = { MONGODB_URI: uri.href, API_KEY: TEST_KEY, STORE_ENCRYPTION_KEY: key, PORT: '0', DATA_DIR: folder };
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the schema version of a store', () => {
  it('should be recorded once by several processes that start at the same time', async () => {
    const heralds = await Promise.all([1, 2].map(() => StartedHerald.start(folder, settings)));
    expect(await state()).toEqual({ _id: 'schema', version: MIGRATIONS.length, applied: [] });
    for (const herald of heralds) {
      expect(await herald.client.feeds.listFeeds()).toEqual([]);
      expect(await herald.end('SIGTERM')).toBe(0);
    }
  });

  it('should keep every program from a store that a newer one has used, with one line that says what to do', async () => {
    const newer = { _id: 'schema', version: MIGRATIONS.length + 1, applied: [] };
    await connection.collection<{ _id: string }>('storeState').insertOne(newer);
    const programs = [
      ['bundle/main.js'],
      ['apps/delivery-worker/src/main.js'],
      ['apps/admin/src/keys.js', 'list'],
      ['apps/admin/src/keys.js', 'reseal'],
      ['apps/admin/src/indexes.js'],
      ['apps/admin/src/migrate.js'],
      ['apps/admin/src/migrate.js', '--check'],
    ] as const;
    for (const [program, ...args] of programs) {
      const { code, err } = await runProgram(program, args, { ...settings, WORKER_PORT: '0' }, folder);
      expect(err).toMatch(
        /^[^\n]*schema version \d+, and this version of Herald knows \d+ at most[^\n]*Start the newer[^\n]*\n$/,
      );
      expect(code).toBe(1);
    }
    expect(await state()).toEqual(newer);
    expect(await connection.listCollections()).toHaveLength(1);
  });
});
