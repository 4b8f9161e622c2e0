import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchEmbeddedMongo } from '@herald/embedded-mongo';
import mongoose, { type Connection } from 'mongoose';
import { databaseOf } from '#libs/persistence';
import { workerStore } from '../harness/index.js';
import { bytesOf, fillForeign, FOREIGN_NAMES } from '../support/foreign-database.js';
import { builtProgram } from '../support/program.js';

let COMMANDS: Readonly<Record<string, readonly [meaning: string, packed: string, file: string, first?: string]>>;
beforeAll(async () => {
  const program: string = '../../bin/commands.mjs';
  ({ COMMANDS } = (await import(program)) as { COMMANDS: typeof COMMANDS });
});
/** Nothing listens there. */
const NO_HERALD = 'http://127.0.0.1:9';

interface Run {
  readonly args: readonly string[];
  /** `refused`: it would open the database. Otherwise what it does instead. */
  readonly end: 'refused' | 'ends' | 'runs';
  readonly env?: Readonly<Record<string, string>>;
}

const refused = (...args: string[]): Run => ({ args, end: 'refused' });
const ends = (...args: string[]): Run => ({
  args,
  end: 'ends',
  env: { HERALD_URL: NO_HERALD, HERALD_API_KEY: 'none' },
});
/** Until it is stopped. */
const runs = (...args: string[]): Run => ({ args, end: 'runs' });

/** A line for each command of `herald`: how it meets the database, as MONGODB_URI and as the store of DATA_DIR. */
const RUNS: Readonly<Record<string, (places: Places) => { mongodb: Run[]; folder?: Run[] }>> = {
  start: () => ({ mongodb: [refused()], folder: [refused()] }),
  worker: () => ({ mongodb: [refused()] }),
  doctor: () => ({ mongodb: [refused()], folder: [refused()] }),
  keys: () => ({
    mongodb: [['list'], ['issue', '--name', 'a'], ['reseal']].map((words) => refused(...words)),
    folder: [refused('list'), refused('reseal')],
  }),
  'db:migrate': () => ({
    mongodb: [refused(), refused('--check')],
    folder: [refused('--check')],
  }),
  'db:indexes': () => ({ mongodb: [refused()], folder: [refused()] }),
  'db:copy': ({ uri, dataDir, own, folder }) => ({
    mongodb: [refused('--to', join(folder, 'new')), refused('--from', own, '--to', uri)],
    folder: [refused('--to', `${own}_new`), refused('--from', own, '--to', dataDir)],
  }),
  backup: ({ folder }) => ({
    mongodb: [ends('--to', join(folder, 'b1'))],
    folder: [refused('--to', join(folder, 'b2'))],
  }),
  restore: ({ folder }) => ({ mongodb: [ends('--from', folder)], folder: [ends('--from', folder)] }),
  'embedded-mongo': ({ folder }) => ({ mongodb: [runs('--port', '0', '--dbpath', join(folder, 'bare'))] }),
  demo: () => ({ mongodb: [{ args: ['--json'], end: 'ends' }] }),
  catch: () => ({ mongodb: [runs('--mail', '0', '--chat', '0')] }),
  trigger: () => ({ mongodb: [ends('welcome', '--to', 'ada')] }),
  tail: () => ({ mongodb: [ends()] }),
  mcp: () => ({ mongodb: [ends()] }),
  types: () => ({ mongodb: [ends()] }),
  import: ({ novu }) => ({ mongodb: [refused('novu', '--from', novu)], folder: [refused('novu', '--from', novu)] }),
  dev: ({ folder }) => ({ mongodb: [ends(folder)] }),
  call: () => ({ mongodb: [ends('GET', 'subscribers')] }),
  pull: ({ folder }) => ({ mongodb: [ends(folder)] }),
  push: ({ folder }) => ({ mongodb: [ends(folder)] }),
  promote: () => ({ mongodb: [ends('--to', NO_HERALD)] }),
  test: ({ folder }) => ({ mongodb: [ends(folder)] }),
};

interface Places {
  readonly uri: string;
  readonly dataDir: string;
  /** A store of Herald. */
  readonly own: string;
  /** A database that Novu could have. */
  readonly novu: string;
  /** For what a program needs besides. */
  readonly folder: string;
}

let places: Places;
let connection: Connection;
let stored: Connection;
let taken: Connection;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-foreign-'));
  const { uri } = workerStore();
  const own = new URL(uri);
  own.pathname += '_own';
  const novu = new URL(uri);
  novu.pathname += '_novu';
  places = { uri, dataDir: join(folder, 'data'), own: own.href, novu: novu.href, folder };
  stored = await mongoose.createConnection(own.href).asPromise();
  await stored.collection<{ _id: string }>('storeState').insertOne({ _id: 'schema' });
  taken = await mongoose.createConnection(novu.href).asPromise();
  await taken.collection('subscribers').insertOne({ subscriberId: 'ada' });
  connection = await mongoose.createConnection(uri).asPromise();
  await fillForeign(databaseOf(connection));
  await inFolder(fillForeign);
});
afterAll(async () => {
  for (const one of [connection, stored, taken]) {
    await one.dropDatabase();
    await one.close();
  }
  rmSync(places.folder, { recursive: true, force: true, maxRetries: 10 });
});

async function inFolder<T>(use: (db: ReturnType<typeof databaseOf>) => Promise<T>): Promise<T> {
  const server = await launchEmbeddedMongo({ dataDir: places.dataDir, ttlIntervalMs: 86_400_000 });
  const opened = await mongoose.createConnection(server.uri).asPromise();
  try {
    return await use(databaseOf(opened));
  } finally {
    await opened.close();
    await server.stop();
  }
}

/** Of a command line that Node runs. */
function argumentsOf(command: string, args: readonly string[]): string[] {
  const known = COMMANDS[command];
  if (known === undefined) throw new Error(`There is no command ${command}.`);
  const [, , file, first] = known;
  const path = command === 'start' ? 'bundle/main.js' : file.replace(/^dist\//, '');
  const program = file.startsWith('dist/') ? builtProgram(path) : [join(process.cwd(), file)];
  return [...program, ...(first === undefined ? [] : [first]), ...args];
}

/** @returns the exit code, and everything that it printed; one that runs is stopped when it has printed something */
async function run(command: string, { args, env, end }: Run, settings: Record<string, string>) {
  const child = spawn(process.execPath, argumentsOf(command, args), {
    cwd: places.folder,
    env: { PORT: '0', WORKER_PORT: '0', ...settings, ...env },
  });
  child.stdin.end();
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (end === 'runs') child.kill('SIGTERM');
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

/** The one sentence of a refusal. */
function expectRefusal(command: string, { code, out, err }: Awaited<ReturnType<typeof run>>, database: string): void {
  const said = command === 'doctor' ? out : err;
  expect(said).toContain(`The database '${database}' (`);
  const lines = said.split('\n').filter((line) => line.includes('has no data of Herald'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${FOREIGN_NAMES.length + 1} collections (changes, controlvalues, environments, ...)`);
  expect(lines[0]).toContain('docs/manual/moving.md');
  expect(lines[0]).toContain('ALLOW_SHARED_DATABASE=1');
  if (command !== 'doctor') expect(err.trim().split('\n').at(-1)).toBe(lines[0]);
  expect(code).toBe(1);
}

describe('a database of another application', () => {
  it('should meet every program that there is', () => {
    expect(Object.keys(RUNS).sort()).toEqual(Object.keys(COMMANDS).sort());
    const programs = ['apps/admin/src', 'apps/delivery-worker/src'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ts') && /function run\(\)/.test(readFileSync(join(folder, name), 'utf8')))
        .map((name) => `dist/${folder}/${name.replace(/\.ts$/, '.js')}`),
    );
    const known = new Set(Object.values(COMMANDS).map(([, , file]) => file));
    expect(programs.filter((file) => !known.has(file))).toEqual([]);
    expect(programs.length).toBeGreaterThan(8);
  });

  it.each(Object.keys(RUNS))('should be left as it is by herald %s', async (command) => {
    const before = await bytesOf(databaseOf(connection));
    for (const one of RUNS[command]?.(places).mongodb ?? []) {
      const settings = { MONGODB_URI: places.uri, DATA_DIR: join(places.folder, 'own') };
      const ended = await run(command, one, settings);
      if (one.end === 'refused') expectRefusal(command, ended, databaseOf(connection).databaseName);
      else expect(ended.out + ended.err).not.toContain('has no data of Herald');
    }
    expect(await bytesOf(databaseOf(connection))).toEqual(before);
  });

  it.each(['start', 'doctor', 'keys', 'db:migrate', 'db:indexes', 'db:copy', 'backup', 'restore', 'import'])(
    'should be left as it is in DATA_DIR by herald %s',
    async (command) => {
      const before = await inFolder(bytesOf);
      for (const one of RUNS[command]?.(places).folder ?? []) {
        const ended = await run(command, one, { DATA_DIR: places.dataDir });
        if (one.end === 'refused') expectRefusal(command, ended, 'test');
      }
      expect(await inFolder(bytesOf)).toEqual(before);
    },
  );
});
