import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { workerStore } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { builtProgram, type ProgramEnd, runProgram } from '../support/program.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const START = 'bundle/main.js';
const KEY = 'encryption-key';
const settings = { API_KEY: TEST_KEY, PORT: '0' };

let folder: string;
/** Of a Herald that has ended; tests use copies. */
let used: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'herald-lost-'));
  used = join(folder, 'used');
  const herald = await StartedHerald.start(used, settings, folder);
  await herald.client.feeds.createFeed({ body: { name: 'News' } });
  await herald.end('SIGTERM');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

function copyOf(dataDir: string, name: string): string {
  const copy = join(folder, unique(name));
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

const dataFile = (dataDir: string): string => join(dataDir, 'store', 'data.mdb');
const LOSSES: Readonly<Record<string, (dataDir: string) => void>> = {
  'is empty': (dataDir) => truncateSync(dataFile(dataDir)),
  'is missing beside its encryption key': (dataDir) => rmSync(dataFile(dataDir)),
};

/** One line, and nothing in the place of what is lost. */
function expectRefusal({ code, out, err }: ProgramEnd, dataDir: string, what: string): void {
  const line = (err + out)
    .split('\n')
    .find((one) => one.includes(`${dataFile(dataDir)}, ${what}, and a new store does not`));
  expect(line).toContain('mount the volume that has the data, or restore a backup (docs/operations.md, Restoring)');
  expect(line).toContain(`to begin a new store, move the directory ${dataDir} away.`);
  expect(err.split('\n').length).toBeLessThanOrEqual(2);
  expect(code).toBe(1);
  expect(statSync(dataFile(dataDir), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
}

describe.each(Object.entries(LOSSES))('a data folder whose store %s', (what, lose) => {
  it.each<[program: string, ...args: string[]]>([
    [START],
    ['apps/admin/src/keys.js', 'list'],
    ['apps/admin/src/indexes.js'],
    ['apps/admin/src/migrate.js'],
    ['apps/admin/src/doctor.js'],
    ['apps/admin/src/backup.js', '--to', 'backup'],
    ['apps/admin/src/copy.js', '--to', 'elsewhere'],
  ])('should be refused by %s', async (program, ...args) => {
    const dataDir = copyOf(used, 'lost');
    lose(dataDir);
    expectRefusal(await runProgram(program, args, { ...settings, DATA_DIR: dataDir }, folder), dataDir, what);
  });
});

describe('a data folder without a store', () => {
  it('should get one where the key comes from the environment, and not if the file of the data is empty', async () => {
    const dataDir = join(folder, 'by-environment');
    const env = { ...settings, STORE_ENCRYPTION_KEY: 'an encryption key of 32 or more characters' };
    const first = await StartedHerald.start(dataDir, env, folder);
    await first.end('SIGTERM');
    expect(existsSync(join(dataDir, KEY))).toBe(false);
    const second = await StartedHerald.start(dataDir, env, folder);
    await second.end('SIGTERM');
    truncateSync(dataFile(dataDir));
    expectRefusal(await runProgram(START, [], { ...env, DATA_DIR: dataDir }, folder), dataDir, 'is empty');
  });

  it('should serve a Herald on MongoDB with its key', async () => {
    const uri = new URL(workerStore().uri);
    uri.pathname += '_external';
    const dataDir = join(folder, 'with-key');
    for (let start = 0; start < 2; start++) {
      const herald = await StartedHerald.start(dataDir, { ...settings, MONGODB_URI: uri.href }, folder);
      expect(await herald.end('SIGTERM')).toBe(0);
    }
    expect(readdirSync(dataDir)).toContain(KEY);
    expect(existsSync(dataFile(dataDir))).toBe(false);
    // Back to the embedded store, with the key that is there.
    const copied = await runProgram('apps/admin/src/copy.js', ['--from', uri.href], { DATA_DIR: dataDir }, folder);
    expect(copied).toMatchObject({ code: 0, err: expect.any(String) as string });
    const connection = await mongoose.createConnection(uri.href).asPromise();
    await connection.dropDatabase();
    await connection.close();
  });

  it('should take a backup beside the key that it has', async () => {
    const source = copyOf(used, 'source');
    const backup = join(folder, 'kept');
    expect((await runProgram('apps/admin/src/backup.js', ['--to', backup], { DATA_DIR: source }, folder)).code).toBe(0);
    const dataDir = join(folder, 'restored');
    mkdirSync(dataDir);
    cpSync(join(source, KEY), join(dataDir, KEY));
    const restore = await runProgram('apps/admin/src/restore.js', ['--from', backup], { DATA_DIR: dataDir }, folder);
    expect(restore.code).toBe(0);
    const herald = await StartedHerald.start(dataDir, settings, folder);
    expect(await herald.client.feeds.listFeeds()).toMatchObject([{ name: 'News' }]);
    await herald.end('SIGTERM');
  });
});

describe('a first start', () => {
  it('should be repeated after it was killed at any point, and never leave a key without a store', async () => {
    const dataDir = join(folder, 'killed');
    const steps = ['store', 'store/store.lock', 'store/data.mdb', KEY];
    for (const step of steps) {
      await killedAt(dataDir, join(dataDir, step));
      if (existsSync(join(dataDir, KEY))) expect(statSync(dataFile(dataDir)).size).toBeGreaterThan(0);
    }
    const herald = await StartedHerald.start(dataDir, settings, folder);
    await herald.client.feeds.createFeed({ body: { name: 'News' } });
    expect(await herald.end('SIGTERM')).toBe(0);
  });
});

/** Starts Herald and kills it, with the process of its store, as soon as the file is there. */
async function killedAt(dataDir: string, file: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const former = holderOf(dataDir);
    const child = spawn(process.execPath, builtProgram(START), {
      cwd: folder,
      env: { ...settings, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    while (child.exitCode === null && !existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 1));
    const holder = holderOf(dataDir);
    if (holder !== undefined && holder !== former) process.kill(holder, 'SIGKILL');
    child.kill('SIGKILL');
    await gone;
    if (child.signalCode === 'SIGKILL') return;
    // The store of the one before, which had no lock yet, ends by itself.
  }
  throw new Error(`Herald was never killed when ${file} was there.`);
}

function holderOf(dataDir: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'store', 'store.lock'), 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}
